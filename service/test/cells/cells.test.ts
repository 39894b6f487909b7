import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startAll, startIngest, startServe, startWork } from '../../src/app/app.ts';
import { findLostPosition } from '../../src/datasets/changes/epochs.ts';
import { settleVersions } from '../../src/datasets/versions/version-clock.ts';
import { claimDue } from '../../src/delivery/claim/claim.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { loadCellState } from '../../src/storage/cells/cell-state.ts';
import { initCell } from '../../src/storage/cells/init-cell.ts';
import { StoreUnavailableError } from '../../src/storage/errors.ts';
import type { Db } from '../../src/storage/db.ts';
import { type CellStore, type CellWorld, cellWorld } from '../support/cells/cell-world.ts';
import { startRoles } from '../support/cells/start-roles.ts';
import { ROLE_SYMBOLS } from '../support/roles/scripted-files.ts';
import { runSeed, runSize } from '../support/run-size.ts';
import { prepareStore, SECRET } from '../support/webhook-kills.ts';
import { startReceivers } from '../support/webhook-receiver.ts';
import { engineDeps } from '../support/webhook-world.ts';

const SEED = runSeed();
const TIMEOUT = { timeout: 240_000 };
const clock = systemClock();

let world: CellWorld;
beforeAll(async () => {
  world = await cellWorld(['east', 'west']);
}, 120_000);
afterAll(() => world.close());

test(
  'delivers a change of the gathering store from a cell, which serves, reports itself and refuses to ingest',
  TIMEOUT,
  async () => {
    const east = cellOf('east');
    const receivers = await startReceivers(SECRET);
    onTestFinished(() => receivers.close());
    await prepareStore({ databaseUrl: east.url }, receivers.port, SEED, async () => undefined);
    const cell = startRoles(east.url, receivers.port);
    onTestFinished(cell.stop);
    await startWork(cell.options());
    const serve = await startServe(cell.options());
    serve.markReady();
    const count = await world.change('AAA');
    await expect
      .poll(() => receivers.latestCounts.get('/ep1 AAA'), { timeout: 20_000 })
      .toBe(count);
    expect(receivers.violations).toEqual([]);

    await world.beat();
    const report = async (): Promise<unknown> => (await fetch(`${serve.url}/readyz`)).json();
    await expect
      .poll(report, { timeout: 10_000 })
      .toMatchObject({ status: 'ready', cell: { name: 'east', condition: 'following' } });
    await setSubscription(east, 'disable');
    await expect
      .poll(report, { timeout: 10_000 })
      .toMatchObject({ cell: { condition: 'stopped' } });
    await setSubscription(east, 'enable');

    const place = 'run afterbell ingest on the gathering store';
    await expect(startIngest(cell.options())).rejects.toThrow(place);
    await expect(startAll({ ...cell.options(), kind: 'live' })).rejects.toThrow(place);
    await expect(startServe(cell.options({ storeRole: 'gathering' }))).rejects.toThrow(
      'STORE_ROLE is gathering, but this store is the cell east',
    );
    await expect(east.db.query(`update security set name = ''`)).rejects.toThrow(/is a cell/);
  },
);

test(
  `gives final responses about the past while replication pauses and resumes (seed ${SEED})`,
  TIMEOUT,
  async () => {
    const east = cellOf('east');
    const random = seededRandom(SEED);
    const given = new Map<number, unknown>();
    const refusals = { count: 0 };
    const log = { given, refusals };
    for (let pause = 0; pause < runSize({ slice: 3, whole: 60 }); pause += 1) {
      await setSubscription(east, 'disable');
      for (let step = 0; step < 8; step += 1) {
        if (random.int(3) > 0) await world.change(ROLE_SYMBOLS[random.int(5)] ?? '');
        else await world.beat();
        await ask(east.db, clock.now() - random.int(300), log);
      }
      expect(await ask(east.db, clock.now(), log), 'the present, while paused').toBe(false);
      await setSubscription(east, 'enable');
      const resumedAt = clock.now();
      await expect.poll(() => clock.now()).toBeGreaterThan(resumedAt);
      await world.beat();
      await expect.poll(() => ask(east.db, resumedAt, log), { timeout: 60_000 }).toBe(true);
    }
    expect(given.size).toBeGreaterThan(2);
    expect(refusals.count).toBeGreaterThan(2);
    for (const [at, response] of given) {
      expect(await factsAsOf(world.gathering.db, at), `as of ${at}`).toEqual(response);
      expect(await factsAsOf(east.db, at), `as of ${at}`).toEqual(response);
    }
    expect((await stateOf(east)).gap).toBeNull();
  },
);

test(
  'finds facts that were lost, and then neither answers about the past nor sends',
  TIMEOUT,
  async () => {
    const west = cellOf('west');
    await prepareStore({ databaseUrl: west.url }, 9, SEED, async () => undefined);
    await world.beat();
    await expect.poll(async () => (await stateOf(west)).condition).toBe('following');
    const deps = engineDeps(west.db, clock);
    const slots = { total: 8, free: 8, slowInFlight: 0, inFlightByCustomer: new Map() };

    await setSubscription(west, 'disable');
    await world.change('BBB');
    await skipReplication('afterbell_cell_west');
    await setSubscription(west, 'enable');
    await world.beat();
    await expect.poll(async () => (await stateOf(west)).condition).toBe('gap');
    expect((await stateOf(west)).gap?.detail).toMatch(/^0 of \d+ changes arrived/);
    await expect(settleVersions(west.db, clock.now() - 60_000)).rejects.toThrow(/incomplete/);
    await west.db.query(`update delivery set due_at = now() where state = 'pending'`);
    expect((await claimDue(deps, slots, '')).deliveries).toEqual([]);
  },
);

test(
  'accepts a position that another cell returned, and continues an interrupted initialization',
  TIMEOUT,
  async () => {
    const east = cellOf('east');
    await setSubscription(east, 'disable');
    await world.change('CCC');
    const [newest] = await world.gathering.db.query<{ id: number }>(
      'select max(id) as id from change_record',
    );
    const id = newest?.id ?? 0;
    expect(await findLostPosition(east.db, id)).toBeNull();
    expect(await findLostPosition(east.db, id + 2_000_000)).not.toBeNull();
    await initCell({
      cell: east.db,
      gathering: world.gathering.db,
      gatheringUrl: world.gathering.url,
      name: 'east',
      clock,
      onProgress: () => undefined,
    });
    await expect.poll(async () => (await stateOf(east)).newestChangeId).toBe(id);
    const reversed = { cell: world.gathering.db, gathering: east.db, gatheringUrl: east.url };
    await expect(
      initCell({ ...reversed, name: 'west', clock, onProgress: () => undefined }),
    ).rejects.toThrow(/names the cell east/);
  },
);

function cellOf(name: string): CellStore {
  const cell = world.cells.find((each) => each.name === name);
  if (cell === undefined) throw new Error(`the world has no cell ${name}`);
  return cell;
}

async function setSubscription({ name, db }: CellStore, to: 'enable' | 'disable'): Promise<void> {
  await db.query(`alter subscription afterbell_cell_${name} ${to}`);
}

async function stateOf({ db }: CellStore) {
  const state = await loadCellState(db, { lagMsMax: 30_000 });
  if (state === null) throw new Error('the store is not a cell');
  return state;
}

/** Makes the server forget what the disabled subscription has not received. */
async function skipReplication(slot: string): Promise<void> {
  await expect
    .poll(() =>
      world.gathering.db.query(
        `select pg_replication_slot_advance(slot_name, pg_current_wal_lsn())
           from pg_replication_slots where slot_name = $1 and not active`,
        [slot],
      ),
    )
    .toHaveLength(1);
}

/** Asks for the facts as of an instant, as an endpoint does. Returns whether there was a response. */
async function ask(
  db: Db,
  at: number,
  log: { given: Map<number, unknown>; refusals: { count: number } },
): Promise<boolean> {
  try {
    await settleVersions(db, at);
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    log.refusals.count += 1;
    return false;
  }
  log.given.set(at, await factsAsOf(db, at));
  return true;
}

function factsAsOf(db: Db, at: number): Promise<unknown[]> {
  return db.query(
    `select symbol, revenue_estimate, known_from from earnings_event
      where known_from <= to_timestamp($1 / 1000.0)
        and (known_to is null or known_to > to_timestamp($1 / 1000.0)) order by symbol, known_from`,
    [at],
  );
}
