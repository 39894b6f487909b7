import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { emptyStore } from '../../test/support/stores.ts';
import { playHistory } from '../../test/support/webhook-model.ts';
import type { StandingRule } from '../webhooks/queue/open-deliveries.ts';

const HISTORIES = Number(process.env['AFTERBELL_HISTORIES'] ?? 6);
const SEED = Number(process.env['AFTERBELL_SEED'] ?? 20_261_120);
const STEPS = 120;
const seeds = Array.from({ length: HISTORIES }, (_, index) => SEED + index);

/** What the house does not do: a change joins whatever waits, known to the receiver or not. */
const joinAlways: StandingRule = (waiting) =>
  waiting === null ? { kind: 'open' } : { kind: 'absorb', id: waiting.id };

onEachEngine((db) => {
  test.each(seeds)(
    'whoever drops repeated ids ends with what the store has, whatever is lost, late or repeated (seed %i)',
    async (seed) => {
      expect(await playHistory(db(), { seed, steps: STEPS, counts: false })).toEqual([]);
    },
    60_000,
  );

  test.each(seeds)(
    'no company ever goes back to older data at a receiver (seed %i)',
    async (seed) => {
      expect(await playHistory(db(), { seed, steps: STEPS, counts: true })).toEqual([]);
    },
    60_000,
  );

  test('a known id with other data loses the newest: these histories show it', async () => {
    const wrong: string[] = [];
    const hasLost = () => wrong.some((sentence) => sentence.includes('holds'));
    for (let seed = SEED; seed < SEED + 10 && !hasLost(); seed += 1) {
      await emptyStore(db());
      const history = { seed, steps: STEPS, counts: false, rule: joinAlways };
      wrong.push(...(await playHistory(db(), history)));
    }
    expect(hasLost()).toBe(true);
  });
});
