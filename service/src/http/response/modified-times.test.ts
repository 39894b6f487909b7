import { expect, it } from 'vitest';
import { parseInstant } from '../../platform/instant.ts';
import { ModifiedTimes } from './modified-times.ts';

const NOW = parseInstant('2026-11-20T15:04:05.700Z') ?? 0;
const SECOND = parseInstant('2026-11-20T15:04:05Z') ?? 0;

it('keeps the time of a body until the body changes', () => {
  const times = new ModifiedTimes();
  expect(times.modifiedAt('/a', 'first', NOW)).toBe(SECOND);
  expect(times.modifiedAt('/a', 'first', NOW + 60_000)).toBe(SECOND);
  expect(times.modifiedAt('/a', 'second', NOW + 90_000)).toBe(SECOND + 90_000);
  expect(times.modifiedAt('/b', 'first', NOW + 95_000)).toBe(SECOND + 95_000);
});

it('gives bodies that change within a second different times, also a body that returns', () => {
  const times = new ModifiedTimes();
  const all = ['first', 'second', 'first'].map((tag) => times.modifiedAt('/a', tag, NOW));
  expect(all).toEqual([SECOND, SECOND + 1000, SECOND + 2000]);
});

it('forgets the location that was computed longest ago, which then has a later time', () => {
  const times = new ModifiedTimes();
  times.modifiedAt('/old', 'body', NOW);
  times.modifiedAt('/used', 'body', NOW);
  for (let n = 0; n < 19_998; n += 1) times.modifiedAt(`/${n}`, 'body', NOW);
  times.modifiedAt('/used', 'body', NOW);
  times.modifiedAt('/new', 'body', NOW);
  expect(times.modifiedAt('/used', 'body', NOW + 60_000)).toBe(SECOND);
  expect(times.modifiedAt('/old', 'body', NOW + 60_000)).toBe(SECOND + 60_000);
});
