import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { changeOf, newestId, openStreamWorld } from '../../../test/support/stream-world.ts';

onEachEngine((db) => {
  test('logs one line per outage and backs off, however many streams are open', async () => {
    const world = openStreamWorld(db());
    const start = await newestId(db());
    const clients = Array.from({ length: 30 }, () => world.connect(`since=${start}`));
    await world.settle();
    for (const client of clients) client.block();
    await world.commit([changeOf(0)]);
    await world.commit([changeOf(1)]);
    world.setDown(true);
    const before = world.readAttempts();
    for (const client of clients) client.drain();
    await world.clock.advance(120_000);
    expect(world.log.entries.map(({ fields }) => fields['event'])).toEqual(['stream.read_failed']);
    // About 15 attempts of few reads each. Reads of each stream every second would be 3,600.
    expect(world.readAttempts() - before).toBeLessThan(250);
    world.setDown(false);
    await world.clock.advance(12_000);
    await world.settle();
    const expected = await world.list(`since=${start}`);
    expect(expected).toHaveLength(2);
    for (const client of clients) expect(client.rows()).toEqual(expected);
    world.setDown(true);
    await world.commit([changeOf(0)]);
    expect(world.log.entries).toHaveLength(2);
    world.streams().close();
  });
});
