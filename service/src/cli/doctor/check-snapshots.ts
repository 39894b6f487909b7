import type { Queryable } from '../../storage/db.ts';
import {
  describeHolder,
  fixForHolder,
  isHeldTooLong,
  loadSnapshotHolder,
} from '../../storage/health/snapshot-holder.ts';
import { type Check, ok, warning } from './check.ts';

/** Checks that no session keeps VACUUM from removing dead rows for too long. */
export async function checkSnapshots(
  db: Queryable,
  load: typeof loadSnapshotHolder = loadSnapshotHolder,
): Promise<Check> {
  const holder = await load(db);
  if (holder === null || !isHeldTooLong(holder)) {
    return ok('snapshots', 'no old snapshot keeps VACUUM from removing dead rows');
  }
  const { ageSeconds, transactions } = holder;
  const age =
    ageSeconds === null ? `${transactions} transactions` : `${Math.round(ageSeconds / 60)} min`;
  return warning(
    'snapshots',
    `${describeHolder(holder)} has held a snapshot for ${age}: VACUUM removes no rows that died since`,
    fixForHolder(holder),
  );
}
