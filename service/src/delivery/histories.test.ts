import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { emptyStore } from '../../test/support/stores.ts';
import { playHistory } from '../../test/support/webhook-model.ts';
import type { PendingRule } from '../webhooks/queue/open-deliveries.ts';

const HISTORIES = Number(process.env['AFTERBELL_HISTORIES'] ?? 3);
const SEED = Number(process.env['AFTERBELL_SEED'] ?? 20_261_120);
const STEPS = 120;
const seeds = Array.from({ length: HISTORIES }, (_, index) => SEED + index);

/**
 * Unlike the default rule, adds a change to any pending delivery, even one that may have been sent.
 */
const joinAlways: PendingRule = (pending) =>
  pending === null ? { kind: 'open' } : { kind: 'absorb', id: pending.id };

onEachEngine((db) => {
  test.each(seeds)(
    'leaves a receiver that drops repeated ids with the latest stored data, even if responses are lost, late or repeated (seed %i)',
    async (seed) => {
      expect(await playHistory(db(), { seed, steps: STEPS, counts: false })).toEqual([]);
    },
    60_000,
  );

  test.each(seeds)(
    'never sends a receiver older data for a company after newer data (seed %i)',
    async (seed) => {
      expect(await playHistory(db(), { seed, steps: STEPS, counts: true })).toEqual([]);
    },
    60_000,
  );

  test('demonstrates that reusing an id for different data loses the latest data', async () => {
    const violations: string[] = [];
    const hasLost = () => violations.some((violation) => violation.includes('lost data'));
    for (let seed = SEED; seed < SEED + 10 && !hasLost(); seed += 1) {
      await emptyStore(db());
      const history = { seed, steps: STEPS, counts: false, rule: joinAlways };
      violations.push(...(await playHistory(db(), history)));
    }
    expect(hasLost()).toBe(true);
  });
});
