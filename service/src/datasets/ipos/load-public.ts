import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { loadHistories } from '../source-records/load.ts';
import { firstObservedAt, publicHistories } from '../source-records/public-time.ts';
import { deriveIpos } from './derive.ts';
import type { IpoObservation } from './observation.ts';
import type { Ipo } from './row.ts';
import type { OpenSince } from './store.ts';

export interface PublicIpos {
  ipos: Ipo[];
  /** Time of the first observation of any offering; null if there is none. */
  recordedSince: Instant | null;
}

/** Derives all offerings from what was public at an instant. */
export async function loadPublicIpos(db: Queryable, at: Instant): Promise<PublicIpos> {
  // Returns one row per entity key, a few thousand. Uses the unique key of source_record.
  const rows = await db.query<{ subject: string }>(
    `select distinct subject from source_record where dataset = 'ipos'`,
  );
  const keys = rows.map(({ subject }) => subject);
  const histories = await loadHistories<IpoObservation>(db, 'ipos', keys);
  return {
    ipos: deriveIpos(publicHistories(histories, at)),
    recordedSince: firstObservedAt(histories),
  };
}

/** Returns whether an offering is upcoming, with the rules of `loadOpenIpos`. */
export function isOpen({ status, date, filedDate }: Ipo, since: OpenSince): boolean {
  if (status === 'filed') return filedDate === null || filedDate >= since.filed;
  if (status === 'priced') return date !== null && date >= since.priced;
  return (status === 'expected' || status === 'postponed') && (date ?? '9999') >= since.expected;
}

/** Returns whether an offering is between two days, with the rules of `loadIposBetween`. */
export function isBetween(ipo: Ipo, { from, to }: { from: LocalDate; to: LocalDate }): boolean {
  const day = ipo.date ?? ipo.withdrawnDate ?? ipo.filedDate;
  return day !== null && day >= from && day <= to;
}
