import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import {
  claimAll,
  fanOutAll,
  publish,
  subscribedWorld,
} from '../../../test/support/webhook-world.ts';
import type { Db } from '../../storage/db.ts';
import { checkLoops, checkQueue } from './check-loops.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');

async function report(db: Db, loop: string, row: { error?: string; age?: string }): Promise<void> {
  const { error = null, age = '0 s' } = row;
  await db.query(
    `insert into process_loop (process, loop, failing_since, last_error, is_failing, reported_at)
     values ('host 7 boot 1', $1, case when $2::text is not null then timestamptz '2026-11-16 14:00Z' end,
             $2, $2::text is not null, now() - $3::interval)`,
    [loop, error, age],
  );
}

onEachEngine((db) => {
  test('names a failing loop with its process and last error', async () => {
    expect(await checkLoops({ db: db(), now: NOW })).toMatchObject([{ state: 'skipped' }]);
    await report(db(), 'fan-out', {});
    expect(await checkLoops({ db: db(), now: NOW })).toMatchObject([{ state: 'ok' }]);
    await report(db(), 'send', { error: 'permission denied for table delivery' });
    expect(await checkLoops({ db: db(), now: NOW })).toMatchObject([
      {
        state: 'broken',
        message:
          'the loop "send" of process host 7 fails since 2026-11-16T14:00:00Z: permission denied for table delivery',
      },
    ]);
  });

  test('says that no process reports any more', async () => {
    await report(db(), 'send', { age: '61 s' });
    const [check] = await checkLoops({ db: db(), now: NOW });
    expect(check).toMatchObject({ state: 'broken' });
    expect(check?.message).toContain(
      'no process has reported for a minute; the last one was host 7',
    );
  });

  test('reports deliveries that have been due for more than a minute, as long as nothing is in flight', async () => {
    const { deps, clock } = await subscribedWorld(db(), { now: NOW });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    await clock.advance(60_000);
    const check = () => checkQueue({ db: db(), now: clock.now() });
    expect(await check()).toMatchObject({ state: 'ok' });
    await clock.advance(60_000);
    expect(await check()).toMatchObject({
      state: 'broken',
      message: '1 webhook deliveries are due, the oldest for 2 min, and 0 are in flight',
      fix: expect.stringContaining('no process sends'),
    });
    await claimAll(deps);
    expect(await check()).toMatchObject({ state: 'ok' });
  });
});
