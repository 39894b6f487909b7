import type { Instant } from '../../platform/instant.ts';
import { networkAddress } from '../../platform/network-address.ts';
import type { Queryable } from '../../storage/db.ts';

const KNOWN_MS = 90 * 86_400_000;

/**
 * Returns those of the people who have signed in from an address, or from its network, in the last 90
 * days.
 */
export async function findWhoKnow(
  db: Queryable,
  personIds: readonly string[],
  address: string,
  now: Instant,
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(
    `select person_id as id from known_address
      where person_id = any($1::text[]) and address = $2 and seen_at > to_timestamp($3 / 1000.0)`,
    [personIds, networkAddress(address), now - KNOWN_MS],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Records the address of a sign-in and deletes the person's addresses older than 90 days. */
export async function rememberAddress(
  db: Queryable,
  personId: string,
  address: string,
  now: Instant,
): Promise<void> {
  await db.query(
    `insert into known_address (person_id, address, seen_at)
     values ($1, $2, to_timestamp($3 / 1000.0))
     on conflict (person_id, address) do update set seen_at = excluded.seen_at`,
    [personId, networkAddress(address), now],
  );
  await db.query(
    'delete from known_address where person_id = $1 and seen_at <= to_timestamp($2 / 1000.0)',
    [personId, now - KNOWN_MS],
  );
}
