import type { Db } from '../../../src/storage/db.ts';

export const SIZES = {
  customers: 1_000,
  deliveries: 100_000,
  symbols: 10_000,
  earnings: 120_000,
  requests: 100_000,
  quarantined: 20_000,
  runs: 50_000,
  audit: 100_000,
  usage: 130_000,
};

/** The customer that owns half of all rows. The other customers share the rest. */
export const BIG = 'cus_1';
/** The first of the big customer's ten endpoints. */
export const BIG_ENDPOINT = 'whe_1_1';

/** Assigns half of the numbers `n` to the big customer. */
export const OWNER = `'cus_' || (case when n % 2 = 0 then 1 else 2 + n % ${SIZES.customers - 1} end)`;
/**
 * Returns an instant within the last thirty days. It increases with the number `n` out of `total`.
 */
export const momentOf = (total: number): string =>
  `to_timestamp($1 / 1000.0) - interval '30 days' * (1 - n::float8 / ${total})`;

/** Runs a statement for the numbers from 1, in batches that stay within the statement timeout. */
export async function inPortions(
  db: Db,
  total: number,
  sql: string,
  params: readonly (string | number)[],
): Promise<void> {
  const size = 20_000;
  for (let from = 1; from <= total; from += size) {
    const to = Math.min(total, from + size - 1);
    await db.query(sql.replace('NUMBERS', `generate_series(${from}, ${to}) as n`), params);
  }
}
