import type { Provider } from '../providers/provider.ts';
import {
  daily,
  everyOnTradingDays,
  onTradingDays,
  seasonal,
  type Times,
  weekly,
} from './schedule.ts';

/** One thing to be asked again and again: requests of a feed, at times of the New York day. */
export interface Job {
  /** Names the job in logs and in the note of its last run; must not change. */
  id: string;
  provider: string;
  feed: string;
  times: Times;
  /** For which companies: all that are known, or those that report about now. */
  scope: Scope;
  /** Keeps only requests whose `date=` or `from=` lies so many days from today, both included. */
  days?: { from: number; to: number };
}

export type Scope = 'all' | 'reporters';

/** Before the open, in the session and after the close; every half hour while many report. */
const NEAR = seasonal(
  everyOnTradingDays(30, '06:00', '20:00'),
  onTradingDays('06:30', 'open-30', '12:00', 'close+15', 'close+60', '20:00'),
);

/** Filings come before the open and after the close; twice as often while many report. */
const FILINGS = seasonal(
  onTradingDays(
    '06:45',
    '07:15',
    '07:45',
    '08:15',
    '08:45',
    'open+5',
    '12:00',
    'close+20',
    'close+45',
    'close+75',
    'close+105',
    'close+165',
    '22:05',
  ),
  onTradingDays('open+5', '12:00', 'close+45', 'close+165', '22:05'),
);

/**
 * What runs when. The calendars of the coming weeks are captured ahead, nightly, since sources drop
 * the time markers and overwrite the estimates of a day that has passed; today's and tomorrow's
 * often; results in the evening and the next morning; prices once the trades after the close are
 * over, four hours after it.
 */
const TABLE: readonly Job[] = [
  row('nasdaq', 'calendar-earnings', 'sweep', daily('02:00'), 'all'),
  row('nasdaq', 'calendar-earnings', 'near', NEAR, 'all', [0, 3]),
  row('nasdaq', 'calendar-earnings', 'results', daily('05:00', '20:40'), 'all', [-5, 0]),
  row('nasdaq', 'screener', 'close', onTradingDays('close+260', 'close+330', 'close+420'), 'all'),
  row('nasdaq', 'earnings-surprise', 'evening', onTradingDays('21:00'), 'reporters'),
  row('nasdaq', 'historical', 'evening', onTradingDays('22:00'), 'reporters'),
  row('nasdaq', 'calendar-dividends', 'sweep', daily('03:10'), 'all'),
  row('nasdaq', 'quote-dividends', 'turn', daily('03:40'), 'all'),
  row('nasdaq', 'ipo-calendar', 'sweep', daily('03:30', '08:30', '18:30'), 'all'),
  row('nasdaq', 'economic-events', 'sweep', daily('02:10'), 'all'),
  // The figures of the usual hours of release. Days of this source may be off by one: tomorrow too.
  row(
    'nasdaq',
    'economic-events',
    'figures',
    onTradingDays('08:34', '10:04', '14:04', '17:00'),
    'all',
    [0, 1],
  ),
  row('us-agencies', 'bls-schedule', 'nightly', daily('03:20'), 'all'),
  row('sec', 'company-tickers', 'weekly', weekly(6, '04:00'), 'all'),
  row('sec', 'company-tickers-exchange', 'weekly', weekly(6, '04:05'), 'all'),
  row('sec', 'submissions', 'day', FILINGS, 'reporters'),
  row(
    'sec',
    'filing-index',
    'after',
    onTradingDays('open+15', '12:10', 'close+60', 'close+180'),
    'reporters',
  ),
  row('sec', 'companyfacts', 'evening', onTradingDays('22:30'), 'reporters'),
  row('finnhub', 'calendar-earnings', 'sweep', daily('02:20'), 'all'),
  row('finnhub', 'calendar-earnings', 'near', onTradingDays('06:10', '12:10'), 'all', [0, 3]),
  row('finnhub', 'calendar-earnings', 'results', daily('05:10', '18:10', '20:50'), 'all', [-5, 0]),
  row('finnhub', 'profile2', 'weekly', weekly(6, '05:00'), 'reporters'),
  row('fmp', 'earnings-calendar', 'sweep', daily('02:40'), 'all'),
  row('fmp', 'earnings-calendar', 'results', daily('05:20', '20:55'), 'all', [-5, 0]),
  row('fmp', 'earnings', 'evening', onTradingDays('21:10'), 'reporters'),
  // Every company in its turn, for estimates of weeks ahead; those that report now each evening.
  row('yahoo', 'quote-summary', 'turn', daily('03:50'), 'all'),
  row('yahoo', 'quote-summary', 'evening', onTradingDays('21:20'), 'reporters'),
  row('yahoo', 'chart', 'evening', onTradingDays('22:15'), 'reporters'),
  // A free key has 25 requests a day: the calendar is one, results are asked once.
  row('alphavantage', 'earnings-calendar', 'nightly', daily('04:30'), 'all'),
  row('alphavantage', 'earnings', 'evening', onTradingDays('21:30'), 'reporters'),
  // Once the day is over for this source too, and again for what it corrected.
  row('massive', 'grouped-daily', 'close', onTradingDays('close+270', 'close+420'), 'all'),
  row('massive', 'dividends', 'sweep', daily('04:45'), 'all'),
  row('fmp', 'ipos-calendar', 'sweep', daily('03:35'), 'all'),
];
/** The jobs of these providers. A feed that the table does not name is asked once a night. */
export function jobsOf(providers: readonly Provider[]): Job[] {
  return providers.flatMap((provider) =>
    provider.feeds
      .filter((feed) => feed.plan !== undefined)
      .flatMap((feed) => {
        const named = TABLE.filter(
          (job) => job.provider === provider.name && job.feed === feed.name,
        );
        if (named.length > 0) return named;
        return [row(provider.name, feed.name, 'nightly', daily('03:00'), 'reporters')];
      }),
  );
}

function row(
  provider: string,
  feed: string,
  name: string,
  times: Times,
  scope: Scope,
  days?: readonly [number, number],
): Job {
  const job: Job = { id: `${provider}/${feed}/${name}`, provider, feed, times, scope };
  return days === undefined ? job : { ...job, days: { from: days[0], to: days[1] } };
}
