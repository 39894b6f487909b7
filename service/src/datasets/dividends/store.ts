import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { VersionedTable } from '../versions/versioned-table.ts';
import type { Dividend } from './row.ts';

export const dividendVersions = new VersionedTable<Dividend>({
  table: 'dividend',
  key: ['id', 'id'],
  columns: [
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
  ],
});

/**
 * Loads dividends with an ex-date between two days, both inclusive, either current or as of an
 * instant.
 */
export async function loadDividendsBetween(
  db: Queryable,
  { from, to }: { from: LocalDate; to: LocalDate },
  at: Instant | null,
): Promise<Dividend[]> {
  // Returns one row per dividend, unordered. Uses index dividend_by_ex_date, or …_by_ex_date_ever.
  return dividendVersions.loadInSlices(db, at, 'v.ex_date between $1 and $2', [from, to]);
}

/** Loads all current dividends for the given securities. */
export async function loadDividendsOfSecurities(
  db: Queryable,
  securityIds: readonly string[],
): Promise<Dividend[]> {
  if (securityIds.length === 0) return [];
  // Returns one row per dividend, unordered. Uses index dividend_by_security.
  return dividendVersions.load(db, null, 'v.security_id = any($1::text[])', [securityIds]);
}
