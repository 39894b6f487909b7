import { clockTime, formatClockTime } from '../domain/market/clock-time.ts';
import type { Provider } from '../providers/provider.ts';
import type { Priority } from './priority.ts';
import {
  daily,
  everyOnTradingDays,
  onTradingDays,
  seasonal,
  type Times,
  weekly,
} from './schedule.ts';

/** A scheduled job, which makes the requests for one feed at New York times. */
export interface Job {
  /** Identifies the job in logs and in its stored progress, so it must not change. */
  id: string;
  provider: string;
  feed: string;
  times: Times;
  /** Companies to fetch: all known companies, or only the ones that report now. */
  scope: Scope;
  priority: Priority;
  /** Limits requests to those whose `date=` or `from=` is in this range of days from today. */
  days?: { from: number; to: number };
  /**
   * Makes each planned request once within this many days, an even part of them each night. The URL
   * of a request must not depend on the day.
   */
  everyDays?: number;
}

export type Scope = 'all' | 'reporters';

/**
 * Due before the open, during the session and after the close; every half hour in earnings season.
 */
const NEAR = seasonal(
  everyOnTradingDays(30, '06:00', '20:00'),
  onTradingDays('06:30', 'open-30', '12:00', 'close+15', 'close+60', '20:00'),
);

/**
 * Filings are published before the open and after the close. They are fetched twice as often in
 * earnings season.
 */
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

/** Minutes after a release at which its figure is requested, until it is in. */
const RETRY_MINUTES = [0, 1, 2, 4, 15, 60];
const MISSED_FIGURES_AT = '04:40';

/**
 * Returns times that are due at releases of these New York times, with retries, and once at night.
 * Agencies also publish on days when the market is closed, such as Good Friday.
 */
function atReleases(...times: string[]): Times {
  const retries = times.flatMap((time) =>
    RETRY_MINUTES.map((minutes) => formatClockTime(clockTime(time) + minutes)),
  );
  return daily(MISSED_FIGURES_AT, ...new Set(retries));
}

const PROMPT = { priority: 'prompt' } as const;
const SPARE = { priority: 'spare' } as const;

/**
 * The schedule. Calendars for the coming weeks are fetched every night, because sources drop
 * session markers and overwrite estimates once a day has passed. Calendars for today and tomorrow
 * are fetched often, results in the evening and the next morning, and prices once after-hours
 * trading has ended, four hours after the close.
 */
const SCHEDULE: readonly Job[] = [
  row('nasdaq', 'calendar-earnings', 'sweep', daily('02:00'), 'all'),
  row('nasdaq', 'calendar-earnings', 'near', NEAR, 'all', { ...PROMPT, days: [0, 3] }),
  row('nasdaq', 'calendar-earnings', 'results', daily('05:00', '20:40'), 'all', {
    ...PROMPT,
    days: [-5, 0],
  }),
  row(
    'nasdaq',
    'screener',
    'close',
    onTradingDays('close+260', 'close+330', 'close+420'),
    'all',
    PROMPT,
  ),
  row('nasdaq', 'earnings-surprise', 'evening', onTradingDays('21:00'), 'reporters', SPARE),
  row('nasdaq', 'historical', 'evening', onTradingDays('22:00'), 'reporters', SPARE),
  row('nasdaq', 'calendar-dividends', 'sweep', daily('03:10'), 'all'),
  row('nasdaq', 'quote-dividends', 'turn', daily('03:40'), 'all', { ...SPARE, everyDays: 28 }),
  row('nasdaq', 'ipo-calendar', 'sweep', daily('03:30', '08:30', '18:30'), 'all'),
  row('nasdaq', 'economic-events', 'sweep', daily('02:10'), 'all'),
  // Fetches figures at the usual release times. This source's dates may be off by one day, so
  // tomorrow is included.
  row(
    'nasdaq',
    'economic-events',
    'figures',
    onTradingDays('08:34', '10:04', '14:04', '17:00'),
    'all',
    { ...PROMPT, days: [0, 1] },
  ),
  row('nasdaq', 'calendar-splits', 'sweep', daily('05:30'), 'all'),
  // Fetched on computed holidays too, and before the open, when an unscheduled closure matters.
  row('nasdaq', 'market-info', 'check', daily('09:05'), 'all', PROMPT),
  row('nasdaq', 'earnings-date', 'soon', daily('04:10'), 'reporters', SPARE),
  row('nasdaq', 'earnings-forecast', 'soon', daily('04:20'), 'reporters', SPARE),
  row('nasdaq-trader', 'nasdaq-listed', 'nightly', daily('05:40'), 'all'),
  row('nasdaq-trader', 'other-listed', 'nightly', daily('05:41'), 'all'),
  row('us-agencies', 'bls-schedule', 'nightly', daily('03:20'), 'all'),
  row('us-agencies', 'bea-schedule', 'nightly', daily('03:22'), 'all'),
  row('us-agencies', 'auction-schedule', 'sweep', daily('03:24', '12:00'), 'all'),
  row('us-agencies', 'auction-results', 'results', onTradingDays('11:36', '13:06'), 'all', PROMPT),
  row('us-agencies', 'census-schedule', 'nightly', daily('03:26'), 'all'),
  row('us-agencies', 'fomc-calendar', 'nightly', daily('03:28'), 'all'),
  row('us-agencies', 'fed-calendar', 'nightly', daily('03:29'), 'all'),
  row('us-agencies', 'weekly-schedule', 'nightly', daily('03:31'), 'all'),
  // Only figures that are due and missing are requested, so each time after the first is a retry.
  // The nightly requests fetch figures that were missed.
  row('us-agencies', 'bls-figures', 'figures', atReleases('08:30', '10:00'), 'all', PROMPT),
  row('us-agencies', 'bea-figures', 'figures', atReleases('08:30', '10:00'), 'all', PROMPT),
  row('us-agencies', 'bea-release', 'figures', atReleases('08:30', '10:00'), 'all', PROMPT),
  row('us-agencies', 'retail-sales', 'figures', atReleases('08:30'), 'all', PROMPT),
  row('us-agencies', 'census-figures', 'figures', atReleases('08:30', '10:00'), 'all', PROMPT),
  row('us-agencies', 'claims-report', 'figures', atReleases('08:30'), 'all', PROMPT),
  row('us-agencies', 'industrial-production', 'figures', atReleases('09:15'), 'all', PROMPT),
  // In weeks with a holiday, EIA publishes at 10:30 or noon, and before a holiday at 17:00.
  row(
    'us-agencies',
    'petroleum-stocks',
    'figures',
    atReleases('10:30', '12:00', '17:00'),
    'all',
    PROMPT,
  ),
  row('us-agencies', 'gas-storage', 'figures', atReleases('10:30', '12:00'), 'all', PROMPT),
  row('us-agencies', 'fomc-decision', 'figures', atReleases('14:00'), 'all', PROMPT),
  row('fred', 'release-dates', 'nightly', daily('04:50'), 'all'),
  row('sec', 'company-tickers', 'weekly', weekly(6, '04:00'), 'all'),
  row('sec', 'company-tickers-exchange', 'weekly', weekly(6, '04:05'), 'all'),
  row('sec', 'submissions', 'day', FILINGS, 'reporters', PROMPT),
  row(
    'sec',
    'filing-index',
    'after',
    onTradingDays('open+15', '12:10', 'close+60', 'close+180'),
    'reporters',
  ),
  row('sec', 'companyfacts', 'evening', onTradingDays('22:30'), 'reporters', SPARE),
  row('finnhub', 'calendar-earnings', 'sweep', daily('02:20'), 'all'),
  row('finnhub', 'calendar-earnings', 'near', onTradingDays('06:10', '12:10'), 'all', {
    ...PROMPT,
    days: [0, 3],
  }),
  row('finnhub', 'calendar-earnings', 'results', daily('05:10', '18:10', '20:50'), 'all', {
    ...PROMPT,
    days: [-5, 0],
  }),
  row('finnhub', 'profile2', 'weekly', weekly(6, '05:00'), 'reporters', SPARE),
  row('fmp', 'earnings-calendar', 'sweep', daily('02:40'), 'all'),
  row('fmp', 'earnings-calendar', 'results', daily('05:20', '20:55'), 'all', {
    ...PROMPT,
    days: [-5, 0],
  }),
  row('fmp', 'earnings', 'evening', onTradingDays('21:10'), 'reporters', SPARE),
  // Fetches estimates for the coming weeks, for companies in rotation, and every evening for
  // companies that report now.
  row('yahoo', 'quote-summary', 'turn', daily('03:50'), 'all', { ...SPARE, everyDays: 28 }),
  row('yahoo', 'quote-summary', 'evening', onTradingDays('21:20'), 'reporters'),
  row('yahoo', 'chart', 'evening', onTradingDays('22:15'), 'reporters', SPARE),
  // A free key allows 25 requests per day: the calendar uses one of them, and results are fetched
  // only once.
  row('alphavantage', 'earnings-calendar', 'nightly', daily('04:30'), 'all'),
  row('alphavantage', 'earnings', 'evening', onTradingDays('21:30'), 'reporters'),
  // Fetched once the source has the complete day, and a second time for corrections.
  row('massive', 'grouped-daily', 'close', onTradingDays('close+270', 'close+420'), 'all', PROMPT),
  row('massive', 'dividends', 'sweep', daily('04:45'), 'all'),
  row('fmp', 'ipos-calendar', 'sweep', daily('03:35'), 'all'),
];

/** Returns these providers' jobs. A feed without a schedule runs once a night. */
export function jobsOf(providers: readonly Provider[]): Job[] {
  return providers.flatMap((provider) =>
    provider.feeds
      .filter((feed) => feed.plan !== undefined)
      .flatMap((feed) => {
        const scheduled = SCHEDULE.filter(
          (job) => job.provider === provider.name && job.feed === feed.name,
        );
        if (scheduled.length > 0) return scheduled;
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
  options: { days?: readonly [from: number, to: number] } & Partial<
    Pick<Job, 'priority' | 'everyDays'>
  > = {},
): Job {
  const { days, priority = 'routine', ...rest } = options;
  const id = `${provider}/${feed}/${name}`;
  const job: Job = { id, provider, feed, times, scope, priority, ...rest };
  return days === undefined ? job : { ...job, days: { from: days[0], to: days[1] } };
}
