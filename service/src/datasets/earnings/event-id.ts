import type { ObservationHistory } from '../source-records/observation-history.ts';
import type { EarningsInput, ReportCandidate } from './report-candidate.ts';
import { earningsEventId } from './row.ts';

type Report = Pick<
  ReportCandidate,
  'label' | 'calendars' | 'cancelled' | 'replaced' | 'figures' | 'financials' | 'filing'
>;

/**
 * Returns the id of a report: a hash of the security and fiscal period. A report that a source first
 * gave under a new symbol, before lists showed that the security was renamed, keeps the id that it
 * had then.
 */
export function eventIdOf(input: EarningsInput, report: Report): string {
  const { label, calendars, cancelled, replaced, figures, financials, filing } = report;
  const filed = [...(financials === null ? [] : [financials]), ...(filing?.histories ?? [])];
  return idOf(input, label, [...calendars, ...cancelled, ...replaced, ...figures, ...filed]);
}

/** Returns the id of a report for the histories that are about it. */
export function idOf(
  { securityId, earlierIds }: EarningsInput,
  label: string,
  histories: readonly ObservationHistory<unknown>[],
): string {
  const seen = histories.flatMap(({ entityKey, observations: [first] }) =>
    first === undefined ? [] : [{ entityKey, at: first.at }],
  );
  const firstAt = Math.min(...seen.map(({ at }) => at));
  const earlier = seen
    .filter(({ at }) => at === firstAt)
    .map(({ entityKey, at }) => {
      const before = earlierIds.get(entityKey);
      return before !== undefined && at < before.until ? before.id : securityId;
    })
    .toSorted();
  return earningsEventId(earlier[0] ?? securityId, label);
}
