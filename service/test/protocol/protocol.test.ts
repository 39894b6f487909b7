import { describe, expect, test } from 'vitest';
import { onEachEngine } from '../support/each-engine.ts';
import { runSeed, runSize } from '../support/run-size.ts';
import type { PendingRule } from '../../src/webhooks/queue/open-deliveries.ts';
import { type HistoryEvent, playHistory } from '../support/webhook-model.ts';
import { explore } from './explore-protocol.ts';
import type { Bug } from './protocol-state.ts';
import { replayHistory } from './replay-history.ts';

const SLICE = { workers: 2, endpoints: 1, changes: 3, failures: 1, crashes: 2 };
const BOUNDS = runSize({
  slice: SLICE,
  whole: { workers: 3, endpoints: 2, changes: 4, failures: 1, crashes: 1 },
});
const STEPS = runSize({ slice: 120, whole: 600 });
const TIMEOUT = { timeout: runSize({ slice: 30_000, whole: 3_600_000 }) };

describe('delivery protocol', () => {
  test('keeps every guarantee in every order of its steps', TIMEOUT, () => {
    const { states, violation } = explore(BOUNDS);
    expect(violation).toBeNull();
    expect(states).toBeGreaterThan(10_000);
  });

  const planted: [Bug, RegExp][] = [
    ['supersede-off', /misses the newest data/],
    ['intent-not-durable', /an id arrived with other data/],
    ['fencing-off', /two deliveries are in flight/],
    ['endpoint-lock-off', /misses the newest data/],
  ];
  test.each(planted)('finds the planted bug %s', TIMEOUT, (bug, expected) => {
    expect(explore({ ...SLICE, bug }).violation).toMatch(expected);
  });
});

onEachEngine((db) => {
  const record = async (rule?: PendingRule): Promise<(string | null)[]> => {
    const events = new Map<string, HistoryEvent[]>();
    const seed = runSeed();
    await playHistory(db(), { seed, steps: STEPS, counts: true, rule, events });
    return [...events.values()].map(replayHistory);
  };

  test('allows everything that the engine does in a random history', TIMEOUT, async () => {
    expect(await record()).toEqual([null, null, null, null]);
  });

  test(
    'rejects the history of an engine that joins every change to a pending delivery',
    TIMEOUT,
    async () => {
      const joinAlways: PendingRule = (pending) =>
        pending === null ? { kind: 'open' } : { kind: 'absorb', id: pending.id };
      expect((await record(joinAlways)).join('')).toContain('"kind":"claim"');
    },
  );
});
