import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { ServerClocks } from './server-clocks.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');
const DAY_MS = 86_400_000;

test.each([30 * DAY_MS, -30 * DAY_MS, 6 * 60_000])(
  'finds our clock wrong by %d ms once the clock of a server has run on beside it',
  async (aheadMs) => {
    const clock = fakeClock(NOW + aheadMs);
    const clocks = new ServerClocks(clock);
    expect(clocks.judge('a.example', NOW)).toBe('unsure');
    await clock.advance(3_000);
    expect(clocks.judge('a.example', NOW + 3_000)).toBe('wrong');
    expect(clocks.judge('a.example', NOW + 3_000)).toBe('wrong');
    expect(clocks.judge('b.example', NOW + 3_000)).toBe('wrong');
  },
);

test('ignores a date from a cache, which does not advance', async () => {
  const clock = fakeClock(NOW);
  const clocks = new ServerClocks(clock);
  expect(clocks.judge('a.example', NOW - 3_600_000)).toBe('unsure');
  await clock.advance(3_000);
  expect(clocks.judge('a.example', NOW - 3_600_000)).toBe('right');
  await clock.advance(60_000);
  expect(clocks.judge('a.example', NOW - 1_800_000)).toBe('right');
});

test('believes one server that agrees with our clock more than others that do not', async () => {
  const clock = fakeClock(NOW);
  const clocks = new ServerClocks(clock);
  expect(clocks.judge('right.example', NOW + 240_000)).toBe('right');
  for (let seconds = 0; seconds < 30; seconds += 10) {
    expect(clocks.judge('wrong.example', clock.now() - DAY_MS)).toBe('right');
    await clock.advance(10_000);
  }
});

test('finds our clock right again as soon as it is corrected', async () => {
  const clock = fakeClock(NOW);
  let aheadMs = DAY_MS;
  const clocks = new ServerClocks({ ...clock, now: () => clock.now() + aheadMs });
  clocks.judge('a.example', NOW);
  await clock.advance(5_000);
  expect(clocks.judge('a.example', NOW + 5_000)).toBe('wrong');
  // A date from a cache changes nothing.
  expect(clocks.judge('a.example', NOW - 60_000)).toBe('wrong');
  aheadMs = 0;
  expect(clocks.judge('a.example', NOW + 5_000)).toBe('right');
});
