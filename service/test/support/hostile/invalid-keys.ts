import { crc32 } from 'node:zlib';
import type { Random } from '../../../src/platform/random.ts';
import { LETTERS } from './random-input.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECK_LENGTH = 6;
const SECRET_LENGTH = 32;

/**
 * A text that is not a key. `isWellFormed` is true if its checksum is correct, so that it must be
 * looked up.
 */
export interface InvalidKey {
  kind: string;
  text: string;
  isWellFormed: boolean;
}

/** Generates texts that are not keys, most of them derived from a valid key. */
export function invalidKeys(random: Random, keys: readonly string[]): () => InvalidKey {
  const letter = (): string => LETTERS.charAt(random.int(LETTERS.length));
  const letters = (length: number): string => Array.from({ length }, letter).join('');
  const anyKey = (): string => keys[random.int(keys.length)] ?? '';
  const secretAt = (key: string): number => 9 + random.int(key.length - 9);

  /** Replaces one character. */
  function withChangedCharacter(key: string, index: number): string {
    let replacement = letter();
    while (replacement === key.charAt(index)) replacement = letter();
    return key.slice(0, index) + replacement + key.slice(index + 1);
  }

  const factories: Readonly<Record<string, () => [text: string, isWellFormed: boolean]>> = {
    'any text': () => [`x${letters(random.int(80))}`, false],
    'a key with a random checksum': () => [`eds_live_${letters(38)}~`.slice(0, 47), false],
    'one character changed': () => {
      const key = anyKey();
      return [withChangedCharacter(key, secretAt(key)), false];
    },
    'a letter with changed case': () => {
      const key = anyKey();
      const index = [...key].findIndex((character, index) => index > 8 && /[a-z]/.test(character));
      return [key.slice(0, index) + key.charAt(index).toUpperCase() + key.slice(index + 1), false];
    },
    truncated: () => [anyKey().slice(0, -1 - random.int(20)), false],
    'one extra character': () => [anyKey() + letter(), false],
    'two keys concatenated': () => [anyKey() + anyKey(), false],
    'with the other prefix': () => [otherKind(anyKey()), false],
    'with the other prefix and a valid checksum': () => [withCheck(otherKind(anyKey())), true],
    'one character changed, with a valid checksum': () => {
      const key = anyKey();
      return [withCheck(withChangedCharacter(key, 9 + random.int(SECRET_LENGTH))), true];
    },
    'random, with a valid checksum': () => [withCheck(`eds_live_${letters(38)}`), true],
  };
  const list = Object.entries(factories);

  return () => {
    const [kind, make] = list[random.int(list.length)] ?? ['', () => ['x', false] as const];
    const [text, isWellFormed] = make();
    return { kind, text, isWellFormed };
  };
}

function otherKind(key: string): string {
  return key.startsWith('eds_live_')
    ? key.replace('eds_live_', 'eds_test_')
    : key.replace('eds_test_', 'eds_live_');
}

/**
 * Returns the key with a valid checksum in its last six characters: the CRC-32 of the other
 * characters in base 62.
 */
function withCheck(key: string): string {
  const text = key.slice(0, -CHECK_LENGTH);
  let rest = crc32(text);
  let digits = '';
  for (let count = 0; count < CHECK_LENGTH; count += 1) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text + digits;
}
