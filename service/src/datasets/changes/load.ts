import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, SqlValue } from '../../storage/db.ts';
import type { ChangeKind } from '../dataset.ts';
import { withinHistory } from './within-history.ts';

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
export type ChangeCursor = { afterId: number } | { from: Instant };

/** Which changes are asked for. */
export interface ChangeFilter {
  dataset: string | null;
  symbols: readonly string[] | null;
  /** Records of which every field is among these are passed over. */
  hiddenFields: readonly string[];
  /** Changes of reports and releases before that day are passed over too; null: none. */
  historyFrom: LocalDate | null;
}

/**
 * The next changes, oldest first. Whoever goes on after the last one shown, or from its time on,
 * misses none, since changes become visible in the order of their ids and times. With `symbols`
 * those about these companies are shown, under a symbol that they gave up too.
 */
export async function loadChanges(
  db: Queryable,
  place: ChangeCursor,
  asked: ChangeFilter & { limit: number },
): Promise<ChangeRecord[]> {
  const afterId = await idAfterWhich(db, place);
  if (afterId === null) return [];
  const params: SqlValue[] = [afterId, asked.hiddenFields, asked.limit];
  const conditions = conditionsOf(asked, params);
  if (asked.historyFrom !== null) {
    params.push(asked.historyFrom);
    conditions.push(withinHistory(`$${params.length}`));
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

/** Whether `historyFrom` leaves out any of the changes up to one, or of all when that is null. */
export async function hasHiddenChanges(
  db: Queryable,
  place: ChangeCursor,
  asked: ChangeFilter & { upToId: number | null },
): Promise<boolean> {
  if (asked.historyFrom === null) return false;
  const afterId = await idAfterWhich(db, place);
  if (afterId === null) return false;
  const params: SqlValue[] = [afterId, asked.hiddenFields, asked.upToId];
  const conditions = conditionsOf(asked, params);
  params.push(asked.historyFrom);
  conditions.push('id <= coalesce($3::int8, id)', `not ${withinHistory(`$${params.length}`)}`);
  // At most one row: the first that is left out; by the same indexes.
  const rows = await db.query(
    `select id from change_record where ${conditions.join(' and ')} order by id limit 1`,
    params,
  );
  return rows.length > 0;
}

/** Of what is asked but for its history; $1 is the place, $2 what to leave out. */
function conditionsOf({ dataset, symbols }: ChangeFilter, params: SqlValue[]): string[] {
  const conditions = ['id > $1', 'not (changed_fields <@ $2::text[])'];
  if (dataset !== null) {
    params.push(dataset);
    conditions.push(`dataset = $${params.length}`);
  }
  if (symbols !== null) {
    params.push(symbols);
    conditions.push(aboutSymbols(`$${params.length}::text[]`));
  }
  return conditions;
}

/** Where economic events have a country others have a symbol. */
function aboutSymbols(symbols: string): string {
  return `dataset <> 'economic-events' and id in (
            (select id from change_record where symbol = any(${symbols}) and id > $1)
            union all
            (select id from change_record
              where fields->'symbol'->>'from' = any(${symbols}) and id > $1))`;
}

/** The id after which a place begins; null when nothing is there yet. */
async function idAfterWhich(db: Queryable, place: ChangeCursor): Promise<number | null> {
  if ('afterId' in place) return place.afterId;
  // At most one row, by index change_record_by_time.
  const rows = await db.query<{ id: number }>(
    `select id from change_record where committed_at >= to_timestamp($1 / 1000.0)
      order by committed_at, id limit 1`,
    [place.from],
  );
  return rows[0] === undefined ? null : rows[0].id - 1;
}
