import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { versionedTable } from '../versions/versioned-table.ts';
import type { Profile } from './row.ts';

export const profileVersions = versionedTable<Profile>({
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

/** Profiles of securities as they stand, or stood at an instant. */
export async function loadProfiles(
  db: Queryable,
  securityIds: readonly string[],
  at: Instant | null = null,
): Promise<Profile[]> {
  if (securityIds.length === 0) return [];
  // One row a security, unordered; by index profile_current, or profile_history.
  return profileVersions.load(db, at, 'v.security_id = any($1::text[])', [securityIds]);
}
