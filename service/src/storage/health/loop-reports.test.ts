import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { memoryLog } from '../../../test/support/logs.ts';
import { LoopHealth } from '../../platform/loop-health.ts';
import { loadLoopReports, startLoopReports } from './loop-reports.ts';

onEachEngine((db) => {
  test('reports the loops of each process every ten seconds, and removes them at a clean stop', async () => {
    const clock = fakeClock(Date.parse('2026-11-20T15:00:00Z'));
    const loops = new LoopHealth(clock);
    const send = loops.add('send', 'retried');
    const deps = { db: db(), clock, log: memoryLog(), loops };
    const reports = startLoopReports({ ...deps, process: 'a 1 boot 2' });
    const other = startLoopReports({ ...deps, process: 'b 1 boot 2' });
    send.failed(new Error('no table; password=hunter22222'));
    const failing = async () => {
      await clock.advance(10_000);
      return (await loadLoopReports(db())).map(({ isFailing }) => isFailing);
    };
    await expect.poll(failing).toEqual([true, true]);
    const [row] = await loadLoopReports(db());
    expect(row).toMatchObject({
      process: 'a 1',
      loop: 'send',
      lastSuccessAt: null,
      isSilent: false,
    });
    // The process's clock differs from the store's, so only the duration is comparable.
    const failingMs = (row?.reportedAt ?? 0) - (row?.failingSince ?? 0);
    expect(failingMs % 10_000).toBe(0);
    expect(failingMs).toBeGreaterThanOrEqual(30_000);
    expect(row?.lastError).toMatch(/^no table; /);
    expect(row?.lastError).not.toContain('hunter');
    await reports.stop();
    expect((await loadLoopReports(db())).map(({ process }) => process)).toEqual(['b 1']);
    await db().query("update process_loop set reported_at = now() - interval '61 seconds'");
    expect((await loadLoopReports(db()))[0]?.isSilent).toBe(true);
    await other.stop();
  });
});
