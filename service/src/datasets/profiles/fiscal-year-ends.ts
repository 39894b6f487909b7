import { yearEndMonth } from '../../domain/fiscal-period.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { filerKey, filerOf } from '../source-records/entity-keys.ts';
import { loadHistories } from '../source-records/load.ts';
import { publicHistories } from '../source-records/public-time.ts';
import { unchangedSince, type ObservationHistory } from '../source-records/observation-history.ts';
import type { ProfileObservation } from './observation.ts';

/** A filer's fiscal year end with its source. */
export interface FiscalYearEnd {
  /** `MM-DD`. */
  monthDay: string;
  /**
   * `seenAt`: the time since which the source has reported that month. The day varies in 52/53-week
   * years.
   */
  source: { provider: string; feed: string; seenAt: Instant };
}

/**
 * Loads the latest fiscal year end for each filer, or the one that was public at an instant. Filers
 * without one are absent.
 */
export async function loadFiscalYearEnds(
  db: Queryable,
  ciks: readonly string[],
  publicAt: Instant | null = null,
): Promise<Map<string, FiscalYearEnd>> {
  const filerKeys = ciks.map(filerKey);
  const stored = await loadHistories<ProfileObservation>(db, 'profiles', filerKeys);
  const histories = publicAt === null ? stored : publicHistories(stored, publicAt);
  const latestByCik = new Map<string, FiscalYearEnd>();
  for (const history of histories) {
    const cik = filerOf(history.entityKey) ?? '';
    const fiscalYearEnd = fiscalYearEndIn(history);
    if (fiscalYearEnd === null || !isNewer(fiscalYearEnd, latestByCik.get(cik))) continue;
    latestByCik.set(cik, fiscalYearEnd);
  }
  return latestByCik;
}

function fiscalYearEndIn(history: ObservationHistory<ProfileObservation>): FiscalYearEnd | null {
  const observation = history.observations.findLast(({ fields }) => fields.fiscalYearEnd != null);
  const monthDay = observation?.fields.fiscalYearEnd;
  if (observation === undefined || monthDay == null) return null;
  const seenAt = unchangedSince(history, observation, ({ fiscalYearEnd }) =>
    fiscalYearEnd == null ? undefined : yearEndMonth(fiscalYearEnd),
  );
  return { monthDay, source: { provider: history.provider, feed: history.feed, seenAt } };
}

/**
 * Returns whether the first value takes precedence: an operator's file wins, then the most recent
 * change. A repeated value is not a change.
 */
function isNewer(fiscalYearEnd: FiscalYearEnd, other: FiscalYearEnd | undefined): boolean {
  if (other === undefined) return true;
  const [isFile, isOtherFile] = [fiscalYearEnd, other].map(
    ({ source }) => source.provider === 'files',
  );
  if (isFile !== isOtherFile) return isFile === true;
  return fiscalYearEnd.source.seenAt > other.source.seenAt;
}
