import fc from 'fast-check';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import {
  changeOf,
  newestId,
  NOW,
  openStreamWorld,
  PLAN,
} from '../../../test/support/stream-world.ts';
import type { ApiKey } from '../../accounts/keys/api-key.ts';
import { startChangeEpoch } from '../../datasets/changes/epochs.ts';

onEachEngine((db) => {
  test('sends every change once, in order, through restarts, dropped connections and slow readers', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ commit: fc.array(fc.nat(5), { maxLength: 6 }) }) },
      fc.constantFrom('drop', 'restart', 'block', 'drain', 'wait', 'lose a wake-up'),
    );
    const filter = fc.constantFrom('', 'symbols=NRTH,VLY', 'dataset=earnings', 'symbols=OLDN');
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 25 }),
        filter,
        async (steps, query) => {
          const world = openStreamWorld(db());
          const start = await newestId(db());
          const client = world.connect(`${query}&since=${start}`);
          for (const one of steps) {
            if (typeof one === 'object') await world.commit(one.commit.map(changeOf));
            else if (one === 'drop') await client.reconnect();
            else if (one === 'restart') await world.restart();
            else if (one === 'block') client.block();
            else if (one === 'drain') client.drain();
            else if (one === 'wait') await world.wait(2_000);
            else await world.commit([changeOf(0)], { isAnnounced: false });
          }
          client.drain();
          await client.reconnect();
          await world.settle();
          expect(client.rows()).toEqual(await world.list(`${query}&since=${start}`));
          world.streams().close();
        },
      ),
      { numRuns: db().engine === 'pglite' ? 40 : 15 },
    );
  });

  test('starts with the next change, tells its position at once, and keeps it current without events', async () => {
    const world = openStreamWorld(db());
    await world.commit([changeOf(0)]);
    const client = world.connect('symbols=VLY');
    await world.settle();
    const start = await newestId(db());
    expect(client.text()).toBe(`retry: 3000\n\nid: ${start}\n\n`);
    await world.commit([changeOf(0)]);
    await world.clock.advance(16_000);
    expect(client.text()).toContain(`\n\nid: ${await newestId(db())}\n\n`);
    await world.clock.advance(16_000);
    expect(client.text().endsWith('\n\n:\n\n')).toBe(true);
    expect(client.rows()).toEqual([]);
  });

  test('stops writing to a client that does not read, and resumes where it stopped', async () => {
    const world = openStreamWorld(db());
    const client = world.connect('');
    await world.settle();
    client.block();
    await world.commit([changeOf(0)]);
    const size = client.text().length;
    for (let i = 0; i < 5; i += 1)
      await world.commit(Array.from({ length: 100 }, () => changeOf(1)));
    await world.clock.advance(60_000);
    expect(client.text().length).toBe(size);
    client.drain();
    await world.settle();
    expect(client.rows()).toHaveLength(501);
  });

  test('omits reports before the history of the plan, as the list does', async () => {
    const world = openStreamWorld(db(), { plan: { ...PLAN, historyMonths: 12 } });
    const client = world.connect('');
    await world.settle();
    const since = await newestId(db());
    const dates = ['2026-11-21', '2024-01-02', null];
    await world.commit(
      dates.map((date) => ({ ...changeOf(0), fields: { date: { from: null, to: date } } })),
    );
    expect(client.rows()).toHaveLength(1);
    expect(client.rows()).toEqual(await world.list(`since=${since}`));
  });

  test('ends a stream within a second of a revocation, a suspension or a smaller plan', async () => {
    for (const change of [
      { revokedAt: NOW },
      { suspendedAt: NOW },
      { disabledAt: NOW },
      { expiresAt: NOW },
      { scopes: ['manage'] },
      { allowedCidrs: ['198.51.100.0/24'] },
      { plan: { ...PLAN, perMinute: 0 } },
    ] as const satisfies Partial<ApiKey>[]) {
      const world = openStreamWorld(db());
      const client = world.connect('');
      await world.clock.advance(3_000);
      expect(client.isEnded()).toBe(false);
      world.changeKey(change);
      await world.clock.advance(1_000);
      expect(client.isEnded(), JSON.stringify(change)).toBe(true);
      expect(world.streams().counts().open).toBe(0);
    }
  });
});

onEachEngine((db) => {
  test('counts a connection once, and refuses a wrong position and more streams than the plan allows', async () => {
    const costs: string[] = [];
    const world = openStreamWorld(db(), { plan: { ...PLAN, perMinute: 1 }, costs });
    const client = world.connect('');
    await world.settle();
    await world.commit([changeOf(0)]);
    expect(costs).toEqual(['all']);
    const refused = await world.request('');
    expect([refused.status, JSON.parse(String(refused.body))]).toMatchObject([
      503,
      { code: 'temporary-reduced-capacity', detail: expect.stringContaining('is 1 per customer') },
    ]);
    await client.drop();
    const invalid = await world.request('', { 'last-event-id': 'chg_1' });
    expect([invalid.status, JSON.parse(String(invalid.body))]).toMatchObject([
      400,
      { code: 'invalid-parameter', parameter: 'Last-Event-ID' },
    ]);
    const head = await world.request('', {}, 'HEAD');
    expect([head.status, head.openStream, costs]).toEqual([
      200,
      undefined,
      ['all', 'minute', 'minute', 'all'],
    ]);
    expect(await world.request('', { accept: 'application/json' })).toMatchObject({ status: 406 });
  });
});

onEachEngine((db) => {
  test('ends streams at the first change of a new epoch, and refuses a position of the lost history', async () => {
    const world = openStreamWorld(db());
    const client = world.connect('');
    await world.settle();
    await world.commit([changeOf(0), changeOf(1)]);
    const sent = client.rows().length;
    const lost = await newestId(db());
    // The store is restored to a state without the last change.
    await db().query('delete from change_record where id = (select max(id) from change_record)');
    const kept = await newestId(db());
    await db().transaction((tx) => startChangeEpoch(tx, { reason: 'failover', now: NOW }));
    await world.commit([changeOf(2)]);
    expect(client.isEnded()).toBe(true);
    expect(client.rows()).toHaveLength(sent);
    for (const headers of [{ 'last-event-id': lost }, {}]) {
      const refused = await world.request(`since=${lost}`, headers);
      const parameter = 'last-event-id' in headers ? 'Last-Event-ID' : 'since';
      expect([refused.status, JSON.parse(String(refused.body))]).toMatchObject([
        410,
        { code: 'position-lost', parameter, resumeAfter: kept },
      ]);
    }
    const resumed = world.connect(`since=${kept}`);
    await world.settle();
    expect(resumed.rows()).toHaveLength(1);
  });
});
