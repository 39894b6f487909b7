import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { VersionedTable } from '../versions/versioned-table.ts';
import type { Profile } from './row.ts';

export const profileVersions = new VersionedTable<Profile>({
  table: 'profile',
  key: ['security_id', 'securityId'],
  columns: [
    ['security_id', 'securityId', 'text'],
    ['symbol', 'symbol', 'text'],
    ['fields', 'fields', 'jsonb'],
    ['provenance', 'provenance', 'jsonb'],
    ['updated_at', 'updatedAt', 'timestamptz'],
  ],
});

/** Loads profiles for the securities, either current or as of an instant. */
export async function loadProfiles(
  db: Queryable,
  securityIds: readonly string[],
  at: Instant | null = null,
): Promise<Profile[]> {
  if (securityIds.length === 0) return [];
  // Returns one row per security, unordered. Uses index profile_current, or profile_history.
  return profileVersions.load(db, at, 'v.security_id = any($1::text[])', [securityIds]);
}

/** Returns the sectors of securities. Those without a known sector are absent. */
export async function loadSectors(
  db: Queryable,
  securityIds: readonly string[],
): Promise<Map<string, string>> {
  if (securityIds.length === 0) return new Map();
  // Returns one row per security. Uses index profile_current.
  const rows = await db.query<{ id: string; sector: string }>(
    `select security_id as id, fields->>'sector' as sector from profile
      where known_to is null and security_id = any($1::text[]) and fields->>'sector' is not null`,
    [securityIds],
  );
  return new Map(rows.map(({ id, sector }) => [id, sector]));
}

/** Returns the names of all sectors. */
export async function loadSectorNames(db: Queryable): Promise<string[]> {
  // Scans the current profiles, some ten thousand rows.
  const rows = await db.query<{ sector: string }>(
    `select distinct fields->>'sector' as sector from profile
      where known_to is null and fields->>'sector' is not null`,
  );
  return rows.map(({ sector }) => sector);
}

/** A company's total shares in all classes, and the date on which they were counted. */
export interface CountedShares {
  count: string;
  countedOn: LocalDate | null;
}

/**
 * Loads the share counts to multiply by the prices of these securities. Securities without a known
 * share count are absent, and so are depositary receipts, because a receipt may represent more or
 * less than one share.
 */
export async function loadShares(
  db: Queryable,
  securityIds: readonly string[],
): Promise<Map<string, CountedShares>> {
  if (securityIds.length === 0) return new Map();
  // Returns one row per security. Uses index profile_current.
  const rows = await db.query<CountedShares & { id: string } & Row>(
    `select v.security_id as id, v.fields->>'outstandingSharesAllClasses' as count,
            v.fields->>'sharesAsOf' as "countedOn"
       from profile v
      where v.known_to is null and v.security_id = any($1::text[])
        and v.fields->>'outstandingSharesAllClasses' is not null
        and not v.fields->'tags' @> '["adr"]'`,
    [securityIds],
  );
  return new Map(rows.map(({ id, count, countedOn }) => [id, { count, countedOn }]));
}
