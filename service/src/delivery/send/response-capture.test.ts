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
  const response = captureResponse(200, []);
  for (const piece of pieces) response.add(piece);
  return response.body();
}

test('keeps the first 16 KiB of a response body and marks a longer body as truncated', () => {
  expect(bodyOf(bytes('a'.repeat(16_384)))).toEqual({ body: 'a'.repeat(16_384), truncated: false });
  expect(bodyOf(bytes('a'.repeat(16_384)), bytes('b'))).toEqual({
    body: 'a'.repeat(16_384),
    truncated: true,
  });
});

test('replaces NUL characters, which the store cannot hold', () => {
  expect(bodyOf(bytes('a\0b')).body).toBe('a\uFFFDb');
  expect(headersOf([['X-A', 'a\0b']])).toEqual([['X-A', 'a\uFFFDb']]);
});

test('decodes a character that is split across two body chunks', () => {
  const euro = bytes('€');
  expect(bodyOf(euro.subarray(0, 1), euro.subarray(1)).body).toBe('€');
});

test('marks a body as truncated if the response was cut off before any data arrived', () => {
  const response = captureResponse(200, []);
  response.markTruncated();
  expect(response.body()).toEqual({ body: '', truncated: true });
});

test('keeps the order and case of response headers but drops the receiver’s cookies', () => {
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

test('keeps at most 32 response headers', () => {
  const pairs = Array.from({ length: 40 }, (_, i) => [`X-${i}`, 'a'] as const);
  expect(headersOf(pairs)).toEqual(pairs.slice(0, 32));
});

test('keeps at most 8 KiB of response headers', () => {
  const pairs = Array.from({ length: 5 }, (_, i) => [`X-${i}`, 'a'.repeat(2_000)] as const);
  expect(headersOf(pairs)).toEqual(pairs.slice(0, 4));
});

test('keeps the Retry-After header regardless of its position, dropping another header if necessary', () => {
  const manyHeaders = Array.from({ length: 40 }, (_, i): [string, string] => [`X-${i}`, 'a']);
  const last: [string, string] = ['retry-after', '3600'];
  expect(headersOf([...manyHeaders, last])).toEqual([...manyHeaders.slice(0, 31), last]);
  const long = Array.from({ length: 5 }, (_, i): [string, string] => [`X-${i}`, 'a'.repeat(2_000)]);
  expect(headersOf([...long, last])).toEqual([...long.slice(0, 4), last]);
  expect(headersOf([...manyHeaders, ['Retry-After', '9'.repeat(300)]])).toEqual(
    manyHeaders.slice(0, 32),
  );
});

test('captures only text that the store can hold, within the limits, for any input', () => {
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
