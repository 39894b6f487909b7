import type { Random } from '../../../src/platform/random.ts';
import type { ProblemCode } from '../../../src/http/problems.ts';

/** What a hostile request is made with. */
export interface RandomInput {
  int(bound: number): number;
  pick<T>(list: readonly T[]): T;
  /** So many characters of an alphabet, letters and digits unless named. */
  text(length: number, alphabet?: string): string;
  /** Any bytes, as latin-1. */
  bytes(length: number): string;
  /** A key in good standing. */
  key: string;
  /** Where requests want to go: to no key, a wrong one, a good one. */
  keyLine(): string;
}

/** One malformed request, and how it must be answered: once, with one of these. */
export interface MalformedRequest {
  kind: string;
  bytes: string;
  method: string;
  codes: readonly ProblemCode[];
  /** Whether the server, as a rule, ends the connection with its answer. */
  closes: boolean;
  /** Whether the bytes break off, and our side ends with them. */
  halfClose: boolean;
}

export type RequestFactory = (
  draw: RandomInput,
) => Partial<MalformedRequest> & Pick<MalformedRequest, 'bytes' | 'codes'>;

export const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Of requests that came as far as the question who asks, without a good key. */
export const UNAUTHENTICATED: readonly ProblemCode[] = [
  'missing-api-key',
  'invalid-api-key',
  'rate-limited',
];
export const INVALID: readonly ProblemCode[] = ['invalid-parameter'];

/** What would be taken for a request if lengths were misread, and be the only one that is granted. */
export const SMUGGLED = 'OPTIONS /v1/calendar/earnings HTTP/1.1\r\nHost: a\r\n\r\n';

export function randomInput(random: Random, key: string): RandomInput {
  const pick = <T>(list: readonly T[]): T => list[random.int(list.length)] as T;
  const text = (length: number, alphabet = LETTERS): string => {
    let result = '';
    for (let at = 0; at < length; at += 1) result += alphabet.charAt(random.int(alphabet.length));
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
