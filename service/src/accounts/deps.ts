import type { Clock } from '../platform/clock.ts';
import type { Random } from '../platform/random.ts';
import type { Db } from '../storage/db.ts';

/** Dependencies shared by the functions in this folder. */
export interface AccountsDeps {
  db: Db;
  clock: Clock;
  random: Random;
}

/** Returns an id consisting of a prefix such as `cus` and 80 random bits in hexadecimal. */
export function generateId(prefix: string, random: Random): string {
  return `${prefix}_${Buffer.from(random.bytes(10)).toString('hex')}`;
}

/**
 * Returns the trimmed display name, or null unless it has 1 to 200 characters and no control
 * characters.
 */
export function parseName(text: string): string | null {
  const name = text.trim();
  return name === '' || name.length > 200 || /\p{Cc}/u.test(name) ? null : name;
}

/** Result for an invalid parameter. `detail` explains what is expected. */
export interface Invalid {
  kind: 'invalid';
  parameter: string;
  detail: string;
}

export function invalid(parameter: string, detail: string): Invalid {
  return { kind: 'invalid', parameter, detail };
}

/**
 * Result for an object that does not exist or belongs to another customer. Callers cannot
 * distinguish the two.
 */
export interface NotFound {
  kind: 'not-found';
}

export const notFound: NotFound = { kind: 'not-found' };
