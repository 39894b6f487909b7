import type { Queryable, Row } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';
import { HISTORY_DATE, isWithinHistory } from './history-window.ts';
import type { ChangeFilter, ChangeRecord } from './load.ts';

/** A change with the date that decides which plans include it. */
export interface TailRecord extends ChangeRecord {
  historyDate: string | null;
}

/** Returns the id of the newest change, 0 if there is none. */
export async function newestChangeId(db: Queryable): Promise<number> {
  // Returns one row.
  const rows = await db.query<{ id: number }>(
    'select coalesce(max(id), 0) as id from change_record',
  );
  return rows[0]?.id ?? 0;
}

/**
 * Returns the changes after an id, oldest first, unfiltered except for those with hidden fields
 * only. They become visible in the order of their ids, so none is missed.
 */
export function loadTail(
  db: Queryable,
  afterId: number,
  { hiddenFields, limit }: { hiddenFields: readonly string[]; limit: number },
): Promise<TailRecord[]> {
  // Returns at most `limit` rows, ordered by id. Uses the primary key.
  return db.query<TailRecord & Row>(
    ...statement(sql`
      select id, committed_at as "committedAt", observed_at as "observedAt", dataset,
             entity_id as "entityId", symbol, kind, changed_fields as "changedFields", fields,
             ${HISTORY_DATE} as "historyDate"
        from change_record
       where id > ${afterId} and not (changed_fields <@ ${hiddenFields}::text[])
       order by id limit ${limit}`),
  );
}

/** The filter of `loadChanges`, for changes that are already in memory. */
export interface TailFilter extends Pick<ChangeFilter, 'dataset' | 'historyFrom'> {
  symbols: ReadonlySet<string> | null;
}

/** Returns true if `loadChanges` would return the change for the same filter. */
export function matchesFilter(record: TailRecord, filter: TailFilter): boolean {
  const { dataset, symbols, historyFrom } = filter;
  if (dataset !== null && record.dataset !== dataset) return false;
  if (symbols !== null && !isAbout(record, symbols)) return false;
  return historyFrom === null || isWithinHistory(record, historyFrom);
}

function isAbout(record: TailRecord, symbols: ReadonlySet<string>): boolean {
  if (record.dataset === 'economic-events') return false;
  if (symbols.has(record.symbol)) return true;
  const former: unknown = record.fields?.['symbol']?.from;
  return typeof former === 'string' && symbols.has(former);
}
