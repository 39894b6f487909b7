import type { ChangeRecord } from '../../datasets/changes/load.ts';
import { economicEventVersions } from '../../datasets/economic-events/store.ts';
import { earningsVersions } from '../../datasets/earnings/store.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { Queryable } from '../../storage/db.ts';

/**
 * The changes that a plan may see: those of reports and releases dated before its history are left
 * out, as they are left out of the calendars. What is gone is dated by the change itself.
 */
export async function changesWithin(
  db: Queryable,
  changes: readonly ChangeRecord[],
  historyFrom: LocalDate | null,
): Promise<readonly ChangeRecord[]> {
  if (historyFrom === null || changes.length === 0) return changes;
  const dates = new Map<string, LocalDate>();
  for (const [dataset, table] of Object.entries(DATED)) {
    const ids = changes.filter((change) => change.dataset === dataset).map((one) => one.entityId);
    if (ids.length === 0) continue;
    // One row an event, unordered; by the table's index of what stands.
    const standing = await table.load(db, null, 'v.id = any($1::text[])', [[...new Set(ids)]]);
    for (const { id, date } of standing) dates.set(id, date);
  }
  return changes.filter((change) => {
    if (!Object.hasOwn(DATED, change.dataset)) return true;
    const date = dates.get(change.entityId) ?? dateIn(change);
    return date !== null && date >= historyFrom;
  });
}

const DATED: Readonly<Record<string, typeof earningsVersions | typeof economicEventVersions>> = {
  earnings: earningsVersions,
  'economic-events': economicEventVersions,
};

function dateIn({ fields }: ChangeRecord): string | null {
  const { from, to } = fields?.['date'] ?? { from: null, to: null };
  const date = to ?? from;
  return typeof date === 'string' ? date : null;
}
