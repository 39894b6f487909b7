import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, SqlValue, Transaction } from '../../storage/db.ts';
import type { Dividend } from './row.ts';

/** Stale when any dividend came to be or changed. */
export const DIVIDENDS_TOPIC = 'dividends';

/** Column, field and SQL type, in one place for reading and writing. */
const COLUMNS = [
  ['id', 'id', 'text'],
  ['security_id', 'securityId', 'text'],
  ['symbol', 'symbol', 'text'],
  ['name', 'name', 'text'],
  ['ex_date', 'exDate', 'date'],
  ['record_date', 'recordDate', 'date'],
  ['payment_date', 'paymentDate', 'date'],
  ['declaration_date', 'declarationDate', 'date'],
  ['amount', 'amount', 'numeric'],
  ['split_adjusted_amount', 'splitAdjustedAmount', 'numeric'],
  ['currency', 'currency', 'text'],
  ['type', 'type', 'text'],
  ['frequency', 'frequency', 'text'],
  ['annualized_amount', 'annualizedAmount', 'numeric'],
  ['status', 'status', 'text'],
  ['flags', 'flags', 'jsonb'],
  ['provenance', 'provenance', 'jsonb'],
  ['updated_at', 'updatedAt', 'timestamptz'],
] as const satisfies readonly (readonly [string, keyof Dividend, string])[];

const SELECT = `select ${COLUMNS.map(([column, field]) => `d.${column} as "${field}"`).join(', ')}
  from dividend d`;
const INTO = COLUMNS.map(([column]) => column).join(', ');
const VALUES = COLUMNS.map(([, field, type]) =>
  type === 'timestamptz' ? `to_timestamp(x."${field}" / 1000.0)` : `x."${field}"`,
).join(', ');
const SHAPE = COLUMNS.map(
  ([, field, type]) => `"${field}" ${type === 'timestamptz' ? 'float8' : type}`,
).join(', ');

/** Dividends that stand with an ex-date from one day to another, both included. */
export async function loadDividendsBetween(
  db: Queryable,
  from: LocalDate,
  to: LocalDate,
): Promise<Dividend[]> {
  // One row a dividend, unordered; by index dividend_by_ex_date.
  return load(db, 'where d.known_to is null and d.ex_date between $1 and $2', [from, to]);
}

/** All dividends of securities as they stand. */
export async function loadDividendsOfSecurities(
  db: Queryable,
  securityIds: readonly string[],
): Promise<Dividend[]> {
  if (securityIds.length === 0) return [];
  // One row a dividend, unordered; by index dividend_by_security.
  return load(db, 'where d.known_to is null and d.security_id = any($1::text[])', [securityIds]);
}

/** Closes the versions that stand for these ids. */
export async function closeDividends(
  tx: Transaction,
  ids: readonly string[],
  now: Instant,
): Promise<void> {
  if (ids.length === 0) return;
  // By index dividend_current.
  await tx.query(
    `update dividend set known_to = to_timestamp($2 / 1000.0)
      where known_to is null and id = any($1::text[])`,
    [ids, now],
  );
}

/** Writes versions that stand from now on. */
export async function insertDividends(
  tx: Transaction,
  dividends: readonly Dividend[],
  now: Instant,
): Promise<void> {
  if (dividends.length === 0) return;
  // Adds one row a dividend.
  await tx.query(
    `insert into dividend (${INTO}, known_from)
     select ${VALUES}, to_timestamp($2 / 1000.0)
       from jsonb_to_recordset($1::jsonb) as x(${SHAPE})`,
    [JSON.stringify(dividends), now],
  );
}

/** Renews provenance and observation time of dividends whose facts stayed the same. */
export async function renewDividends(
  tx: Transaction,
  dividends: readonly Dividend[],
): Promise<void> {
  if (dividends.length === 0) return;
  // By index dividend_current.
  await tx.query(
    `update dividend d
        set provenance = x.provenance, updated_at = to_timestamp(x."updatedAt" / 1000.0)
       from jsonb_to_recordset($1::jsonb) as x(id text, provenance jsonb, "updatedAt" float8)
      where d.known_to is null and d.id = x.id`,
    [
      JSON.stringify(
        dividends.map(({ id, provenance, updatedAt }) => ({ id, provenance, updatedAt })),
      ),
    ],
  );
}

async function load(
  db: Queryable,
  where: string,
  params: readonly SqlValue[],
): Promise<Dividend[]> {
  const rows = await db.query<Dividend & Row>(`${SELECT} ${where}`, params);
  return rows;
}
