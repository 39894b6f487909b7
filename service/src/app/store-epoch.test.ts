import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { memoryLog } from '../../test/support/logs.ts';
import { parameterValues } from '../../test/support/parameter-values.ts';
import {
  claimAll,
  deliverAll,
  deliveryRows,
  fanOutAll,
  publish,
  subscribedWorld,
} from '../../test/support/webhook-world.ts';
import { newestChangeId } from '../datasets/changes/tail.ts';
import { endpoint as changes } from '../endpoints/changes.ts';
import { formatPosition } from '../endpoints/rows/change-row.ts';
import type { Db } from '../storage/db.ts';
import { PENDING_EPOCH_MARKER, readMarker, setMarker } from '../storage/marker.ts';
import { template } from '../webhooks/templates/earnings-schedule.ts';
import { startEpoch, startEpochIfHistoryChanged } from './store-epoch.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');

onEachEngine((db) => {
  test('rejects positions of a lost history and names the last change that both histories have', async () => {
    const { deps } = await subscribedWorld(db(), { now: NOW });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    const kept = await newestChangeId(db());
    const { firstChangeId } = await startEpoch(db(), 'restore', deps.clock);
    expect(await follow(db(), kept)).toEqual([]);
    // The follower had received five more changes when the store was lost.
    expect(await follow(db(), kept + 5)).toBe(formatPosition(kept));
    await publish(deps, 'NRTH', { epsEstimate: '1.4' });
    expect(await newestChangeId(db())).toBe(firstChangeId);
    expect(await follow(db(), kept + 5)).toBe(formatPosition(kept));
    expect(await follow(db(), firstChangeId - 1)).toBe(formatPosition(kept));
    expect(await follow(db(), kept)).toEqual([formatPosition(firstChangeId)]);
    expect(await follow(db(), firstChangeId)).toEqual([]);
  });

  test('rejects a position after the newest change even if no epoch is known', async () => {
    const { deps } = await subscribedWorld(db(), { now: NOW });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    const newest = await newestChangeId(db());
    expect(await follow(db(), newest + 1)).toBe(formatPosition(newest));
  });

  test('gives different ids to two epochs that start from the same backup', async () => {
    const { deps, clock } = await subscribedWorld(db(), { now: NOW });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    const first = await startEpoch(db(), 'restore', clock);
    await clock.advance(2_000);
    await db().query('delete from store_epoch');
    const second = await startEpoch(db(), 'restore', clock);
    expect(second.lastChangeId).toBe(first.lastChangeId);
    expect(second.firstChangeId).toBeGreaterThan(first.firstChangeId);
  });

  test('replaces pending deliveries by new ids that name all fields', async () => {
    const { deps } = await subscribedWorld(db(), { now: NOW });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    const [pending] = await deliveryRows(db());
    // The lost history sent this id with later data.
    await startEpoch(db(), 'restore', deps.clock);
    const [sent, ...others] = await deliverAll(deps);
    expect(others).toEqual([]);
    expect(sent?.id).not.toBe(pending?.id);
    expect(sent?.changed_fields).toEqual(template.fields);
    const rows = await deliveryRows(db());
    expect(rows.find(({ id }) => id === pending?.id)?.state).toBe('superseded');
  });

  test('records attempts in flight as unknown and replaces their deliveries', async () => {
    const { deps } = await subscribedWorld(db(), { now: NOW });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    const [attempt] = await claimAll(deps);
    await startEpoch(db(), 'failover', deps.clock);
    const [sent] = await deliverAll(deps);
    expect(sent?.id).not.toBe(attempt?.id);
    expect(sent?.changed_fields).toEqual(template.fields);
    const attempts = await db().query(
      `select delivery_id, state from delivery_attempt where delivery_id = $1`,
      [attempt?.id ?? ''],
    );
    expect(attempts).toEqual([{ delivery_id: attempt?.id, state: 'unknown' }]);
  });

  test('names all fields in the next delivery of a subscription without a pending one, once', async () => {
    const { deps } = await subscribedWorld(db(), { now: NOW });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await deliverAll(deps);
    await startEpoch(db(), 'restore', deps.clock);
    expect(await deliverAll(deps)).toEqual([]);
    await publish(deps, 'NRTH', { epsEstimate: '1.4' });
    expect((await deliverAll(deps))[0]?.changed_fields).toEqual(template.fields);
    await publish(deps, 'NRTH', { epsEstimate: '1.5' });
    expect((await deliverAll(deps))[0]?.changed_fields).toEqual(['epsEstimate']);
  });

  test('ends leases that the lost history may have granted again', async () => {
    await db().query(
      `insert into ingest_lease (name, token, beat, holder) values ('source', 7, 3, 'other 1')`,
    );
    await startEpoch(db(), 'failover', fakeClock(NOW));
    const [lease] = await db().query<{ token: number; holder: string | null }>(
      'select token, holder from ingest_lease',
    );
    expect(lease?.holder).toBeNull();
    expect(lease?.token).toBeGreaterThan(1_000);
  });

  test('starts the epoch of an interrupted restore at the next start, once', async () => {
    const { clock } = await subscribedWorld(db(), { now: NOW });
    const log = memoryLog();
    await startEpochIfHistoryChanged({ db: db(), clock, log });
    expect(await epochs(db())).toEqual([]);
    await setMarker(db(), PENDING_EPOCH_MARKER, 'restore');
    for (let i = 0; i < 2; i += 1) await startEpochIfHistoryChanged({ db: db(), clock, log });
    expect(await epochs(db())).toEqual([{ reason: 'restore' }]);
    expect(await readMarker(db(), PENDING_EPOCH_MARKER)).toBeNull();
  });

  test('starts an epoch when PostgreSQL continues on another timeline, once for all processes', async ({
    skip,
  }) => {
    if (db().engine === 'pglite') skip('the embedded store has no timelines');
    const error = (): never => {
      throw new Error('no process may fail');
    };
    const deps = { db: db(), clock: fakeClock(NOW), log: { warn: () => undefined, error } };
    await startEpochIfHistoryChanged(deps);
    expect(await readMarker(db(), 'server-history')).toMatch(/^\d+\/[0-9A-F]{8}$/);
    await setMarker(db(), 'server-history', '1/00000001');
    await Promise.all([startEpochIfHistoryChanged(deps), startEpochIfHistoryChanged(deps)]);
    expect(await epochs(db())).toEqual([{ reason: 'failover' }]);
  });
});

function epochs(db: Db): Promise<{ reason: string }[]> {
  return db.query<{ reason: string }>('select reason from store_epoch');
}

/** Returns the ids after a change, or the position at which a follower who lost it resumes. */
async function follow(db: Db, afterId: number): Promise<string[] | string> {
  const values = parameterValues({ since: formatPosition(afterId), limit: 1_000 });
  const response = await changes.handle(values, { db, now: NOW });
  if (response.kind === 'position-lost') return response.resumeAfter;
  if (response.kind !== 'body') throw new Error(response.kind);
  return (response.body as { id: string }[]).map(({ id }) => id);
}
