import { compareText } from '../../platform/compare.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';

/**
 * Feeds in order of preference for each field. Feeds not listed here follow in alphabetical order.
 *
 * Dates and sessions: an operator's file overrides everything. Nasdaq's list of past surprises has
 * the actual report dates, and its calendar is the best free source for future dates.
 *
 * Figures: a result is only comparable with the consensus from its own provider, so the preferred
 * provider with a result also provides the consensus. A filed EPS is the result only if no provider
 * has one, because analysts often estimate an adjusted figure.
 * Sources that need an API key rank below Nasdaq, whose consensus is stored before every report;
 * they fill gaps such as revenue. Finnhub ranks first among them because it has session and
 * quarter; FMP has neither, nor the basis of its EPS. Yahoo ranks below the sources with a
 * contract. It has revenue estimates for users without any key, and its future dates are ranges and
 * guesses, so they never move a date from another source. Alpha Vantage is used for old quarters:
 * it has more actual report dates than most sources, while its calendar contains many guesses.
 */
const FEEDS: Record<'date' | 'time' | 'figures', readonly string[]> = {
  date: [
    'files/earnings',
    'nasdaq/earnings-surprise',
    'alphavantage/earnings',
    'nasdaq/calendar-earnings',
    'nasdaq/calendar-table',
    'nasdaq/earnings-date',
    'finnhub/calendar-earnings',
    'fmp/earnings',
    'fmp/earnings-calendar',
    'yahoo/quote-summary',
    'yahoo/quote',
    'alphavantage/earnings-calendar',
    'sandbox/calendar',
  ],
  time: [
    'files/earnings',
    'nasdaq/calendar-earnings',
    'nasdaq/calendar-table',
    'nasdaq/earnings-date',
    'finnhub/calendar-earnings',
    'alphavantage/earnings-calendar',
    'alphavantage/earnings',
    'yahoo/quote-summary',
    'yahoo/quote',
    'sandbox/calendar',
  ],
  figures: [
    'files/earnings',
    'nasdaq/calendar-earnings',
    'nasdaq/calendar-table',
    'nasdaq/earnings-surprise',
    'nasdaq/earnings-forecast',
    'finnhub/calendar-earnings',
    'fmp/earnings',
    'fmp/earnings-calendar',
    'yahoo/quote-summary',
    'alphavantage/earnings',
    'alphavantage/earnings-calendar',
    'sandbox/calendar',
  ],
};

export type PrecedenceField = keyof typeof FEEDS;

/**
 * Compares histories, preferred ones first. Within one feed the most recently observed history
 * wins, because a source that corrects or drops a period starts a new history. Ties are broken by
 * name, so that the order is total.
 */
export function byPrecedence(
  field: PrecedenceField,
): (a: ObservationHistory<unknown>, b: ObservationHistory<unknown>) => number {
  const ranks = new Map(FEEDS[field].map((name, rank) => [name, rank]));
  return (a, b) => {
    const left = `${a.provider}/${a.feed}`;
    const right = `${b.provider}/${b.feed}`;
    const order = (ranks.get(left) ?? ranks.size) - (ranks.get(right) ?? ranks.size);
    if (order !== 0) return order;
    return (
      compareText(left, right) || latest(b).at - latest(a).at || compareText(nameOf(a), nameOf(b))
    );
  };
}

function nameOf({ entityKey, naturalKey }: ObservationHistory<unknown>): string {
  return `${entityKey}/${naturalKey}`;
}
