import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';

/** A customer's named list of companies. */
export interface Watchlist {
  id: string;
  name: string;
  /** Number of companies. */
  size: number;
  createdAt: Instant;
  updatedAt: Instant;
}

/** A company on a watchlist. */
export interface WatchlistMember {
  securityId: string;
  /** Current symbol, or the last one if the company no longer has any. */
  symbol: string;
}

/**
 * Joins each member `m` to its security `s` and, if there is none with its id, to `moved`, the
 * security that had this id before a source showed that an earlier symbol belongs to it.
 */
const COMPANY = `
  left join security s on s.id = m.security_id
  left join lateral (
    select t.id, t.symbol from security_symbol y join security t on t.id = y.security_id
     where s.id is null and y.symbol = m.symbol and ${hadId('t', 'm.security_id')}
     limit 1) moved on true`;
const SYMBOL = 'coalesce(s.symbol, moved.symbol, m.symbol)';

function hadId(security: string, id: string): string {
  return `${security}.symbols @>
         jsonb_build_array(jsonb_build_object('earlierId', jsonb_build_object('id', ${id})))`;
}

const WATCHLIST = `
  select w.id, w.name, w.created_at as "createdAt", w.updated_at as "updatedAt",
         (select count(*)::int4 from watchlist_member m where m.watchlist_id = w.id) as size
    from watchlist w`;

/** Returns a customer's watchlists in name order. */
export function listWatchlists(db: Queryable, customerId: string): Promise<Watchlist[]> {
  return db.query<Watchlist & Row>(`${WATCHLIST} where w.customer_id = $1 order by w.name`, [
    customerId,
  ]);
}

/** Returns a watchlist, or null if the customer has none with this name. */
export async function findWatchlist(
  db: Queryable,
  customerId: string,
  name: string,
): Promise<Watchlist | null> {
  const rows = await db.query<Watchlist & Row>(
    `${WATCHLIST} where w.customer_id = $1 and w.name = $2`,
    [customerId, name],
  );
  return rows[0] ?? null;
}

/** Returns the companies on a watchlist in symbol order. */
export async function loadWatchlistMembers(
  db: Queryable,
  watchlistId: string,
): Promise<WatchlistMember[]> {
  // Returns one row per member. Uses the primary keys of security and security_symbol.
  const rows = await db.query<WatchlistMember & Row>(
    `select coalesce(s.id, moved.id, m.security_id) as "securityId", ${SYMBOL} as symbol
       from watchlist_member m ${COMPANY}
      where m.watchlist_id = $1 order by ${SYMBOL} collate "C", 1`,
    [watchlistId],
  );
  // Two members are the same company if their securities have been merged.
  return [...new Map(rows.map((row) => [row.securityId, row])).values()];
}

/**
 * Returns the current symbols on the customer's watchlists with these names, sorted. Names of
 * watchlists that do not exist are missing from the result.
 */
export async function loadWatchlistSymbols(
  db: Queryable,
  customerId: string,
  names: readonly string[],
): Promise<Map<string, string[]>> {
  // Returns one row per company, and one row without a symbol for an empty list.
  const rows = await db.query<{ name: string; symbol: string | null }>(
    `select w.name, ${SYMBOL} as symbol
       from watchlist w
       left join watchlist_member m on m.watchlist_id = w.id ${COMPANY}
      where w.customer_id = $1 and w.name = any($2::text[])
      order by ${SYMBOL} collate "C"`,
    [customerId, names],
  );
  const symbolsByName = new Map<string, string[]>();
  for (const { name, symbol } of rows) {
    const symbols = symbolsByName.get(name) ?? [];
    if (symbol !== null && symbols.at(-1) !== symbol) symbols.push(symbol);
    symbolsByName.set(name, symbols);
  }
  return symbolsByName;
}

/** Returns the ids of the customer's watchlists with these names. */
export async function loadWatchlistIds(
  db: Queryable,
  customerId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const rows = await db.query<{ name: string; id: string }>(
    `select name, id from watchlist where customer_id = $1 and name = any($2::text[])`,
    [customerId, names],
  );
  return new Map(rows.map(({ name, id }) => [name, id]));
}

export async function insertWatchlist(
  tx: Transaction,
  watchlist: { id: string; customerId: string; name: string; now: Instant },
): Promise<void> {
  const { id, customerId, name, now } = watchlist;
  await tx.query(
    `insert into watchlist (id, customer_id, name, created_at, updated_at)
     values ($1, $2, $3, to_timestamp($4 / 1000.0), to_timestamp($4 / 1000.0))`,
    [id, customerId, name, now],
  );
}

/**
 * Stores the members whose securities have another id by now under this id, so that a change finds
 * them.
 */
export async function moveMembers(tx: Transaction, watchlistId: string): Promise<void> {
  await tx.query(
    `with moved as (
       delete from watchlist_member m using security_symbol y, security t
        where m.watchlist_id = $1 and y.symbol = m.symbol and t.id = y.security_id
          and ${hadId('t', 'm.security_id')}
          and not exists (select 1 from security s where s.id = m.security_id)
       returning t.id, m.symbol, m.added_at)
     insert into watchlist_member (watchlist_id, security_id, symbol, added_at)
     select distinct on (id) $1, id, symbol, added_at from moved order by id, added_at
     on conflict do nothing`,
    [watchlistId],
  );
}

/** Adds and removes companies. No company may be in both lists. */
export async function changeWatchlistMembers(
  tx: Transaction,
  watchlistId: string,
  change: { added: readonly WatchlistMember[]; removed: readonly WatchlistMember[]; now: Instant },
): Promise<void> {
  const { added, removed, now } = change;
  await tx.query(
    `delete from watchlist_member where watchlist_id = $1 and security_id = any($2::text[])`,
    [watchlistId, removed.map(({ securityId }) => securityId)],
  );
  await tx.query(
    `insert into watchlist_member (watchlist_id, security_id, symbol, added_at)
     select $1, n."securityId", n.symbol, to_timestamp($3 / 1000.0)
       from jsonb_to_recordset($2::jsonb) as n("securityId" text, symbol text)`,
    [watchlistId, JSON.stringify(added), now],
  );
  await tx.query(`update watchlist set updated_at = to_timestamp($2 / 1000.0) where id = $1`, [
    watchlistId,
    now,
  ]);
}

/** Deletes a watchlist with its members. */
export async function deleteWatchlist(tx: Transaction, watchlistId: string): Promise<void> {
  await tx.query(`delete from watchlist where id = $1`, [watchlistId]);
}

/** Deletes all watchlists of a deleted customer. */
export async function deleteCustomerWatchlists(tx: Transaction, customerId: string): Promise<void> {
  await tx.query(`delete from watchlist where customer_id = $1`, [customerId]);
}
