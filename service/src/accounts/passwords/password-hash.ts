import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Random } from '../../platform/random.ts';

const derive = promisify(argon2);

/** argon2id: 19 MiB, 2 passes, 1 lane, which OWASP gives as its least. About 40 ms on one core. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
const SHAPE =
  /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * The hash with its parameters beside it, in the form `$argon2id$v=19$m=…,t=…,p=…$salt$tag` that
 * other programs read too.
 */
export async function hashPassword(password: string, random: Random): Promise<string> {
  const salt = Buffer.from(random.bytes(SALT_BYTES));
  const tag = await deriveTag(password, salt, COST);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(tag)}`;
}

/**
 * Whether it is the password of that hash, and whether the hash should be made anew since the
 * parameters were raised. Without a hash it takes as long and is wrong: nobody can tell who exists.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
): Promise<{ isCorrect: boolean; isOutdated: boolean }> {
  const [, memory, passes, parallelism, salt = '', tag = ''] =
    SHAPE.exec(stored ?? DUMMY_HASH) ?? [];
  const cost = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
  const expected = Buffer.from(tag, 'base64');
  const tagOfPassword = await deriveTag(
    password,
    Buffer.from(salt, 'base64'),
    cost,
    expected.length,
  );
  const isCorrect = timingSafeEqual(tagOfPassword, expected) && stored !== null;
  const isOutdated =
    cost.memory !== COST.memory ||
    cost.passes !== COST.passes ||
    cost.parallelism !== COST.parallelism;
  return { isCorrect, isOutdated };
}

/** No password has this tag: it is not one of argon2id, but zeros. */
const DUMMY_HASH = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${toUnpaddedBase64(
  Buffer.alloc(SALT_BYTES),
)}$${toUnpaddedBase64(Buffer.alloc(TAG_BYTES))}`;

/** Accents and the like may be typed in several ways: all are one password. */
function deriveTag(
  password: string,
  nonce: Uint8Array,
  cost: { memory: number; passes: number; parallelism: number },
  tagLength: number = TAG_BYTES,
): Promise<Buffer> {
  const message = password.normalize('NFKC');
  return derive('argon2id', { message, nonce, tagLength, ...cost });
}

/** Base64 without padding, as the form wants it. */
function toUnpaddedBase64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
