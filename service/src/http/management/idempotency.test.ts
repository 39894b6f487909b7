import { expect, test } from 'vitest';
import {
  TEMPLATE,
  useWebhookManagement,
  WEBHOOKS_PATH,
} from '../../../test/support/webhook-management.ts';
import { RECEIVER } from '../../../test/support/webhook-fixtures.ts';

const world = useWebhookManagement();
const BODY = { url: RECEIVER };
const DAY_MS = 86_400_000;

/** Makes a call with an idempotency key, as the owner of the customer; null sends no body. */
function call(key: string, body: unknown = BODY, path = WEBHOOKS_PATH, person = world.owner) {
  const headers = { ...person.headers, 'idempotency-key': key };
  return world.management.call('POST', path, body === null ? { headers } : { headers, body });
}

async function endpointCount(): Promise<number> {
  return (await world.call('GET', WEBHOOKS_PATH)).rows.length;
}

test('returns the stored response of a repeated call, for a day', async () => {
  const first = await call('a');
  const again = await call('a');
  expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(await endpointCount()).toBe(1);
  const rows = await world.db.query('select response from idempotent_call');
  expect(JSON.stringify(rows)).not.toContain(String(first.json['secret']).slice(6));
  await world.management.clock.advance(DAY_MS);
  world.owner = await world.management.person('owner', world.customerId);
  await call('a');
  expect(await endpointCount()).toBe(2);
});

test('rejects a key that was used for another body, query or path', async () => {
  const { id } = (await call('a')).json;
  const other = await call('a', { ...BODY, description: 'desk' });
  expect([other.status, other.json.code]).toEqual([422, 'idempotency-key-reused']);
  const prepare = `${WEBHOOKS_PATH}/${id}/secret/prepare`;
  expect((await call('a', null, prepare)).status).toBe(422);
  expect((await call('b', null, prepare)).status).toBe(201);
});

test('runs concurrent calls with one key once', async () => {
  const replies = await Promise.all(Array.from({ length: 5 }, () => call('a')));
  expect(await endpointCount()).toBe(1);
  const created = replies.filter(({ status }) => status === 201);
  const others = replies.filter(({ status }) => status !== 201);
  expect(created.length).toBeGreaterThan(0);
  expect(new Set(created.map(({ text }) => text)).size).toBe(1);
  for (const { json, headers } of others) {
    expect([json.code, headers['retry-after']]).toEqual(['idempotency-key-in-use', '1']);
  }
  expect((await call('a')).text).toBe(created[0]?.text);
});

test('lets a rejected call be repeated with the same key', async () => {
  const { id } = (await call('create')).json;
  const activate = `${WEBHOOKS_PATH}/${id}/secret/activate`;
  expect((await call('a', {}, activate)).json.code).toBe('conflict');
  await call('prepare', null, `${WEBHOOKS_PATH}/${id}/secret/prepare`);
  const activated = await call('a', {}, activate);
  expect([activated.status, activated.headers['idempotent-replayed']]).toEqual([200, undefined]);
  expect((await call('a', {}, activate)).text).toBe(activated.text);
});

test('repeats a response without a body, and a call that changed nothing', async () => {
  const { id } = (await call('create')).json;
  await call('prepare', null, `${WEBHOOKS_PATH}/${id}/secret/prepare`);
  const withdraw = `${WEBHOOKS_PATH}/${id}/secret/withdraw`;
  const statuses = [await call('w', null, withdraw), await call('w', null, withdraw)];
  expect(statuses.map(({ status, text }) => [status, text])).toEqual([
    [204, ''],
    [204, ''],
  ]);
  const body = { templateId: TEMPLATE, symbols: 'ACME', preview: true };
  const subscriptions = `${WEBHOOKS_PATH}/${id}/subscriptions`;
  const previews = [await call('p', body, subscriptions), await call('p', body, subscriptions)];
  expect(previews.map(({ headers }) => headers['idempotent-replayed'])).toEqual([
    undefined,
    'true',
  ]);
});

test('keeps the keys of different callers apart', async () => {
  const first = await call('a');
  const second = await world.management.person('owner', world.customerId);
  expect((await call('a', BODY, WEBHOOKS_PATH, second)).json.id).not.toBe(first.json.id);
});

test.each(['', 'two words', 'x'.repeat(256), 'naïve'])('rejects the key %j', async (key) => {
  const { status, json } = await call(key);
  expect([status, json['parameter']]).toEqual([400, 'Idempotency-Key']);
  expect(await endpointCount()).toBe(0);
});
