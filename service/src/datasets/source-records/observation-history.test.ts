import { expect, test } from 'vitest';
import {
  latest,
  latestBefore,
  recordIds,
  unchangedSince,
  type ObservationHistory,
} from './observation-history.ts';

interface Said {
  eps?: string | null;
}

test('the latest word is the last one; a thread is never empty', () => {
  expect(latest(history('1.0', '1.1')).fields.eps).toBe('1.1');
  expect(() => latest(history())).toThrow(RangeError);
});

test('before an instant the last word strictly earlier counts', () => {
  const said = history('1.0', '1.1', '1.2');
  expect(latestBefore(said, 2)?.fields.eps).toBe('1.1');
  expect(latestBefore(said, 3)?.fields.eps).toBe('1.2');
  expect(latestBefore(said, 0)).toBeNull();
});

test('before an instant words that do not speak of the matter are passed over', () => {
  const said = history('1.0', undefined, undefined);
  expect(latestBefore(said, 3, ({ eps }) => eps !== undefined)?.at).toBe(0);
  expect(latestBefore(history(undefined), 3, ({ eps }) => eps !== undefined)).toBeNull();
});

test.each([
  ['the first sighting of the last run of equal values', ['1', '2', '2', '2'], 1],
  ['not an equal value before another one', ['2', '1', '2'], 2],
  ['a silence does not break the run', ['1', '2', undefined, '2'], 1],
  ['that it is unknown is a value', ['2', null, null], 1],
  ['and breaks a run', ['2', null, '2'], 2],
])('said since: %s', (_, values, expected) => {
  const said = history(...values);
  expect(unchangedSince(said, latest(said), ({ eps }) => eps)).toBe(expected);
});

test('said since, up to a word that was not the last', () => {
  const said = history('1', '2', '2', '3');
  const [, , third] = said.observations;
  if (third === undefined) throw new Error('no third sighting');
  expect(unchangedSince(said, third, ({ eps }) => eps)).toBe(1);
});

test('said since, up to a word of another thread, is a mistake', () => {
  const copy = { ...latest(history('1')) };
  expect(() => unchangedSince(history('1'), copy, ({ eps }) => eps)).toThrow(RangeError);
});

test('a record that was seen again is one record', () => {
  expect(recordIds(history('1', '2', '1'))).toEqual(new Set([1, 2]));
});

/** A thread with one sighting a millisecond, from 0 on; equal values are of one record. */
function history(...values: readonly (string | null | undefined)[]): ObservationHistory<Said> {
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
