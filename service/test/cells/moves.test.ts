import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startServe, startWork } from '../../src/app/app.ts';
import { MOVED_TABLES } from '../../src/app/cell-moves/customer-rows.ts';
import {
  abortMove,
  moveCustomer,
  type MoveOptions,
  type MoveStep,
} from '../../src/app/cell-moves/move-customer.ts';
import { webhookFacts } from '../../src/app/webhook-facts.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { TABLE_KINDS } from '../../src/storage/cells/table-kinds.ts';
import { scratchFolder } from '../support/afterbell-process.ts';
import { type CellStore, type CellWorld, cellWorld } from '../support/cells/cell-world.ts';
import { startRoles } from '../support/cells/start-roles.ts';
import { createKey } from '../support/roles/start-role.ts';
import { ROLE_SYMBOLS } from '../support/roles/scripted-files.ts';
import { runSeed, runSize } from '../support/run-size.ts';
import { prepareStore, SECRET } from '../support/webhook-kills.ts';
import { flaky, type Receivers, startReceivers } from '../support/webhook-receiver.ts';

const SEED = runSeed();
const TIMEOUT = { timeout: 240_000 };
const CUSTOMER = 'cus_0';
const STEPS: readonly MoveStep[] = [
  'leaving',
  'drained',
  'closing',
  'arriving',
  'moved',
  'active',
  'history',
];
const clock = systemClock();
const random = seededRandom(SEED);

let world: CellWorld;
let receivers: Receivers;
beforeAll(async () => {
  world = await cellWorld(['east', 'west']);
  receivers = await startReceivers(SECRET);
  const url = cellOf('east').url;
  await prepareStore({ databaseUrl: url }, receivers.port, SEED, async () => undefined);
}, 180_000);
afterAll(async () => {
  await receivers.close();
  await world.close();
});

test('moves every table of customers', () => {
  const tables = Object.keys(TABLE_KINDS).filter((table) => TABLE_KINDS[table] === 'customer');
  expect(MOVED_TABLES.map(({ name }) => name).toSorted()).toEqual(tables.toSorted());
});

test(
  `moves a customer to and fro under load, aborted at each step, without a lost, doubled or older webhook (seed ${SEED})`,
  TIMEOUT,
  async () => {
    for (const { url } of world.cells) {
      const roles = startRoles(url, receivers.port);
      onTestFinished(roles.stop);
      await startWork(roles.options());
    }
    receivers.behave(flaky(random));
    const newest = new Map<string, number>();
    let isChanging = true;
    onTestFinished(() => {
      isChanging = false;
    });
    const changing = (async () => {
      while (isChanging) {
        const symbol = ROLE_SYMBOLS[random.int(ROLE_SYMBOLS.length)] ?? '';
        newest.set(symbol, await world.change(symbol));
        await world.beat();
      }
    })();
    const [east, west] = [cellOf('east'), cellOf('west')];
    await move(east, west, 'closing');
    await abortMove({ from: east.db, to: west.db, customerId: CUSTOMER });
    expect(await activeCells()).toEqual(['east']);
    const rounds = runSize({ slice: 1, whole: 20 });
    for (let round = 0; round < rounds; round += 1) {
      const [from, to] = round % 2 === 0 ? [east, west] : [west, east];
      for (const step of round < STEPS.length ? STEPS : [STEPS[random.int(STEPS.length)]]) {
        await move(from, to, step);
        expect((await activeCells()).length, `${step}, seed ${SEED}`).toBeLessThanOrEqual(1);
      }
      await move(from, to);
      expect(await activeCells()).toEqual([to.name]);
    }
    isChanging = false;
    await changing;
    await world.beat();
    receivers.behave(() => 'answer');
    for (const { db } of world.cells) {
      await db.query(`update delivery set due_at = now() where state = 'retrying'`);
    }
    for (const path of ['/ep1', '/ep4']) {
      for (const [symbol, count] of newest) {
        await expect
          .poll(
            async () => {
              for (const { db } of world.cells) {
                await db.query(`update delivery set due_at = now() where state = 'retrying'`);
              }
              return receivers.latestCounts.get(`${path} ${symbol}`);
            },
            { timeout: 60_000, interval: 250 },
          )
          .toBe(count);
      }
    }
    expect(receivers.violations, `seed ${SEED}`).toEqual([]);
  },
);

test(
  'takes people along, and keeps those who also belong to a customer that stays',
  TIMEOUT,
  async () => {
    const [east, west] = [cellOf('east'), cellOf('west')];
    const at = 'now(), now()';
    await east.db.execute(`
    insert into customer (id, name, plan, created_at) values
      ('cus_p', 'Moving', 'free', now()), ('cus_q', 'Staying', 'free', now());
    insert into person (id, email, email_key, password_hash, created_at) values
      ('per_sole', 'a@example.com', 'a@example.com', 'east', now()),
      ('per_both', 'b@example.com', 'b@example.com', 'east', now()),
      ('per_there', 'c@example.com', 'c@example.com', 'east', now());
    insert into membership (person_id, customer_id, role, created_at, used_at) values
      ('per_sole', 'cus_p', 'owner', ${at}), ('per_both', 'cus_p', 'member', ${at}),
      ('per_both', 'cus_q', 'owner', ${at}), ('per_there', 'cus_p', 'member', ${at});
    insert into recovery_code (person_id, hash)
      select id, decode(md5(id), 'hex') from person where id like 'per\\_%';
    insert into known_address (person_id, address, seen_at)
      select id, '192.0.2.1', now() from person where id like 'per\\_%';
    insert into session (id, person_id, customer_id, token_hash, created_at, last_seen_at,
                         expires_at, password_at)
      select person_id || customer_id, person_id, customer_id,
             decode(md5(person_id || customer_id), 'hex'), now(), now(), now(), now()
        from membership where person_id like 'per\\_%'`);
    await west.db.execute(`
    insert into customer (id, name, plan, created_at) values ('cus_r', 'There', 'free', now());
    insert into person (id, email, email_key, password_hash, created_at) values
      ('per_there', 'c@example.com', 'c@example.com', 'west', now()),
      ('per_twin', 'a@example.com', 'a@example.com', 'west', now());
    insert into membership (person_id, customer_id, role, created_at, used_at) values
      ('per_there', 'cus_r', 'owner', ${at}), ('per_twin', 'cus_r', 'member', ${at})`);
    await moveCustomer({ ...optionsOf(east, west), customerId: 'cus_p' });
    // For each person: the password, recovery codes, known addresses, memberships, and sessions.
    const people = ({ db }: CellStore) =>
      db.query(
        `select p.id, p.password_hash as password,
              (select count(*) from recovery_code c where c.person_id = p.id)::int4 as codes,
              (select count(*) from known_address k where k.person_id = p.id)::int4 as addresses,
              (select string_agg(customer_id, ' ' order by customer_id)
                 from membership m where m.person_id = p.id) as members,
              (select string_agg(customer_id, ' ' order by customer_id)
                 from session s where s.person_id = p.id) as sessions
         from person p where p.id like 'per\\_%' order by p.id`,
      );
    const kept = { codes: 1, addresses: 1 };
    expect(await people(east)).toEqual([
      { id: 'per_both', password: 'east', ...kept, members: 'cus_q', sessions: 'cus_q' },
    ]);
    expect(await people(west)).toEqual([
      { id: 'per_both', password: 'east', ...kept, members: 'cus_p', sessions: 'cus_p' },
      { id: 'per_sole', password: 'east', ...kept, members: 'cus_p', sessions: 'cus_p' },
      {
        id: 'per_there',
        password: 'west',
        codes: 0,
        addresses: 0,
        members: 'cus_p cus_r',
        sessions: null,
      },
      {
        id: 'per_twin',
        password: 'west',
        codes: 0,
        addresses: 0,
        members: 'cus_r',
        sessions: null,
      },
    ]);
  },
);

test('serves each request on one cell only, and keeps the counts', TIMEOUT, async () => {
  const [east, west] = [cellOf('east'), cellOf('west')];
  const folder = scratchFolder();
  const plan = { name: 'moving', perMinute: 1_000, perDay: 500 };
  const key = await createKey(east.db, { url: east.url, folder }, plan);
  await west.db.query(`insert into plan select * from json_populate_record(null::plan, $1::json)`, [
    (
      await east.db.query<{ json: string }>(
        `select row_to_json(p)::text as json from plan p where name = 'moving'`,
      )
    )[0]?.json ?? '',
  ]);
  const [customer] = await east.db.query<{ id: string }>(
    `select id from customer where plan = 'moving'`,
  );
  const urls: string[] = [];
  for (const { url } of [east, west]) {
    const roles = startRoles(url, receivers.port);
    onTestFinished(roles.stop);
    const serve = await startServe(roles.options());
    serve.markReady();
    urls.push(serve.url);
  }
  const [eastUrl = '', westUrl = ''] = urls;
  const send = (url: string) =>
    fetch(`${url}/v1/earnings?symbol=AAA`, { headers: { 'X-Api-Key': key } });
  let served = 0;
  let isSending = true;
  const statuses = new Set<number>();
  const sending = (async () => {
    for (let url = eastUrl; isSending; await clock.sleep(10)) {
      const response = await send(url);
      statuses.add(response.status);
      if (response.status === 200) served += 1;
      else if (response.status === 421) url = westUrl;
      await response.arrayBuffer();
    }
  })();
  await expect.poll(() => served).toBeGreaterThan(5);
  const { closedMs } = await moveCustomer({
    ...optionsOf(east, west),
    customerId: customer?.id ?? '',
    toUrl: westUrl,
  });
  const before = served;
  await expect.poll(() => served, { timeout: 10_000 }).toBeGreaterThan(before + 5);
  isSending = false;
  await sending;
  process.stderr.write(`${JSON.stringify({ closedMs, served })}\n`);
  for (const status of statuses) expect([200, 421, 429, 503]).toContain(status);

  const moved = await send(eastUrl);
  expect(moved.status).toBe(421);
  expect(await moved.json()).toMatchObject({
    code: 'customer-moved',
    cell: 'west',
    movedTo: westUrl,
  });
  const used = async (): Promise<number> => {
    const [row] = await west.db.query<{ used: number }>(
      `select day_count as used from quota_use where customer_id = $1`,
      [customer?.id ?? ''],
    );
    return row?.used ?? 0;
  };
  expect(await used()).toBeGreaterThanOrEqual(served);
});

function cellOf(name: string): CellStore {
  const cell = world.cells.find((each) => each.name === name);
  if (cell === undefined) throw new Error(`the world has no cell ${name}`);
  return cell;
}

function optionsOf(from: CellStore, to: CellStore): MoveOptions {
  return {
    from: from.db,
    to: to.db,
    customerId: CUSTOMER,
    toUrl: null,
    clock,
    webhooks: webhookFacts({ webhookPorts: [], webhookDevAllow: [], webhookDeny: [] }),
    token: `move_${random.int(1_000_000_000)}`,
    onStep: () => undefined,
  };
}

class Abort extends Error {}

/** Moves the customer. With `step`, the move ends there, as if its process was killed. */
async function move(from: CellStore, to: CellStore, step?: MoveStep): Promise<void> {
  const options = optionsOf(from, to);
  const onStep = (done: MoveStep): void => {
    if (done === step) throw new Abort(step);
  };
  await moveCustomer({ ...options, onStep }).catch((error: unknown) => {
    if (!(error instanceof Abort)) throw error;
  });
}

/** Cells that deliver for the customer and admit its requests. */
async function activeCells(): Promise<string[]> {
  const active: string[] = [];
  for (const { name, db } of world.cells) {
    const rows = await db.query(
      `select 1 from customer where id = $1 and deleted_at is null
          and (move_state is null or move_state in ('leaving', 'closing'))`,
      [CUSTOMER],
    );
    if (rows.length > 0) active.push(name);
  }
  return active;
}
