import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { type Sql, sql, statement } from '../../storage/sql.ts';
import type { ChangeKind } from '../dataset.ts';
import { withinHistory } from './history-window.ts';

/** A stored change. */
export interface ChangeRecord {
  /** Increases in commit order. */
  id: number;
  /** Commit time. Never decreases as `id` increases. */
  committedAt: Instant;
  observedAt: Instant;
  dataset: string;
  entityId: string;
  /** The company's symbol, or the country for an economic event; empty if no symbol is known. */
  symbol: string;
  kind: ChangeKind;
  changedFields: string[];
  /** Null for changes recorded before values were stored. */
  fields: Record<string, { from: unknown; to: unknown }> | null;
}

/** Start of a page: after a change id (exclusive), or at an instant (inclusive). */
export type ChangeCursor = { afterId: number } | { from: Instant };

/** Selects changes. */
export interface ChangeFilter {
  dataset: string | null;
  symbols: readonly string[] | null;
  /** Records in which only these fields changed are skipped. */
  hiddenFields: readonly string[];
  /** Changes to reports and releases dated before this day are also skipped; null for no limit. */
  historyFrom: LocalDate | null;
}

const COLUMNS = sql`id, committed_at as "committedAt", observed_at as "observedAt", dataset,
             entity_id as "entityId", symbol, kind, changed_fields as "changedFields", fields`;

/**
 * Returns the next changes, oldest first. A client that continues after the id or from the time of
 * the last change misses nothing, because changes become visible in the order of their ids and
 * times. `symbols` also matches changes in which a company gave up one of these symbols.
 */
export async function loadChanges(
  db: Queryable,
  cursor: ChangeCursor,
  filter: ChangeFilter & { limit: number },
): Promise<ChangeRecord[]> {
  const afterId = await firstIdBefore(db, cursor);
  if (afterId === null) return [];
  const { historyFrom, limit } = filter;
  const inHistory = historyFrom === null ? sql`true` : withinHistory(historyFrom);
  // Returns at most `limit` rows, ordered by id. Uses the primary key, index
  // change_record_by_dataset, or change_record_by_symbol and change_record_renamed.
  return db.query<ChangeRecord & Row>(
    ...statement(sql`
      select ${COLUMNS} from change_record where ${matches(filter, afterId)} and ${inHistory}
       order by id limit ${limit}`),
  );
}

/**
 * Returns the newest changes, newest first. `symbols` matches as in `loadChanges`.
 */
export async function loadNewestChanges(
  db: Queryable,
  filter: ChangeFilter & { limit: number },
): Promise<ChangeRecord[]> {
  const { symbols, historyFrom, limit } = filter;
  const inHistory = historyFrom === null ? sql`true` : withinHistory(historyFrom);
  const isMatch = sql`${matchesDataset(filter)} and ${inHistory}`;
  const newest = sql`order by id desc limit ${limit}`;
  // Reads at most `limit` rows per symbol, however many older ones there are.
  const isSelected =
    symbols === null
      ? isMatch
      : sql`id in (
          select newest.id from unnest(${symbols}::text[]) as wanted (name) cross join lateral (
            (select id from change_record where symbol = wanted.name
                and dataset <> 'economic-events' and ${isMatch} ${newest})
            union all
            (select id from change_record where fields->'symbol'->>'from' = wanted.name
                and dataset <> 'economic-events' and ${isMatch} ${newest})) newest)`;
  // Returns at most `limit` rows. Uses the same indexes as `loadChanges`, backwards.
  return db.query<ChangeRecord & Row>(
    ...statement(sql`
      select ${COLUMNS} from change_record where ${isSelected} ${newest}`),
  );
}

/**
 * Returns whether `historyFrom` hides any change up to `upToId`, or any change at all if `upToId`
 * is null.
 */
export async function hasHiddenChanges(
  db: Queryable,
  cursor: ChangeCursor,
  filter: ChangeFilter & { upToId: number | null },
): Promise<boolean> {
  const { historyFrom, upToId } = filter;
  if (historyFrom === null) return false;
  const afterId = await firstIdBefore(db, cursor);
  if (afterId === null) return false;
  // Returns at most one row. Uses the same indexes.
  const rows = await db.query(
    ...statement(sql`
      select id from change_record
       where ${matches(filter, afterId)} and id <= coalesce(${upToId}::int8, id)
         and not ${withinHistory(historyFrom)}
       order by id limit 1`),
  );
  return rows.length > 0;
}

/** Builds all conditions of the filter except `historyFrom`. */
function matches(filter: ChangeFilter, afterId: number): Sql {
  const { symbols } = filter;
  let where = sql`id > ${afterId} and ${matchesDataset(filter)}`;
  if (symbols !== null) where = sql`${where} and ${isAboutSymbols(symbols, afterId)}`;
  return where;
}

function matchesDataset({ dataset, hiddenFields }: ChangeFilter): Sql {
  const isVisible = sql`not (changed_fields <@ ${hiddenFields}::text[])`;
  return dataset === null ? isVisible : sql`${isVisible} and dataset = ${dataset}`;
}

/**
 * Matches changes about the symbols. Economic events have a country instead of a symbol and never
 * match.
 */
function isAboutSymbols(symbols: readonly string[], afterId: number): Sql {
  return sql`dataset <> 'economic-events' and id in (
            (select id from change_record where symbol = any(${symbols}::text[]) and id > ${afterId})
            union all
            (select id from change_record
              where fields->'symbol'->>'from' = any(${symbols}::text[]) and id > ${afterId}))`;
}

/** Returns the id after which a page starts, or null if there are no changes yet. */
async function firstIdBefore(db: Queryable, cursor: ChangeCursor): Promise<number | null> {
  if ('afterId' in cursor) return cursor.afterId;
  // Returns at most one row. Uses index change_record_by_time.
  const rows = await db.query<{ id: number }>(
    `select id from change_record where committed_at >= to_timestamp($1 / 1000.0)
      order by committed_at, id limit 1`,
    [cursor.from],
  );
  return rows[0] === undefined ? null : rows[0].id - 1;
}
