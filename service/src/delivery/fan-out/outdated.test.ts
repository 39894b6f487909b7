import { describe, expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { postgresStore } from '../../../test/support/stores.ts';
import {
  addCompanies,
  addEndpoint,
  claimAll,
  deliverAll,
  engineDeps,
  fanOutAll,
  publish,
  recordOutcomes,
  respondWith,
  subscribe,
} from '../../../test/support/webhook-world.ts';
import type { Db } from '../../storage/db.ts';
import { openPostgres } from '../../storage/engines/postgres/postgres.ts';
import { forward } from '../../storage/forward.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const server = await postgresStore();

// The embedded store runs one transaction at a time.
describe.skipIf('missing' in server)('a change back to the acknowledged data', () => {
  test('is sent if a claim that is not committed has read the data in between', async () => {
    if ('missing' in server) return;
    const { db } = server;
    const deps = engineDeps(db, fakeClock(NOW));
    await addEndpoint(db, 'ep');
    await addCompanies(db, ['NRTH']);
    await subscribe(deps, 'ep', ['NRTH']);
    await publish(deps, 'NRTH', { epsEstimate: '1.1' });
    await deliverAll(deps);
    await publish(deps, 'NRTH', { epsEstimate: '1.2' });
    await fanOutAll(deps);
    // A store of its own, because a transaction may not use its store.
    const other = openPostgres({ url: server.url, poolSize: 3 });
    const otherDeps = engineDeps(other, deps.clock, 2);
    const fanOuts: Promise<void>[] = [];
    const claiming = beforeClaimIsWritten(db, async () => {
      await publish(otherDeps, 'NRTH', { epsEstimate: '1.1' });
      fanOuts.push(fanOutAll(otherDeps));
      await Promise.race([...fanOuts, lockIsAwaited(other)]);
    });
    const claims = await claimAll({ ...deps, db: claiming });
    expect(claims.map(({ data }) => data)).toEqual([expect.stringContaining('1.2')]);
    await Promise.all(fanOuts);
    await recordOutcomes(deps, claims, () => respondWith(200));
    expect((await deliverAll(deps)).map(({ data }) => data['epsEstimate'])).toEqual([1.1]);
    await other.close();
    await db.close();
  });
});

/** Runs work once, in the first transaction that stores a claim, before it does. */
function beforeClaimIsWritten(db: Db, work: () => Promise<void>): Db {
  let isDone = false;
  return forward(db, {
    transaction: (run, options) =>
      db.transaction((tx) => {
        const query: typeof tx.query = async (sql, params) => {
          if (!isDone && sql.includes('insert into delivery_claim')) {
            isDone = true;
            await work();
          }
          return tx.query(sql, params);
        };
        return run({ ...tx, query });
      }, options),
  });
}

/** Resolves once a transaction waits for a lock of another. */
async function lockIsAwaited(db: Db): Promise<void> {
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await db.query(waiting)).length === 0);
}
