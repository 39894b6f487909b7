import { compareText } from '../../platform/compare.ts';
import { rankOf } from '../precedence.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';

/**
 * Values of a report for which feeds are ranked. Feeds without a rank follow in alphabetical order.
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
export type PrecedenceField = 'date' | 'time' | 'figures';

/**
 * Compares histories, preferred ones first. Within one feed the most recently observed history
 * wins, because a source that corrects or drops a period starts a new history. Ties are broken by
 * name, so that the order is total.
 */
export function byPrecedence(
  field: PrecedenceField,
): (a: ObservationHistory<unknown>, b: ObservationHistory<unknown>) => number {
  return (a, b) => {
    const order = rankOf(`earnings.${field}`, a) - rankOf(`earnings.${field}`, b);
    if (order !== 0) return order;
    const left = `${a.provider}/${a.feed}`;
    const right = `${b.provider}/${b.feed}`;
    return (
      compareText(left, right) || latest(b).at - latest(a).at || compareText(nameOf(a), nameOf(b))
    );
  };
}

function nameOf({ entityKey, naturalKey }: ObservationHistory<unknown>): string {
  return `${entityKey}/${naturalKey}`;
}
