import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { createLaneMemory } from './lane-memory.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');

test('what a look found serves the three claims after its own', () => {
  const memory = createLaneMemory<string>(fakeClock(NOW));
  expect(memory.recall()).toBeNull();
  memory.keep('found');
  expect([1, 2, 3, 4].map(() => memory.recall())).toEqual(['found', 'found', 'found', null]);
});

test('what a look found is old after a quarter of a second', async () => {
  const clock = fakeClock(NOW);
  const memory = createLaneMemory<string>(clock);
  memory.keep('found');
  await clock.advance(249);
  expect(memory.recall()).toBe('found');
  await clock.advance(1);
  expect(memory.recall()).toBeNull();
});

test('what is forgotten is looked for again, and the next look begins a round', () => {
  const memory = createLaneMemory<string>(fakeClock(NOW));
  memory.keep('first');
  memory.recall();
  memory.forget();
  expect(memory.recall()).toBeNull();
  memory.keep('second');
  expect([1, 2, 3].map(() => memory.recall())).toEqual(['second', 'second', 'second']);
});
