import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { loadResponseTimes } from '../datasets/runs/store.ts';
import { createRunLog, failedRun } from './run-log.ts';

const NOW = Date.UTC(2026, 10, 20);
const DAY_MS = 86_400_000;

onEachEngine((db) => {
  test('deletes old run and commit records once an hour: runs after 30 days, commits after two days', async () => {
    const clock = fakeClock(NOW);
    const runs = createRunLog({ db: db(), clock });
    const failed = { provider: 'a', url: 'https://a.example/', durationMs: 1, reason: 'away' };
    const note = (startedAt: number) => runs.record(failedRun({ ...failed, startedAt }));
    // Inserts a commit for every hour, the last one now.
    await db().query(
      `insert into commit_log (topics, committed_at)
       select array['quotes'], to_timestamp($1 / 1000.0) - (3000 - n) * interval '1 hour'
         from generate_series(1, 3000) n`,
      [NOW],
    );
    await note(NOW - 31 * DAY_MS);
    await note(NOW);
    const count = async (table: string) => (await db().query(`select 1 from ${table}`)).length;
    // The last thousand commits remain, regardless of age.
    expect([await count('ingest_run'), await count('commit_log')]).toEqual([1, 1_000]);
  });

  test("loads the time of a feed's last response by URL, which requests without response do not change", async () => {
    const runs = createRunLog({ db: db(), clock: fakeClock(NOW) });
    const url = 'https://b.example/x';
    const failed = { provider: 'b', url, durationMs: 1, reason: 'timeout' };
    for (const startedAt of [NOW - 3 * DAY_MS, NOW - 2 * DAY_MS]) {
      const run = { ...failedRun({ ...failed, startedAt }), feed: 'list' };
      await runs.record({ ...run, outcome: 'ingested', reason: null });
    }
    await runs.record(failedRun({ ...failed, startedAt: NOW }));
    const query = { provider: 'b', feed: 'list', since: NOW - 28 * DAY_MS };
    expect(await loadResponseTimes(db(), query)).toEqual(new Map([[url, NOW - 2 * DAY_MS]]));
    expect(await loadResponseTimes(db(), { ...query, since: NOW })).toEqual(new Map());
  });
});
