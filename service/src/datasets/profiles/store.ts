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

/** Profiles of securities as they stand. */
export async function loadProfiles(
  db: Queryable,
  securityIds: readonly string[],
): Promise<Profile[]> {
  if (securityIds.length === 0) return [];
  // One row a security, unordered; by index profile_current.
  return profileVersions.load(db, null, 'v.security_id = any($1::text[])', [securityIds]);
}
