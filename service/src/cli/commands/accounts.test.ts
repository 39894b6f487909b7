import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AccountWorld, accountWorld, PASSWORD } from '../../../test/support/account-world.ts';
import { runCommand } from '../../../test/support/run-command.ts';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import { listAuditEvents } from '../../accounts/audit-log.ts';
import { resetPassword } from '../../accounts/people/password-reset.ts';
import { signIn } from '../../accounts/sign-in/sign-in.ts';
import type { Db } from '../../storage/db.ts';
import { customersCommand } from './customers.ts';
import { plansCommand } from './plans.ts';
import { usersCommand } from './users.ts';

let db: Db;
let world: AccountWorld;
beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(async () => {
  await emptyStore(db);
  world = accountWorld(db);
});
afterAll(() => db.close());

const customers = (...args: string[]) => runCommand(customersCommand(world.random), world, args);
const plans = (...args: string[]) => runCommand(plansCommand(world.random), world, args);
const users = (...args: string[]) => runCommand(usersCommand(world.random), world, args);
const HOME = { address: '192.0.2.1', userAgent: null };

test('plans are listed, added, changed and removed', async () => {
  expect((await plans('add', 'team', '--per-minute', '120', '--per-day', '5000')).error).toBeNull();
  expect(
    (await plans('set', 'team', '--per-day', 'none', '--history-months', '36')).error,
  ).toBeNull();
  expect((await plans('list')).out).toBe(
    [
      'NAME  PER MINUTE  PER DAY  PER MONTH  MONTHS OF HISTORY',
      'free  60          100      1000       24',
      'team  120         -        -          36',
      'pro   300         -        -          -',
      '',
    ].join('\n'),
  );
  expect((await plans('remove', 'team')).error).toBeNull();
  const rows = JSON.parse((await plans('list', '--json')).out) as { name: string }[];
  expect(rows.map(({ name }) => name)).toEqual(['free', 'pro']);
});

test.each([
  [['add', 'free', '--per-minute', '5'], 'there is a plan free'],
  [['add', 'team'], '--per-minute'],
  [['add', 'team', '--per-minute', '0'], 'from 1 to 100000'],
  [['add', 'Team', '--per-minute', '5'], 'lower-case'],
  [['set', 'team', '--per-minute', 'many'], 'many is no whole number'],
  [['set', 'team', '--per-minute', '5'], 'there is no plan team'],
  [['remove', 'team'], 'there is no plan team'],
])('plans %j is refused with its mend', async (args, said) => {
  expect((await plans(...args)).error?.message).toContain(said);
});

test('customers are made, found by name or id, moved, suspended and deleted', async () => {
  const id = (await customers('create', 'A', '--plan', 'pro')).out.trim();
  expect(id).toMatch(/^cus_[0-9a-f]{20}$/);
  expect((await customers('plan', 'A', 'free')).err).toBe(`A (${id}) is on plan free\n`);
  expect((await customers('rename', id, 'B')).err).toBe(`A (${id}) is named B\n`);
  expect((await customers('suspend', 'B')).err).toBe(`B (${id}) is suspended\n`);
  expect(JSON.parse((await customers('list', '--json')).out)).toEqual([
    {
      id,
      name: 'B',
      plan: 'free',
      createdAt: '2026-11-20T15:00:00Z',
      suspendedAt: '2026-11-20T15:00:00Z',
    },
  ]);
  expect((await customers('resume', 'B')).err).toBe(`B (${id}) is resumed\n`);
  expect((await customers('delete', 'B')).error?.message).toContain('--yes');
  await db.query(
    `insert into request_log (at, customer_id, key_id, method, path, status, duration_ms, request_id)
     values (now(), $1, 'k', 'GET', '/', 200, 1, 'r')`,
    [id],
  );
  expect((await customers('delete', 'B', '--yes')).err).toContain('is deleted, 0 keys revoked');
  expect(await db.query('select customer_id from request_log')).toEqual([]);
  expect(JSON.parse((await customers('list', '--json')).out)).toEqual([]);
  expect((await plans('remove', 'free')).error?.message).toContain('are or were on plan free');
});

test.each([
  [['create', ' '], '1 to 200 characters'],
  [['create', 'B', '--plan', 'gold'], 'no plan with this name'],
  [['create', 'A'], 'another customer has that name'],
  [['plan', 'A', 'gold'], 'no plan with this name'],
  [['suspend', 'nobody'], 'no customer has the id or name nobody'],
])('customers %j is refused with its mend', async (args, said) => {
  await customers('create', 'A');
  expect((await customers(...args)).error?.message).toContain(said);
});

test('a person made at the command line chooses a password with the token, and signs in', async () => {
  const { out, err } = await users('create', 'ada@example.com', '--role', 'operator');
  expect(out).toMatch(/^[\w-]{32}\n$/);
  expect(err).toContain('once, until 2026-11-20T16:00:00Z');
  expect((await users('list')).out).toContain('no password yet');
  const given = { token: out.trim(), password: PASSWORD, ...HOME };
  expect(await resetPassword(world, given)).toEqual({ kind: 'changed' });
  const entered = await signIn(world, { email: 'ada@example.com', password: PASSWORD, ...HOME });
  expect(entered.kind).toBe('signed-in');
});

test('an owner belongs to a customer', async () => {
  const id = (await customers('create', 'A')).out.trim();
  await users('create', 'o@example.com', '--role', 'owner', '--customer', 'A');
  const [person] = JSON.parse((await users('list', '--json')).out) as object[];
  expect(person).toMatchObject({ role: 'owner', customerId: id, hasPassword: false });
  expect(JSON.stringify(person)).not.toContain('Hash');
});

test.each([
  [['create', 'o@example.com', '--role', 'owner'], 'name the --customer'],
  [['create', 'o@example.com', '--role', 'operator', '--customer', 'A'], 'name the --customer'],
  [['create', 'nothing', '--role', 'operator'], 'an email address'],
  [['create', 'ADA@example.com', '--role', 'operator'], 'somebody has the address'],
  [['disable', 'ada@example.com'], 'the last who can run this'],
  [['reset-password', 'b@example.com'], 'nobody has the address'],
])('users %j is refused with its mend', async (args, said) => {
  await customers('create', 'A');
  await users('create', 'ada@example.com', '--role', 'operator');
  expect((await users(...args)).error?.message).toContain(said);
});

test('what the command line does is in the audit as its doing', async () => {
  await users('create', 'ada@example.com', '--role', 'operator');
  await users('create', 'bob@example.com', '--role', 'operator');
  await users('reset-password', 'ada@example.com', '--remove-second-factor');
  await users('disable', 'ada@example.com');
  await users('enable', 'ada@example.com');
  const events = (await listAuditEvents(db, { customerId: null, limit: 20 })).toReversed();
  expect(new Set(events.map(({ actor: by }) => by.kind))).toEqual(new Set(['cli']));
  expect(events.slice(4).map(({ action: act }) => act)).toEqual([
    'second-factor.remove',
    'person.reset-password',
    'person.disable',
    'person.enable',
  ]);
});
