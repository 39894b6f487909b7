import type { Clock } from '../platform/clock.ts';
import type { Random } from '../platform/random.ts';
import type { Db } from '../storage/db.ts';

/** What the functions of this folder work with. */
export interface AccountsDeps {
  db: Db;
  clock: Clock;
  random: Random;
}

/** `cus_` or the like, and 80 random bits in hexadecimal. */
export function generateId(prefix: string, random: Random): string {
  return `${prefix}_${Buffer.from(random.bytes(10)).toString('hex')}`;
}

/** A name people gave: trimmed, 1 to 200 characters, no control characters; null for another. */
export function parseName(text: string): string | null {
  const name = text.trim();
  return name === '' || name.length > 200 || /\p{Cc}/u.test(name) ? null : name;
}

/** What was given does not fit; `detail` says how to mend it. */
export interface Invalid {
  kind: 'invalid';
  parameter: string;
  detail: string;
}

export function invalid(parameter: string, detail: string): Invalid {
  return { kind: 'invalid', parameter, detail };
}

/** There is no such thing, or it is somebody else's: nobody can tell which. */
export interface NotFound {
  kind: 'not-found';
}

export const notFound: NotFound = { kind: 'not-found' };
