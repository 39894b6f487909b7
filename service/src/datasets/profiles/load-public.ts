import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { loadOwnersWithClasses } from '../securities/owners.ts';
import { filersOf, type Security } from '../securities/row.ts';
import { filerKey } from '../source-records/entity-keys.ts';
import { deriveProfile } from './derive.ts';
import { loadProfileInputs } from './load-inputs.ts';
import type { Profile } from './row.ts';

/** Derives the profile of a security from what was public at an instant; null if nothing was. */
export async function loadPublicProfile(
  db: Queryable,
  security: Security,
  at: Instant,
): Promise<Profile | null> {
  const { id, symbols } = security;
  const keys = [...symbols.map(({ symbol }) => symbol), ...filersOf(security).map(filerKey)];
  const inputs = await loadProfileInputs(db, await loadOwnersWithClasses(db, keys), at);
  const input = inputs.find((candidate) => candidate.security.id === id);
  return input === undefined || input.histories.length === 0 ? null : deriveProfile(input);
}
