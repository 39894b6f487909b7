import type { Queryable } from '../../storage/db.ts';
import { loadThreads } from '../source-records/load.ts';
import type { ProfileObservation } from './observation.ts';

/** The fiscal year end (`MM-DD`) each filer last stated; filers that never did are left out. */
export async function loadFiscalYearEnds(
  db: Queryable,
  ciks: readonly string[],
): Promise<Map<string, string>> {
  const subjects = ciks.map((cik) => `CIK${cik}`);
  const threads = await loadThreads<ProfileObservation>(db, 'profiles', subjects);
  const newest = new Map<string, { at: number; yearEnd: string }>();
  for (const thread of threads) {
    for (const { at, fields } of thread.sightings) {
      if (fields.fiscalYearEnd == null) continue;
      const cik = thread.subject.slice('CIK'.length);
      if (at >= (newest.get(cik)?.at ?? -Infinity)) {
        newest.set(cik, { at, yearEnd: fields.fiscalYearEnd });
      }
    }
  }
  return new Map([...newest].map(([cik, { yearEnd }]) => [cik, yearEnd]));
}
