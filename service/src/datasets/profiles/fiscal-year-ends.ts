import { yearEndMonth } from '../../domain/fiscal-period.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { loadHistories } from '../source-records/load.ts';
import { unchangedSince, type ObservationHistory } from '../source-records/observation-history.ts';
import type { ProfileObservation } from './observation.ts';

/** When a filer's fiscal year ends, and who said so since when. */
export interface FiscalYearEnd {
  /** `MM-DD`. */
  monthDay: string;
  /** `seenAt`: since when the source names that month; the day moves in 52/53-week years. */
  source: { provider: string; feed: string; seenAt: Instant };
}

/** The fiscal year end each filer last stated; filers that never did are left out. */
export async function loadFiscalYearEnds(
  db: Queryable,
  ciks: readonly string[],
): Promise<Map<string, FiscalYearEnd>> {
  const subjects = ciks.map((cik) => `CIK${cik}`);
  const histories = await loadHistories<ProfileObservation>(db, 'profiles', subjects);
  const stated = new Map<string, FiscalYearEnd>();
  for (const history of histories) {
    const cik = history.entityKey.slice('CIK'.length);
    const said = statedBy(history);
    if (said !== null && isNewer(said, stated.get(cik))) stated.set(cik, said);
  }
  return stated;
}

function statedBy(history: ObservationHistory<ProfileObservation>): FiscalYearEnd | null {
  const observation = history.observations.findLast(({ fields }) => fields.fiscalYearEnd != null);
  const monthDay = observation?.fields.fiscalYearEnd;
  if (observation === undefined || monthDay == null) return null;
  const seenAt = unchangedSince(history, observation, ({ fiscalYearEnd }) =>
    fiscalYearEnd == null ? undefined : yearEndMonth(fiscalYearEnd),
  );
  return { monthDay, source: { provider: history.provider, feed: history.feed, seenAt } };
}

/** An operator's file before all; else who changed the word last, which repeating does not move. */
function isNewer(said: FiscalYearEnd, other: FiscalYearEnd | undefined): boolean {
  if (other === undefined) return true;
  const [isFile, isOtherFile] = [said, other].map(({ source }) => source.provider === 'files');
  if (isFile !== isOtherFile) return isFile === true;
  return said.source.seenAt > other.source.seenAt;
}
