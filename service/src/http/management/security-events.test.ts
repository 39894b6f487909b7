import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Management, startManagement } from '../../../test/support/management-server.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import type { Db } from '../../storage/db.ts';

const MINUTE_MS = 60_000;
const KEYS = '/account/v1/keys';

let db: Db;
let management: Management;
let owner: Awaited<ReturnType<Management['person']>>;
let otherId: string;
beforeAll(async () => {
  db = await memoryStore();
  management = await startManagement(db);
  owner = await management.person('owner', await management.customer('Heron Research'));
  otherId = await management.customer('Quiet Pine Research');
});
beforeEach(async () => {
  await management.clock.advance(2 * MINUTE_MS);
});
afterAll(async () => {
  await management.stop();
  await db.close();
});

/** Returns the lines about refused requests that the work causes within a minute. */
async function linesAfter(work: () => Promise<unknown>) {
  const before = management.log.entries.length;
  await work();
  await db.query('select 1');
  await management.clock.advance(MINUTE_MS);
  return management.log.entries
    .slice(before)
    .map(({ fields }) => fields)
    .filter(({ event }) => String(event).startsWith('security.'));
}

function get(path: string, headers: Record<string, string> = owner.headers) {
  return management.call('GET', path, { headers });
}

test('logs wrong keys, one line for each network and minute', async () => {
  const wrongKey = (address: string) =>
    get(KEYS, { 'x-api-key': `eds_live_${'a'.repeat(38)}`, 'x-test-address': address });
  const lines = await linesAfter(async () => {
    for (let count = 0; count < 5; count++) await wrongKey('2001:db8::1');
    await wrongKey('2001:db8::2');
    await wrongKey('192.0.2.9');
  });
  expect(lines).toMatchObject([
    { event: 'security.wrong_key', network: '2001:db8::', count: 6 },
    { event: 'security.wrong_key', network: '192.0.2.9', count: 1 },
  ]);
  expect(JSON.stringify(lines)).not.toContain('aaaa');
});

test('counts wrong keys that the rate limit refuses', async () => {
  const headers = { 'x-api-key': 'eds_live_wrong', 'x-test-address': '192.0.2.77' };
  const lines = await linesAfter(async () => {
    for (let count = 0; count < 70; count++) await get(KEYS, headers);
  });
  expect(lines).toMatchObject([{ event: 'security.wrong_key', count: 70 }]);
});

test('bounds the lines of a flood from many networks', async () => {
  const lines = await linesAfter(async () => {
    for (let index = 0; index < 150; index++) {
      const address = `198.51.${100 + Math.floor(index / 100)}.${index % 100}`;
      await get(KEYS, { 'x-api-key': 'eds_live_wrong', 'x-test-address': address });
    }
  });
  expect(lines).toHaveLength(101);
  expect(lines.at(-1)).toMatchObject({ network: 'others', count: 50 });
});

test('logs a key that is used outside of its scopes', async () => {
  const { id, headers } = await management.program(otherId, ['read']);
  expect(await linesAfter(() => get(KEYS, headers))).toMatchObject([
    { event: 'security.key_misused', caller: id, customerId: otherId, count: 1 },
  ]);
});

test('logs changes from pages of another origin', async () => {
  const headers = { ...owner.headers, origin: 'https://evil.example' };
  const lines = await linesAfter(() => management.call('POST', KEYS, { headers, body: {} }));
  expect(lines).toMatchObject([
    { event: 'security.cross_origin', call: 'keys-create', caller: owner.id },
  ]);
});

test('logs calls without permission', async () => {
  expect(await linesAfter(() => get('/operator/v1/customers'))).toMatchObject([
    { event: 'security.forbidden', call: 'customers-list', caller: owner.id },
  ]);
});

test('logs IDs of other customers, but not IDs that do not exist', async () => {
  const { id } = await management.program(otherId);
  const end = (keyId: string) =>
    management.call('DELETE', `${KEYS}/${keyId}`, { headers: owner.headers });
  expect((await end(id)).status).toBe(404);
  const lines = await linesAfter(async () => {
    await end(id);
    await end(`key_${'0'.repeat(20)}`);
    await get(`${KEYS}?customerId=${otherId}`);
  });
  expect(lines).toMatchObject([
    { event: 'security.foreign_id', caller: owner.id, subject: id, count: 3 },
  ]);
});

test('logs webhook addresses that are not public', async () => {
  const body = { url: 'https://169.254.169.254/latest' };
  const lines = await linesAfter(() =>
    management.call('POST', '/account/v1/webhooks', { headers: owner.headers, body }),
  );
  expect(lines).toMatchObject([{ event: 'security.webhook_address', caller: owner.id }]);
});
