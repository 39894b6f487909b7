import { latest, type ObservationHistory } from '../source-records/observation-history.ts';

/**
 * Who is believed first, per field. Feeds not named follow in alphabetical order.
 *
 * Dates and markers: an operator's own file corrects everything; Nasdaq's list of past surprises
 * knows the day a report really came; its calendar is the best free word on days ahead.
 * Figures: an actual stands beside a consensus of its own family only, so families are ranked and
 * one family is chosen per event; XBRL comes last because it is GAAP while consensus is not.
 * Keyed sources follow Nasdaq, whose consensus is stored from before every report: they give what
 * it lacks, such as revenue. Finnhub comes first of them, since it knows session and quarter;
 * FMP knows neither, nor the basis of its EPS. Yahoo comes after those that are asked by contract:
 * it gives revenue estimates where no key does, and its coming dates are windows and guesses, so
 * they never move a date that another source names. Alpha Vantage is for old quarters: the day a
 * report came is known to it as to few others, while its calendar of days ahead holds many guesses.
 */
const FEEDS: Record<'date' | 'time' | 'figures', readonly string[]> = {
  date: [
    'files/earnings',
    'nasdaq/earnings-surprise',
    'alphavantage/earnings',
    'nasdaq/calendar-earnings',
    'nasdaq/calendar-table',
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
    'finnhub/calendar-earnings',
    'fmp/earnings',
    'fmp/earnings-calendar',
    'yahoo/quote-summary',
    'alphavantage/earnings',
    'alphavantage/earnings-calendar',
    'sandbox/calendar',
  ],
};

/**
 * Sources whose consensus alone does not stand in the way of a filed result: they often have one for
 * companies whose results they never bring, and a report without its result would be worth less.
 */
export const FILING_FIRST_PROVIDERS: readonly string[] = ['yahoo', 'alphavantage'];

export type PrecedenceField = keyof typeof FEEDS;

/**
 * Sorts the believed-first first; of one feed's threads the one that spoke last, since a source that
 * corrects a period or names none begins a new thread. Names make the order total.
 */
export function byPrecedence(
  field: PrecedenceField,
): (a: ObservationHistory<unknown>, b: ObservationHistory<unknown>) => number {
  const ranks = new Map(FEEDS[field].map((name, rank) => [name, rank]));
  return (a, b) => {
    const withdrawals = `${a.provider}/${a.feed}`;
    const right = `${b.provider}/${b.feed}`;
    const order = (ranks.get(withdrawals) ?? ranks.size) - (ranks.get(right) ?? ranks.size);
    if (order !== 0) return order;
    if (withdrawals !== right) return withdrawals < right ? -1 : 1;
    return latest(b).at - latest(a).at || (nameOf(a) < nameOf(b) ? -1 : 1);
  };
}

function nameOf({ entityKey: subject, naturalKey }: ObservationHistory<unknown>): string {
  return `${subject}/${naturalKey}`;
}
