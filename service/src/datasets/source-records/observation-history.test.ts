import { expect, test } from 'vitest';
import {
  latest,
  latestBefore,
  recordIds,
  unchangedSince,
  type ObservationHistory,
} from './observation-history.ts';

interface Fields {
  eps?: string | null;
}

test('returns the last observation of a history, which is never empty', () => {
  expect(latest(history('1.0', '1.1')).fields.eps).toBe('1.1');
  expect(() => latest(history())).toThrow(RangeError);
});

test('returns the last observation strictly before a given instant', () => {
  const values = history('1.0', '1.1', '1.2');
  expect(latestBefore(values, 2)?.fields.eps).toBe('1.1');
  expect(latestBefore(values, 3)?.fields.eps).toBe('1.2');
  expect(latestBefore(values, 0)).toBeNull();
});

test('skips earlier observations that do not have the requested field', () => {
  const values = history('1.0', undefined, undefined);
  expect(latestBefore(values, 3, ({ eps }) => eps !== undefined)?.at).toBe(0);
  expect(latestBefore(history(undefined), 3, ({ eps }) => eps !== undefined)).toBeNull();
});

test.each([
  ['from the first observation of the last run of equal values', ['1', '2', '2', '2'], 1],
  ['not from an equal value before another one', ['2', '1', '2'], 2],
  ['through observations without the value', ['1', '2', undefined, '2'], 1],
  ['with null as a value', ['2', null, null], 1],
  ['with null as an interruption', ['2', null, '2'], 2],
])('returns the time since which a value has been unchanged: %s', (_, values, expected) => {
  const said = history(...values);
  expect(unchangedSince(said, latest(said), ({ eps }) => eps)).toBe(expected);
});

test('returns the time since which a value had been unchanged at an observation that is not the last', () => {
  const values = history('1', '2', '2', '3');
  const [, , third] = values.observations;
  if (third === undefined) throw new Error('no third observation');
  expect(unchangedSince(values, third, ({ eps }) => eps)).toBe(1);
});

test('throws for an observation that belongs to a different history', () => {
  const copy = { ...latest(history('1')) };
  expect(() => unchangedSince(history('1'), copy, ({ eps }) => eps)).toThrow(RangeError);
});

test('returns a single id for a record that was observed repeatedly', () => {
  expect(recordIds(history('1', '2', '1'))).toEqual(new Set([1, 2]));
});

/**
 * Builds a history with one observation per millisecond, starting at 0. Equal values share a
 * record.
 */
function history(...values: readonly (string | null | undefined)[]): ObservationHistory<Fields> {
  return {
    provider: 'sec',
    feed: 'list',
    entityKey: 'NRTH',
    naturalKey: 'k',
    observations: values.map((eps, at) => ({
      at,
      recordId: values.indexOf(eps) + 1,
      fields: eps === undefined ? {} : { eps },
    })),
  };
}
