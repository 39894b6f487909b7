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
import { watchlistsCommand } from './watchlists.ts';
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

async function addEndpoint(): Promise<string> {
  const { out, error } = await run('add', URL, '--customer', 'Quiet Pine', '--json');
  if (error !== null) throw error;
  return (JSON.parse(out) as { id: string }).id;
}

test('webhooks add prints only the secret, and webhooks list never shows it', async () => {
  const { out, err } = await run('add', URL, '--customer', 'Quiet Pine');
  expect(out).toMatch(/^whsec_[\w+/]{43}=\n$/);
  expect(err).toMatch(/^Added whe_\w+\./);
  const endpoints = JSON.parse((await run('list', '--json')).out) as object[];
  expect(endpoints).toMatchObject([{ url: URL, state: 'enabled', subscriptionCount: 0 }]);
  expect((await run('list', '--customer', 'Quiet Pine')).out).not.toContain('whsec_');
});

test.each([
  [['add', 'http://hooks.receiver.example', '--customer', 'Quiet Pine'], 'url: it must start with'],
  [['add', URL, '--customer', 'Unknown'], 'no customer has the ID or name Unknown'],
  [['disable', 'whe_none'], 'no endpoint has the ID whe_none'],
  [['redeliver', 'del_none'], 'no delivery has the ID del_none'],
])('rejects the webhooks arguments %j and suggests a fix', async (args, message) => {
  const { error, out } = await run(...args);
  expect([error?.message, out]).toEqual([expect.stringContaining(message), '']);
});

test('subscribes an endpoint to symbols from arguments or from standard input', async () => {
  const id = await addEndpoint();
  const first = await run('subscribe', id, 'acme', 'BRK-B,zzz', '!!');
  expect(first.out).toBe('3 added, 0 already subscribed\n');
  expect(first.err).toContain('Invalid symbols: !!');
  const second = await runWith(['ACME', 'NEW ONE'], 'subscribe', id, '-', '--json');
  expect(JSON.parse(second.out)).toMatchObject({ added: 2, standing: 1 });
  expect((await run('unsubscribe', id, 'ZZZ')).out).toBe('1 removed\n');
  const [row] = JSON.parse((await run('list', '--json')).out) as { subscriptionCount: number }[];
  expect(row?.subscriptionCount).toBe(4);
});

test('disables, enables and removes a webhook endpoint', async () => {
  const id = await addEndpoint();
  expect((await run('disable', id)).err).toContain('is now disabled');
  expect((await run('disable', id)).err).toContain('was already disabled');
  expect((await run('list')).out).toContain('disabled (operator)');
  expect((await run('enable', id)).err).toContain('is now enabled');
  expect((await run('remove', id)).err).toContain('is now removed');
  expect((await run('list', '--json')).out.trim()).toBe('[]');
});

test('rotates a webhook secret in two steps and records in the audit log that it was shown', async () => {
  const id = await addEndpoint();
  const next = (await run('secret', 'prepare', id)).out.trim();
  expect((await run('secret', 'prepare', id)).error?.message).toContain('already prepared');
  const activated = await run('secret', 'activate', id, '--overlap', '48', '--json');
  expect(JSON.parse(activated.out)).toEqual({ previousEndsAt: '2026-11-22T15:00:00Z' });
  const secrets = JSON.parse((await run('secret', 'show', id, '--json')).out) as object[];
  expect(secrets).toMatchObject([{ role: 'current', secret: next }, { role: 'previous' }]);
  expect((await run('secret', 'withdraw', id)).error?.message).toContain('No next secret');
  const actions = (await listAuditEvents(db, { customerId: null, limit: 10 })).map(
    ({ action }) => action,
  );
  expect(actions).toContain('webhook.reveal-secret');
});

test('sends a test delivery with real data, lists it, and redelivers it once it has finished', async () => {
  const id = await addEndpoint();
  expect((await run('test', id, '--symbol', 'NRTH')).error?.message).toContain('has no data');
  await storeRows(db, { securities: [securityOf('NRTH')], events: [eventOf('NRTH')] });
  await run('subscribe', id, 'NRTH');
  const deliveryId = (await run('test', id)).out.trim();
  expect(deliveryId).toMatch(/^del_/);
  const log = JSON.parse((await run('deliveries', id, '--json')).out) as object[];
  expect(log).toMatchObject([{ id: deliveryId, symbol: 'NRTH', state: 'pending', test: true }]);
  expect((await run('deliveries', id)).out).toContain('pending (test)');
  expect((await run('redeliver', deliveryId)).error?.message).toContain('not finished');
  await db.query(`update delivery set state = 'failed'`);
  const again = (await run('redeliver', deliveryId)).out.trim();
  expect(again).toMatch(/^del_/);
  expect((await run('deliveries', id, '--state', 'failed')).out).not.toContain(again);
  await db.query(`update delivery set state = 'failed' where id = $1`, [again]);
  expect((await run('recover', id, '--since', '6h')).out).toBe('Queued 1 delivery\n');
  expect((await run('recover', id, '--since', 'soon')).error?.message).toContain('not a past time');
});

test('filters deliveries by symbol, ignoring case', async () => {
  const id = await addEndpoint();
  await storeRows(db, { securities: [securityOf('NRTH')], events: [eventOf('NRTH')] });
  await run('subscribe', id, 'NRTH');
  const deliveryId = (await run('test', id)).out.trim();
  expect((await run('deliveries', id, '--symbol', 'nrth')).out).toContain(deliveryId);
  expect((await run('deliveries', id, '--symbol', 'acme')).out).not.toContain(deliveryId);
  expect((await run('deliveries', id, '--symbol', '!!')).error?.message).toContain(
    'not a ticker symbol',
  );
});

test.each(['1.5', '0', '101', 'all', ''])(
  'rejects %j as the maximum number of deliveries to list',
  async (rows) => {
    const { error } = await run('deliveries', await addEndpoint(), '--limit', rows);
    expect(error?.message).toBe('--limit must be a whole number from 1 to 100');
  },
);

test('rejects a start time that is too long ago to recover deliveries from', async () => {
  const id = await addEndpoint();
  expect((await run('recover', id, '--since', '30d')).out).toBe('Queued 0 deliveries\n');
  for (const since of ['31d', '90d', '2026-10-01T00:00:00Z']) {
    const { error, out } = await run('recover', id, '--since', since);
    expect([error?.message, out]).toEqual([`${since} is too long ago: 30d at most`, '']);
  }
});

test('manages watchlists, and refuses symbols of no company without changing anything', async () => {
  await storeRows(db, { securities: ['AAA', 'BBB', 'CCC'].map((symbol) => securityOf(symbol)) });
  const lists = (...args: string[]) => {
    const world = { db, clock: fakeClock(NOW), settings, stdin: [] };
    return runCommand(watchlistsCommand(random), world, [...args, '--customer', 'Quiet Pine']);
  };
  expect((await lists('set', 'Desk', 'aaa', 'BBB')).err).toBe('@desk has 2 companies\n');
  await lists('add', 'desk', 'CCC');
  await lists('remove', 'desk', 'AAA');
  expect((await lists('show', 'desk')).out).toBe('BBB\nCCC\n');
  const refused = await lists('set', 'desk', 'NOPE');
  expect(refused.error?.message).toBe('no company has the symbol NOPE; nothing was changed');
  expect(JSON.parse((await lists('list', '--json')).out)).toMatchObject([
    { name: 'desk', size: 2 },
  ]);
  const id = await addEndpoint();
  expect((await run('subscribe', id, '@desk', '*')).out).toBe('2 added, 0 already subscribed\n');
  expect((await lists('delete', 'desk')).error?.message).toContain('Unsubscribe them first');
  await run('unsubscribe', id, '@desk');
  expect((await lists('delete', 'desk')).err).toBe('Deleted @desk\n');
  expect((await lists('show', 'desk')).error?.message).toBe('no watchlist has the name desk');
});
