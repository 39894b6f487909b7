import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { changeOf, NOW, openStreamWorld } from '../../../test/support/stream-world.ts';
import {
  changeWatchlistMembers,
  deleteWatchlist,
  insertWatchlist,
} from '../../accounts/watchlists/watchlist-store.ts';
import type { Db } from '../../storage/db.ts';

const NRTH = 0;
const VLY = 1;
const OTTR = 2;

onEachEngine((db) => {
  test('sends changes of the companies that are on the watchlist at the time, on streams that stay open', async () => {
    await createWatchlist(db());
    const world = openStreamWorld(db());
    await change(db(), { added: ['NRTH'] });
    const client = world.connect('symbols=@tech');
    const other = world.connect('symbols=@TECH,OTTR');
    await world.settle();
    await world.commit([changeOf(NRTH), changeOf(VLY)]);
    await change(db(), { added: ['VLY'] });
    await refreshed(world);
    await world.commit([changeOf(VLY), changeOf(OTTR)]);
    await change(db(), { removed: ['NRTH'] });
    await refreshed(world);
    await world.commit([changeOf(NRTH), changeOf(VLY)]);
    await change(db(), { removed: ['VLY'] });
    await refreshed(world);
    await world.commit([changeOf(NRTH), changeOf(VLY), changeOf(OTTR)]);
    expect(symbolsIn(client.rows())).toEqual(['NRTH', 'VLY', 'VLY']);
    expect(symbolsIn(other.rows())).toEqual(['NRTH', 'VLY', 'OTTR', 'VLY', 'OTTR']);
    expect([client.isEnded(), other.isEnded()]).toEqual([false, false]);
    world.streams().close();
  });

  test('applies a changed watchlist to a client that reads slowly, and to one that reconnects', async () => {
    await createWatchlist(db());
    const world = openStreamWorld(db());
    await change(db(), { added: ['NRTH'] });
    const [slow, dropped] = [world.connect('symbols=@tech'), world.connect('symbols=@tech')];
    await world.settle();
    slow.block();
    await world.commit([changeOf(NRTH)]);
    await change(db(), { added: ['VLY'], removed: ['NRTH'] });
    await refreshed(world);
    await world.commit([changeOf(VLY), changeOf(NRTH)]);
    slow.drain();
    await dropped.reconnect();
    await world.settle();
    expect(symbolsIn(slow.rows())).toEqual(['NRTH', 'VLY']);
    expect(symbolsIn(dropped.rows())).toEqual(['NRTH', 'VLY']);
    world.streams().close();
  });

  test('ends the stream of a deleted watchlist, and then refuses to open it', async () => {
    await createWatchlist(db());
    const world = openStreamWorld(db());
    const client = world.connect('symbols=@tech');
    await world.settle();
    await db().transaction((tx) => deleteWatchlist(tx, 'wl_1'));
    await refreshed(world);
    expect([client.isEnded(), client.refusal()]).toEqual([true, 404]);
  });
});

/** Waits in steps, because a refresh reads from a real store while the clock is a fake. */
async function refreshed(world: ReturnType<typeof openStreamWorld>): Promise<void> {
  for (let seconds = 0; seconds < 8; seconds += 1) await world.wait(1_000);
}

async function createWatchlist(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(
      `insert into customer (id, name, plan, created_at) values ('cus_1', 'Reader', 'pro', now())`,
    );
    await insertWatchlist(tx, { id: 'wl_1', customerId: 'cus_1', name: 'tech', now: NOW });
  });
}

function change(
  db: Db,
  { added = [], removed = [] }: { added?: readonly string[]; removed?: readonly string[] },
): Promise<void> {
  const membersOf = (symbols: readonly string[]) =>
    symbols.map((symbol) => ({ securityId: `sec_${symbol}`, symbol }));
  const members = { added: membersOf(added), removed: membersOf(removed), now: NOW };
  return db.transaction((tx) => changeWatchlistMembers(tx, 'wl_1', members));
}

function symbolsIn(rows: readonly unknown[]): unknown[] {
  return rows.map((row) => (row as { symbol: unknown }).symbol);
}
