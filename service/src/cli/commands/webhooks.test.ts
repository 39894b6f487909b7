import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accountWorld, addCustomer } from '../../../test/support/account-world.ts';
import { runCommand } from '../../../test/support/run-command.ts';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import { eventOf, securityOf, storeRows } from '../../../test/support/stored-earnings.ts';
import { listAuditEvents } from '../../accounts/audit-log.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { seededRandom } from '../../platform/random.ts';
import { readSettings } from '../../config/settings.ts';
import type { Db } from '../../storage/db.ts';
import { webhooksCommand } from './webhooks.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const URL = 'https://hooks.receiver.example/in';
const env = { SECRETS_KEY: Buffer.alloc(32, 5).toString('base64') };
const settings = readSettings({ flags: {}, env, cwd: '/', sources: [] });

let db: Db;
let random = seededRandom(3);
beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(async () => {
  await emptyStore(db);
  random = seededRandom(3);
  await addCustomer(accountWorld(db), 'Quiet Pine');
});
afterAll(() => db.close());

function run(...args: string[]) {
  return runWith([], ...args);
}

function runWith(stdin: readonly string[], ...args: string[]) {
  const world = { db, clock: fakeClock(NOW), settings, stdin };
  return runCommand(webhooksCommand(random), world, args);
}

async function added(): Promise<string> {
  const { out, error } = await run('add', URL, '--customer', 'Quiet Pine', '--json');
  if (error !== null) throw error;
  return (JSON.parse(out) as { id: string }).id;
}

test('add prints the secret alone, and list shows the endpoint without it', async () => {
  const { out, err } = await run('add', URL, '--customer', 'Quiet Pine');
  expect(out).toMatch(/^whsec_[\w-]{43}\n$/);
  expect(err).toMatch(/whe_\w+ is added/);
  const listed = JSON.parse((await run('list', '--json')).out) as object[];
  expect(listed).toMatchObject([{ url: URL, state: 'enabled', subscriptionCount: 0 }]);
  expect((await run('list', '--customer', 'Quiet Pine')).out).not.toContain('whsec_');
});

test.each([
  [['add', 'http://hooks.receiver.example', '--customer', 'Quiet Pine'], 'url: it must start with'],
  [['add', URL, '--customer', 'Nobody'], 'no customer has the id or name Nobody'],
  [['disable', 'whe_none'], 'no endpoint has the id whe_none'],
  [['redeliver', 'del_none'], 'no delivery has the id del_none'],
])('%j is refused with its mend', async (args, said) => {
  const { error, out } = await run(...args);
  expect([error?.message, out]).toEqual([expect.stringContaining(said), '']);
});

test('symbols are subscribed from the command line and from standard input', async () => {
  const id = await added();
  const typed = await run('subscribe', id, 'acme', 'BRK-B,zzz', '!!');
  expect(typed.out).toBe('3 added, 0 stood before\n');
  expect(typed.err).toContain('no symbols: !!');
  const read = await runWith(['ACME', 'NEW ONE'], 'subscribe', id, '-', '--json');
  expect(JSON.parse(read.out)).toMatchObject({ added: 2, standing: 1 });
  expect((await run('unsubscribe', id, 'ZZZ')).out).toBe('1 removed\n');
  const [row] = JSON.parse((await run('list', '--json')).out) as { subscriptionCount: number }[];
  expect(row?.subscriptionCount).toBe(4);
});

test('what the command line disabled it enables, and removed is removed', async () => {
  const id = await added();
  expect((await run('disable', id)).err).toContain('is disabled');
  expect((await run('disable', id)).err).toContain('was so before');
  expect((await run('list')).out).toContain('disabled (operator)');
  expect((await run('enable', id)).err).toContain('is enabled');
  expect((await run('remove', id)).err).toContain('is removed');
  expect((await run('list', '--json')).out.trim()).toBe('[]');
});

test('a secret is changed in two steps and shown, which the audit keeps', async () => {
  const id = await added();
  const next = (await run('secret', 'prepare', id)).out.trim();
  expect((await run('secret', 'prepare', id)).error?.message).toContain('is prepared');
  const activated = await run('secret', 'activate', id, '--overlap', '48', '--json');
  expect(JSON.parse(activated.out)).toEqual({ previousEndsAt: '2026-11-22T15:00:00Z' });
  const shown = JSON.parse((await run('secret', 'show', id, '--json')).out) as object[];
  expect(shown).toMatchObject([{ role: 'current', secret: next }, { role: 'previous' }]);
  expect((await run('secret', 'withdraw', id)).error?.message).toContain('No next secret');
  const acts = (await listAuditEvents(db, { customerId: null, limit: 10 })).map(
    ({ action: act }) => act,
  );
  expect(acts).toContain('webhook.reveal-secret');
});

test('a test is sent with real data, is in the log, and can be sent again once it is over', async () => {
  const id = await added();
  expect((await run('test', id, '--symbol', 'NRTH')).error?.message).toContain('has no data');
  await storeRows(db, { securities: [securityOf('NRTH')], events: [eventOf('NRTH')] });
  await run('subscribe', id, 'NRTH');
  const sent = (await run('test', id)).out.trim();
  expect(sent).toMatch(/^del_/);
  const log = JSON.parse((await run('deliveries', id, '--json')).out) as object[];
  expect(log).toMatchObject([{ id: sent, symbol: 'NRTH', state: 'pending', test: true }]);
  expect((await run('deliveries', id)).out).toContain('pending (test)');
  expect((await run('redeliver', sent)).error?.message).toContain('not finished');
  await db.query(`update delivery set state = 'failed'`);
  const again = (await run('redeliver', sent)).out.trim();
  expect(again).toMatch(/^del_/);
  expect((await run('deliveries', id, '--state', 'failed')).out).not.toContain(again);
  await db.query(`update delivery set state = 'failed' where id = $1`, [again]);
  expect((await run('recover', id, '--since', '6h')).out).toBe('1 delivery opened\n');
  expect((await run('recover', id, '--since', 'soon')).error?.message).toContain('no past time');
});

test('the log is of one company however its symbol is typed', async () => {
  const id = await added();
  await storeRows(db, { securities: [securityOf('NRTH')], events: [eventOf('NRTH')] });
  await run('subscribe', id, 'NRTH');
  const sent = (await run('test', id)).out.trim();
  expect((await run('deliveries', id, '--symbol', 'nrth')).out).toContain(sent);
  expect((await run('deliveries', id, '--symbol', 'acme')).out).not.toContain(sent);
  expect((await run('deliveries', id, '--symbol', '!!')).error?.message).toContain('no ticker');
});

test.each(['1.5', '0', '101', 'all', ''])('a log of %j rows is refused', async (rows) => {
  const { error } = await run('deliveries', await added(), '--limit', rows);
  expect(error?.message).toBe('--limit takes a whole number from 1 to 100');
});

test('what is too long ago to be sent again is refused, and not left out unsaid', async () => {
  const id = await added();
  expect((await run('recover', id, '--since', '30d')).out).toBe('0 deliveries opened\n');
  for (const since of ['31d', '90d', '2026-10-01T00:00:00Z']) {
    const { error, out } = await run('recover', id, '--since', since);
    expect([error?.message, out]).toEqual([`${since} is too long ago: 30d at most`, '']);
  }
});
