import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { localDate } from '../../domain/local-date.ts';
import { listMarketOverrides } from './list.ts';
import { addMarketOverride, revokeMarketOverride } from './store.ts';

const NOW = Date.UTC(2026, 10, 20, 15);

onEachEngine((db) => {
  test('lists current and revoked overrides, with the latest days first', async () => {
    const early = { kind: 'early-close', close: 780, reason: 'Storm' } as const;
    const first = { date: localDate('2026-11-23'), ...early };
    const second = { date: localDate('2026-11-24'), kind: 'closed', reason: 'Flood' } as const;
    const ids = await db().transaction(async (tx) => {
      const id = await addMarketOverride(tx, { override: first, note: 'a', operator: 'ida' }, NOW);
      const two = await addMarketOverride(
        tx,
        { override: second, note: null, operator: 'ida' },
        NOW,
      );
      await revokeMarketOverride(tx, { id, operator: 'max' }, NOW + 60_000);
      return [id, two];
    });
    expect(await listMarketOverrides(db(), { limit: 5 })).toMatchObject([
      { id: ids[1], override: second, note: null, createdBy: 'ida', revokedAt: null },
      { id: ids[0], override: first, note: 'a', revokedBy: 'max' },
    ]);
    expect(await listMarketOverrides(db(), { limit: 1 })).toHaveLength(1);
  });
});
