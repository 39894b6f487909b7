import type { Random } from '../../../src/platform/random.ts';
import type { ProblemCode } from '../../../src/http/problems.ts';

/** Generates random parts of a hostile request. */
export interface RandomInput {
  int(bound: number): number;
  pick<T>(list: readonly T[]): T;
  /** Returns `length` characters from an alphabet, by default letters and digits. */
  text(length: number, alphabet?: string): string;
  /** Returns random bytes as Latin-1. */
  bytes(length: number): string;
  /** A valid key. */
  key: string;
  /** Returns a header line without a key, or with an invalid or valid key. */
  keyLine(): string;
}

/** A malformed request. It must get exactly one response, with one of `codes`. */
export interface MalformedRequest {
  kind: string;
  bytes: string;
  method: string;
  codes: readonly ProblemCode[];
  /** True if the server usually closes the connection after its response. */
  closes: boolean;
  /** True if the bytes are incomplete and the client then half-closes the connection. */
  halfClose: boolean;
}

export type RequestFactory = (
  draw: RandomInput,
) => Partial<MalformedRequest> & Pick<MalformedRequest, 'bytes' | 'codes'>;

export const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Problem codes for requests that reach authentication without a valid key. */
export const UNAUTHENTICATED: readonly ProblemCode[] = [
  'missing-api-key',
  'invalid-api-key',
  'rate-limited',
];
export const INVALID: readonly ProblemCode[] = ['invalid-parameter'];

/** A request that would be served only if lengths were misread. */
export const SMUGGLED = 'OPTIONS /v1/calendar/earnings HTTP/1.1\r\nHost: a\r\n\r\n';

export function randomInput(random: Random, key: string): RandomInput {
  const pick = <T>(list: readonly T[]): T => list[random.int(list.length)] as T;
  const text = (length: number, alphabet = LETTERS): string => {
    let result = '';
    for (let index = 0; index < length; index += 1)
      result += alphabet.charAt(random.int(alphabet.length));
    return result;
  };
  return {
    pick,
    text,
    key,
    int: (bound) => random.int(bound),
    bytes: (length) => Buffer.from(random.bytes(length)).toString('latin1'),
    keyLine: () =>
      pick([
        '',
        `X-Api-Key: ${text(20)}\r\n`,
        `Authorization: Bearer eds_live_${text(38)}\r\n`,
        `X-Api-Key: ${key}\r\n`,
      ]),
  };
}
