import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { startManagement } from '../../../test/support/management-server.ts';
import { FairQueue } from '../../platform/fair-queue.ts';
import { defineRoute, done } from './route.ts';

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
});
