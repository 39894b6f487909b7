import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { createDueEndpointCache } from './lane-memory.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');

test('what a look found serves the three claims after its own', () => {
  const memory = createDueEndpointCache<string>(fakeClock(NOW));
  expect(memory.get()).toBeNull();
  memory.set('found');
  expect([1, 2, 3, 4].map(() => memory.get())).toEqual(['found', 'found', 'found', null]);
});

test('what a look found is old after a quarter of a second', async () => {
  const clock = fakeClock(NOW);
  const memory = createDueEndpointCache<string>(clock);
  memory.set('found');
  await clock.advance(249);
  expect(memory.get()).toBe('found');
  await clock.advance(1);
  expect(memory.get()).toBeNull();
});

test('what is forgotten is looked for again, and the next look begins a round', () => {
  const memory = createDueEndpointCache<string>(fakeClock(NOW));
  memory.set('first');
  memory.get();
  memory.clear();
  expect(memory.get()).toBeNull();
  memory.set('second');
  expect([1, 2, 3].map(() => memory.get())).toEqual(['second', 'second', 'second']);
});
