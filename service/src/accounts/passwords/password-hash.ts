import { argon2, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { BoundedQueue, type Priority } from '../../platform/bounded-queue.ts';
import type { Random } from '../../platform/random.ts';

const derive = promisify(argon2);

/**
 * The minimum cost that OWASP recommends for argon2id: 19 MiB, 2 passes and 1 lane. Hashing takes
 * about 40 ms on one core.
 */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
/**
 * A hash occupies a core, and a thread of the pool that also reads files and resolves host names. So
 * hashing uses at most half of its four threads, and leaves a core to everything else.
 */
export const HASHES_AT_ONCE = availableParallelism() > 2 ? 2 : 1;
/** A request that would wait for more than 20 others is rejected. */
const hashing = new BoundedQueue({ concurrency: HASHES_AT_ONCE, waitingMax: 20 });
/** The load of the queue in which this process hashes passwords. */
export function hashingLoad(): { waiting: number; rejected: number } {
  const { waiting, rejected } = hashing;
  return { waiting, rejected };
}

const TAG_BYTES = 32;
const SALT_BYTES = 16;
/** The group of `SHAPE` that has the salt. */
const SALT_GROUP = 4;
const SHAPE =
  /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * Returns the hash with its parameters in the standard form `$argon2id$v=19$m=…,t=…,p=…$salt$tag`.
 * `alike` are hashes with which `verifyPassword` will compare a password at the same time; the new hash
 * gets their salt. Rejects with `QueueFullError` if too many hashes are waiting.
 */
export async function hashPassword(
  password: string,
  random: Random,
  alike: readonly string[] = [],
): Promise<string> {
  const existing = SHAPE.exec(alike[0] ?? '')?.[SALT_GROUP];
  const salt =
    existing === undefined
      ? Buffer.from(random.bytes(SALT_BYTES))
      : Buffer.from(existing, 'base64');
  const tag = await deriveTag(password, salt, COST);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(tag)}`;
}

/**
 * Returns the index of the hash that a password has, or null if there is none. Hashes with the same
 * salt and cost are compared at the cost of one. `isOutdated` tells the caller to replace the hash
 * because the cost was raised. Without hashes, the check takes as long as with one, so timing does not
 * reveal which accounts exist. Rejects with `QueueFullError` if too many hashes are waiting; high
 * priority is the last to be rejected.
 */
export async function verifyPassword(
  password: string,
  stored: readonly (string | null)[],
  priority: Priority = 'normal',
): Promise<{ index: number | null; isOutdated: boolean }> {
  const tags = stored.flatMap((hash, index) =>
    hash === null ? [] : [{ index, ...splitHash(hash) }],
  );
  const groups = Map.groupBy(tags, ({ settings }) => settings);
  if (groups.size === 0) groups.set(splitHash(DUMMY_HASH).settings, []);
  for (const [settings, group] of groups) {
    const [, memory, passes, parallelism, salt = ''] = SHAPE.exec(`${settings}$AA`) ?? [];
    const cost = {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    };
    const tagLength = group[0]?.tag.length ?? TAG_BYTES;
    const options = { tagLength, priority };
    const tag = await deriveTag(password, Buffer.from(salt, 'base64'), cost, options);
    const match = group.find(
      (each) => each.tag.length === tagLength && timingSafeEqual(each.tag, tag),
    );
    const isOutdated =
      cost.memory !== COST.memory ||
      cost.passes !== COST.passes ||
      cost.parallelism !== COST.parallelism;
    if (match !== undefined) return { index: match.index, isOutdated };
  }
  return { index: null, isOutdated: false };
}

/** Separates the tag of a hash from its cost and salt. */
function splitHash(hash: string): { settings: string; tag: Buffer } {
  const end = hash.lastIndexOf('$');
  return { settings: hash.slice(0, end), tag: Buffer.from(hash.slice(end + 1), 'base64') };
}

/** A hash whose tag is all zeros, which no password matches. */
const DUMMY_HASH = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${toUnpaddedBase64(
  Buffer.alloc(SALT_BYTES),
)}$${toUnpaddedBase64(Buffer.alloc(TAG_BYTES))}`;

/** Normalizes the password first, because accented characters can be typed in several ways. */
function deriveTag(
  password: string,
  nonce: Uint8Array,
  cost: { memory: number; passes: number; parallelism: number },
  options: { tagLength?: number; priority?: Priority } = {},
): Promise<Buffer> {
  const { tagLength = TAG_BYTES, priority } = options;
  const message = password.normalize('NFKC');
  return hashing.run(() => derive('argon2id', { message, nonce, tagLength, ...cost }), priority);
}

/** Encodes bytes in Base64 without padding, as the PHC format requires. */
function toUnpaddedBase64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
