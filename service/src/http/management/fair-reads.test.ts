import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { ORIGIN, startManagement } from '../../../test/support/management-server.ts';
import { FairQueue } from '../../platform/fair-queue.ts';
import { forward } from '../../storage/forward.ts';
import { type Call, defineRoute, done } from './route.ts';

onEachEngine((db) => {
  test('runs the read of a bystander after at most one query of a customer with 24 reads in parallel', async () => {
    let nowMs = 0;
    const steps: string[] = [];
    const gate = Promise.withResolvers<void>();
    const route = defineRoute({
      name: 'steps-read',
      method: 'GET',
      path: '/account/v1/steps',
      summary: 'Run some queries',
      access: 'keys.list',
      status: 200,
      response: Type.Unknown(),
      async handle({ deps, customerId }) {
        for (let step = 0; step < 4; step += 1) {
          await deps.db.query('select 1');
          await gate.promise;
          steps.push(customerId);
          nowMs += customerId === bystander ? 1 : 500;
        }
        return done({});
      },
    });
    const clock = { monotonicMs: () => nowMs };
    const queue = new FairQueue({ clock, concurrency: 1, perKeyMax: 1 });
    const world = await startManagement(db(), { moreRoutes: [route], queue });
    const attacker = await world.customer('Attacker');
    const bystander = await world.customer('Bystander');
    const people = [1, 2, 3].map(() => world.person('owner', attacker));
    const attackers = await Promise.all(people);
    const own = await world.person('owner', bystander);

    const path = '/account/v1/steps';
    const attack = Array.from({ length: 24 }, (_, i) =>
      world.call('GET', path, { headers: attackers[i % 3]?.headers ?? {} }),
    );
    await expect.poll(() => queue.waiting).toBe(23);
    const reading = world.call('GET', path, { headers: own.headers });
    await expect.poll(() => queue.waiting).toBe(24);
    gate.resolve();
    expect((await reading).status).toBe(200);
    expect(steps.indexOf(bystander)).toBe(1);
    expect(steps.slice(1, 5)).toEqual([bystander, bystander, bystander, bystander]);
    await Promise.all(attack);
    await world.stop();
  });

  test('runs the read of a bystander after at most one statement of 60 open calls from as many networks', async () => {
    let nowMs = 0;
    const statements: string[] = [];
    const gate = Promise.withResolvers<void>();
    const gated = forward(db(), {
      async query(text, params) {
        if (!text.startsWith('select 1 as')) return db().query(text, params);
        await gate.promise;
        statements.push(text.slice('select 1 as '.length));
        nowMs += text.endsWith('stranger') ? 500 : 1;
        return db().query(text, params);
      },
    });
    const steps = (name: string) => async (call: Pick<Call, 'deps'>) => {
      for (let step = 0; step < 3; step += 1) await call.deps.db.query(`select 1 as ${name}`);
      return done({});
    };
    const shared = { summary: 'Run some queries', status: 200, response: Type.Unknown() } as const;
    const moreRoutes = [
      defineRoute({
        ...shared,
        name: 'open-steps',
        method: 'POST',
        path: '/account/v1/open-steps',
        access: 'anyone',
        handle: steps('stranger'),
      }),
      defineRoute({
        ...shared,
        name: 'own-steps',
        method: 'GET',
        path: '/account/v1/own-steps',
        access: 'keys.list',
        handle: steps('own'),
      }),
    ];
    const clock = { monotonicMs: () => nowMs };
    const queue = new FairQueue({ clock, concurrency: 1, perKeyMax: 1 });
    const world = await startManagement(gated, { moreRoutes, queue });
    const own = await world.person('owner', await world.customer('Bystander'));
    const flood = Array.from({ length: 60 }, (_, i) =>
      world.call('POST', '/account/v1/open-steps', {
        headers: { origin: ORIGIN, 'x-test-address': `2001:db8:${i}::1` },
      }),
    );
    await expect.poll(() => queue.waiting).toBe(59);
    const reading = world.call('GET', '/account/v1/own-steps', { headers: own.headers });
    await expect.poll(() => queue.waiting).toBe(60);
    gate.resolve();
    expect((await reading).status).toBe(200);
    expect(statements.slice(0, 4)).toEqual(['stranger', 'own', 'own', 'own']);
    expect((await Promise.all(flood)).map(({ status }) => status)).toEqual(flood.map(() => 200));
    await world.stop();
  });
});
