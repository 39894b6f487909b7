import fc from 'fast-check';
import { expect, test } from 'vitest';
import { captureResponse } from './response-capture.ts';

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function headersOf(pairs: readonly (readonly [string, string])[]): [string, string][] {
  return captureResponse(
    200,
    pairs.flat().map((text) => Buffer.from(text, 'latin1')),
  ).headers;
}

function bodyOf(...pieces: Uint8Array[]): { body: string; truncated: boolean } {
  const answer = captureResponse(200, []);
  for (const piece of pieces) answer.add(piece);
  return answer.body();
}

test('16 KiB are kept, and one byte more is cut off and said', () => {
  expect(bodyOf(bytes('a'.repeat(16_384)))).toEqual({ body: 'a'.repeat(16_384), truncated: false });
  expect(bodyOf(bytes('a'.repeat(16_384)), bytes('b'))).toEqual({
    body: 'a'.repeat(16_384),
    truncated: true,
  });
});

test('a NUL, which a store cannot hold, is replaced', () => {
  expect(bodyOf(bytes('a\0b')).body).toBe('a\uFFFDb');
  expect(headersOf([['X-A', 'a\0b']])).toEqual([['X-A', 'a\uFFFDb']]);
});

test('a letter that comes in two pieces is one letter', () => {
  const euro = bytes('€');
  expect(bodyOf(euro.subarray(0, 1), euro.subarray(1)).body).toBe('€');
});

test('what was cut off is said even when nothing more came', () => {
  const answer = captureResponse(200, []);
  answer.markTruncated();
  expect(answer.body()).toEqual({ body: '', truncated: true });
});

test('headers stay in order and as they were written, without the session of the receiver', () => {
  expect(
    headersOf([
      ['X-B', '1'],
      ['Set-Cookie', 'session=1'],
      ['x-a', 'ü'],
      ['SET-COOKIE', 'session=2'],
      ['X-B', '2'],
    ]),
  ).toEqual([
    ['X-B', '1'],
    ['x-a', 'ü'],
    ['X-B', '2'],
  ]);
});

test('32 headers are kept', () => {
  const pairs = Array.from({ length: 40 }, (_, i) => [`X-${i}`, 'a'] as const);
  expect(headersOf(pairs)).toEqual(pairs.slice(0, 32));
});

test('8 KiB of headers are kept', () => {
  const pairs = Array.from({ length: 5 }, (_, i) => [`X-${i}`, 'a'.repeat(2_000)] as const);
  expect(headersOf(pairs)).toEqual(pairs.slice(0, 4));
});

test('Retry-After is kept wherever it stands, in the place of another', () => {
  const many = Array.from({ length: 40 }, (_, i): [string, string] => [`X-${i}`, 'a']);
  const last: [string, string] = ['retry-after', '3600'];
  expect(headersOf([...many, last])).toEqual([...many.slice(0, 31), last]);
  const long = Array.from({ length: 5 }, (_, i): [string, string] => [`X-${i}`, 'a'.repeat(2_000)]);
  expect(headersOf([...long, last])).toEqual([...long.slice(0, 4), last]);
  expect(headersOf([...many, ['Retry-After', '9'.repeat(300)]])).toEqual(many.slice(0, 32));
});

test('whatever comes in, what is kept is text that a store holds, within its bounds', () => {
  const piece = fc.uint8Array({ maxLength: 9_000 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
      const { body } = bodyOf(...pieces);
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(16_384);
      expect(body).not.toContain('\0');
      expect(body.isWellFormed()).toBe(true);
    }),
  );
});
