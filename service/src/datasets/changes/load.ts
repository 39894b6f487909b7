import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, SqlValue } from '../../storage/db.ts';
import type { ChangeKind } from '../dataset.ts';

/** A change as it is kept. */
export interface ChangeRecord {
  /** Rises in the order of commits. */
  id: number;
  /** When it was committed: never falls as `id` rises. */
  committedAt: Instant;
  observedAt: Instant;
  dataset: string;
  entityId: string;
  /** Empty where no symbol is known; the country of an economic event. */
  symbol: string;
  kind: ChangeKind;
  changedFields: string[];
  /** Null for a change that was recorded before values were kept. */
  fields: Record<string, { from: unknown; to: unknown }> | null;
}

/** Where to begin: after a change, or at an instant, which counts. */
export type ChangePlace = { afterId: number } | { from: Instant };

/**
 * The next changes, oldest first. Whoever goes on after the last one shown, or from its time on,
 * misses none, since changes become visible in the order of their ids and times. Records of which
 * every field is among `leaveOut` are passed over; with `symbols` those about these companies are
 * shown, under a symbol that they gave up too.
 */
export async function loadChanges(
  db: Queryable,
  place: ChangePlace,
  asked: {
    dataset: string | null;
    symbols: readonly string[] | null;
    leaveOut: readonly string[];
    limit: number;
  },
): Promise<ChangeRecord[]> {
  const afterId = 'afterId' in place ? place.afterId : await idBefore(db, place.from);
  if (afterId === null) return [];
  const params: SqlValue[] = [afterId, asked.leaveOut, asked.limit];
  const conditions = ['id > $1', 'not (changed_fields <@ $2::text[])'];
  if (asked.dataset !== null) {
    params.push(asked.dataset);
    conditions.push(`dataset = $${params.length}`);
  }
  if (asked.symbols !== null) {
    params.push(asked.symbols);
    conditions.push(aboutSymbols(`$${params.length}::text[]`));
  }
  // At most so many rows, in order of ids; by the primary key from the place on, or by index
  // change_record_by_dataset, or by change_record_by_symbol and change_record_renamed.
  const rows = await db.query<ChangeRecord & Row>(
    `select id, committed_at as "committedAt", observed_at as "observedAt", dataset,
            entity_id as "entityId", symbol, kind, changed_fields as "changedFields", fields
       from change_record where ${conditions.join(' and ')} order by id limit $3`,
    params,
  );
  return rows;
}

/** Where economic events have a country others have a symbol. */
function aboutSymbols(symbols: string): string {
  return `dataset <> 'economic-events' and id in (
            (select id from change_record where symbol = any(${symbols}) and id > $1)
            union all
            (select id from change_record
              where fields->'symbol'->>'from' = any(${symbols}) and id > $1))`;
}

/** The id before the first change of that instant or later; null when there is none. */
async function idBefore(db: Queryable, from: Instant): Promise<number | null> {
  // At most one row, by index change_record_by_time.
  const rows = await db.query<{ id: number }>(
    `select id from change_record where committed_at >= to_timestamp($1 / 1000.0)
      order by committed_at, id limit 1`,
    [from],
  );
  return rows[0] === undefined ? null : rows[0].id - 1;
}
