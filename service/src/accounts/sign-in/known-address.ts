import type { Instant } from '../../platform/instant.ts';
import { networkAddress } from '../../platform/network-address.ts';
import type { Queryable } from '../../storage/db.ts';

const KNOWN_MS = 90 * 86_400_000;

/**
 * Checks whether a person has signed in from an address, or from its network, in the last 90 days.
 */
export async function isKnownAddress(
  db: Queryable,
  personId: string,
  address: string,
  now: Instant,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from known_address
      where person_id = $1 and address = $2 and seen_at > to_timestamp($3 / 1000.0)`,
    [personId, networkAddress(address), now - KNOWN_MS],
  );
  return rows.length === 1;
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
