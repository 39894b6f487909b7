import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { saveFailoverReport } from '../../storage/health/failover-reports.ts';
import { checkFailovers } from './check-failovers.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const REPORT = { history: '7/00000002', comparedAt: NOW, compared: 9, isComplete: true };

onEachEngine((db) => {
  test('lists what a failover lost, and each action to repeat', async () => {
    const check = async () => checkFailovers({ db: db(), now: NOW });
    expect(await check()).toEqual([]);
    const kept = { ...REPORT, process: 'host 1 boot 1', lost: {}, entries: [] };
    expect(await saveFailoverReport(db(), kept)).toBe(true);
    expect(await saveFailoverReport(db(), kept)).toBe(false);
    expect(await check()).toMatchObject([{ state: 'ok' }]);
    await saveFailoverReport(db(), {
      ...REPORT,
      process: 'host 2 boot 1',
      lost: { action: 1, count: 7 },
      entries: [
        {
          kind: 'action',
          id: 4,
          at: NOW,
          committedAt: NOW,
          action: 'key.revoke',
          address: null,
          actor: 'person ada@example.com',
          subject: 'key_1',
          customerId: 'cus_1',
        },
      ],
    });
    expect((await check()).map(({ state, message }) => [state, message])).toEqual([
      [
        'warning',
        'the failover before 2026-11-16T15:00:00Z lost 1 actions, 7 counted requests that had been ' +
          'acknowledged to process host 2',
      ],
      ['warning', 'lost at 2026-11-16T15:00:00Z: key.revoke key_1 by person ada@example.com'],
    ]);
    expect(await checkFailovers({ db: db(), now: NOW + 8 * 86_400_000 })).toEqual([]);
  });
});
