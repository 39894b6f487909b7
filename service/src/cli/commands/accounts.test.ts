import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type AccountWorld,
  accountWorld,
  addCustomer,
  PASSWORD,
  TESTER,
} from '../../../test/support/account-world.ts';
import { runCommand } from '../../../test/support/run-command.ts';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import { listAuditEvents } from '../../accounts/audit-log.ts';
import { createKey } from '../../accounts/keys/create-key.ts';
import { findKey } from '../../accounts/keys/key-store.ts';
import { resetPassword } from '../../accounts/people/password-reset.ts';
import { insertMembership } from '../../accounts/people/membership-store.ts';
import { findPerson, listPeople } from '../../accounts/people/person-store.ts';
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
const CLIENT = { address: '192.0.2.1', userAgent: null };

test('manages plans with commands that list, add, change and remove them', async () => {
  expect((await plans('add', 'team', '--per-minute', '120', '--per-day', '5000')).error).toBeNull();
  expect(
    (await plans('set', 'team', '--per-day', 'none', '--history-months', '36')).error,
  ).toBeNull();
  expect((await plans('set', 'team', '--watchlists', '20')).error).toBeNull();
  expect((await plans('list')).out).toBe(
    [
      'NAME  PER MINUTE  PER DAY  PER MONTH  HISTORY (MONTHS)  COMPUTE MS PER MINUTE  WATCHLISTS  COMPANIES PER WATCHLIST',
      'free  60          100      1000       24                10000                  5           100',
      'team  120         -        -          36                30000                  20          1000',
      'pro   300         -        -          -                 30000                  50          1000',
      '',
    ].join('\n'),
  );
  expect((await plans('remove', 'team')).error).toBeNull();
  const rows = JSON.parse((await plans('list', '--json')).out) as { name: string }[];
  expect(rows.map(({ name }) => name)).toEqual(['free', 'pro']);
});

test.each([
  [['add', 'free', '--per-minute', '5'], 'plan free already exists'],
  [['add', 'team'], '--per-minute'],
  [['add', 'team', '--per-minute', '0'], 'from 1 to 100000'],
  [['add', 'Team', '--per-minute', '5'], 'lower-case'],
  [['set', 'team', '--per-minute', 'many'], 'many is not a whole number'],
  [['set', 'team', '--per-minute', '5'], 'plan not found: team'],
  [['remove', 'team'], 'plan not found: team'],
])('rejects the plan arguments %j and suggests a fix', async (args, message) => {
  expect((await plans(...args)).error?.message).toContain(message);
});

test('creates, changes, suspends and deletes customers by name or ID', async () => {
  const id = (await customers('create', 'A', '--plan', 'pro')).out.trim();
  expect(id).toMatch(/^cus_[0-9a-f]{20}$/);
  expect((await customers('plan', 'A', 'free')).err).toBe(`Moved A (${id}) to plan free\n`);
  expect((await customers('rename', id, 'B')).err).toBe(`Renamed A (${id}) to B\n`);
  expect((await customers('suspend', 'B')).err).toBe(`Suspended B (${id})\n`);
  expect(JSON.parse((await customers('list', '--json')).out)).toEqual([
    {
      id,
      name: 'B',
      plan: 'free',
      createdAt: '2026-11-20T15:00:00Z',
      suspendedAt: '2026-11-20T15:00:00Z',
    },
  ]);
  expect((await customers('resume', 'B')).err).toBe(`Resumed B (${id})\n`);
  expect((await customers('delete', 'B')).error?.message).toContain('--yes');
  await db.query(
    `insert into request_log (at, customer_id, key_id, method, path, status, duration_ms, request_id)
     values (now(), $1, 'k', 'GET', '/', 200, 1, 'r')`,
    [id],
  );
  expect((await customers('delete', 'B', '--yes')).err).toBe(
    `Deleted B (${id}); 0 API keys revoked\n`,
  );
  expect(await db.query('select customer_id from request_log')).toEqual([]);
  expect(JSON.parse((await customers('list', '--json')).out)).toEqual([]);
  expect((await plans('remove', 'free')).error?.message).toContain('use or have used plan free');
});

test.each([
  [['create', ' '], '1 to 200 characters'],
  [['create', 'B', '--plan', 'gold'], 'no plan with this name'],
  [['create', 'A'], 'another customer already has this name'],
  [['plan', 'A', 'gold'], 'no plan with this name'],
  [['suspend', 'unknown'], 'no customer has the ID or name unknown'],
])('rejects the customer arguments %j and suggests a fix', async (args, message) => {
  await customers('create', 'A');
  expect((await customers(...args)).error?.message).toContain(message);
});

test('creates a user and prints a token with which the user chooses a password', async () => {
  const { out, err } = await users('create', 'ada@example.com', '--role', 'operator');
  expect(out).toMatch(/^[\w-]{32}\n$/);
  expect(err).toContain('valid until 2026-11-20T16:00:00Z');
  expect((await users('list')).out).toContain('no password yet');
  const input = { token: out.trim(), password: PASSWORD, ...CLIENT };
  expect(await resetPassword(world, input)).toEqual({ kind: 'changed' });
  const outcome = await signIn(world, { email: 'ada@example.com', password: PASSWORD, ...CLIENT });
  expect(outcome.kind).toBe('signed-in');
});

test('creates a user who is an owner of a customer', async () => {
  const id = (await customers('create', 'A')).out.trim();
  await users('create', 'o@example.com', '--role', 'owner', '--customer', 'A');
  const [person] = JSON.parse((await users('list', '--json')).out) as object[];
  expect(person).toMatchObject({ role: 'owner', customerId: id, hasPassword: false });
  expect(JSON.stringify(person)).not.toContain('Hash');
});

test.each([
  [['create', 'o@example.com', '--role', 'owner'], '--customer is required for an owner or member'],
  [
    ['create', 'o@example.com', '--role', 'operator', '--customer', 'A'],
    '--customer is required for an owner or member',
  ],
  [['create', 'nothing', '--role', 'operator'], 'an email address'],
  [['create', 'ADA@example.com', '--role', 'operator'], 'already a user'],
  [['disable', 'ada@example.com'], 'the last active operator or owner'],
  [['reset-password', 'b@example.com'], 'no user has the email address'],
])('rejects the user arguments %j and suggests a fix', async (args, message) => {
  await customers('create', 'A');
  await users('create', 'ada@example.com', '--role', 'operator');
  expect((await users(...args)).error?.message).toContain(message);
});

test('changes one membership of a user of several customers, and one of several users with an address', async () => {
  const [alpha, beta] = [await addCustomer(world, 'A'), await addCustomer(world, 'B')];
  await users('create', 'ada@example.com', '--role', 'member', '--customer', 'A');
  const [ada] = await listPeople(db, alpha);
  const personId = ada?.id ?? '';
  const member = { role: 'member', createdAt: world.clock.now() } as const;
  await insertMembership(db, { personId, customerId: beta }, member);
  const vague = await users('disable', 'ada@example.com');
  expect(vague.error?.message).toContain('add --customer');
  expect((await users('disable', 'ada@example.com', '--customer', 'B')).err).toContain('Disabled');
  expect((await findPerson(db, personId, alpha))?.disabledAt).toBeNull();
  expect((await findPerson(db, personId, beta))?.disabledAt).not.toBeNull();
  await users('create', 'ada@example.com', '--role', 'operator');
  const ambiguous = await users('reset-password', 'ada@example.com');
  expect(ambiguous.error?.message).toContain(personId);
  expect((await users('reset-password', personId)).out).not.toBe('');
});

test('lists the keys that a disabled user created, and revokes them if asked', async () => {
  const customerId = await addCustomer(world, 'A');
  for (const name of ['ada', 'bob']) {
    await users('create', `${name}@example.com`, '--role', 'owner', '--customer', 'A');
  }
  const bob = (await listPeople(db, customerId)).find(({ email }) => email === 'bob@example.com');
  const actor = { ...TESTER, id: bob?.id ?? '' };
  const created = await createKey(world, { customerId, kind: 'live', name: 'nightly' }, actor);
  const keyId = created.kind === 'created' ? created.record.id : '';
  const { err } = await users('disable', 'bob@example.com');
  expect(err).toMatch(
    new RegExp(`^Disabled bob@example.com\\nAPI key ${keyId} .* still active\\n$`),
  );
  const revoking = await users('disable', 'bob@example.com', '--revoke-keys');
  expect(revoking.err).toContain('nightly revoked');
  expect((await findKey(db, customerId, keyId))?.revokedAt).not.toBeNull();
});

test('records account changes in the audit log with the command line as the actor', async () => {
  await users('create', 'ada@example.com', '--role', 'operator');
  await users('create', 'bob@example.com', '--role', 'operator');
  await users('reset-password', 'ada@example.com', '--remove-second-factor');
  await users('disable', 'ada@example.com');
  await users('enable', 'ada@example.com');
  const events = (await listAuditEvents(db, { customerId: null, limit: 20 })).toReversed();
  expect(new Set(events.map(({ actor }) => actor.kind))).toEqual(new Set(['cli']));
  expect(events.slice(4).map(({ action }) => action)).toEqual([
    'second-factor.remove',
    'person.reset-password',
    'person.disable',
    'person.enable',
  ]);
});
