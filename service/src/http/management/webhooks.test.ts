import { describe, expect, test } from 'vitest';
import {
  TEMPLATE,
  useWebhookManagement,
  WEBHOOKS_PATH,
} from '../../../test/support/webhook-management.ts';
import { securityOf, storeRows } from '../../../test/support/stored-earnings.ts';
import { RECEIVER } from '../../../test/support/webhook-fixtures.ts';
import { FRESH_MS } from '../../accounts/permissions.ts';

const world = useWebhookManagement();
const { call, add, open, end } = world;
const SCHEDULE = { templateId: TEMPLATE };

describe('webhook endpoints', () => {
  test('creates, reads, updates, disables, enables and deletes webhook endpoints', async () => {
    const { path, secret } = await add();
    expect(secret).toMatch(/^whsec_/);
    const read = await call('GET', path);
    expect(read.json).toMatchObject({
      url: RECEIVER,
      description: '',
      state: 'enabled',
      disabledReason: null,
      subscriptionCount: 0,
      lastDeliveryAt: null,
      recentDelivered: 0,
      recentFailed: 0,
    });
    expect(read.text).not.toContain('whsec_');
    await call('PATCH', path, { description: 'night desk' });
    await call('PATCH', path, { enabled: false });
    expect((await call('GET', WEBHOOKS_PATH)).rows).toMatchObject([
      { description: 'night desk', url: RECEIVER, state: 'disabled', disabledReason: 'owner' },
    ]);
    expect((await call('PATCH', path, { enabled: true })).status).toBe(204);
    expect((await call('GET', path)).json).toMatchObject({ state: 'enabled', disabledAt: null });
    expect((await call('DELETE', path)).status).toBe(204);
    expect([(await call('GET', path)).status, (await call('GET', WEBHOOKS_PATH)).rows]).toEqual([
      404,
      [],
    ]);
  });

  test('returns the new endpoint with its secret, and the formats that were chosen', async () => {
    const formats = { standardWebhooks: true, payloadFormat: 'cloudevents' };
    const created = await call('POST', WEBHOOKS_PATH, { url: RECEIVER, ...formats });
    const { secret, ...endpoint } = created.json;
    expect([created.status, secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
    const path = `${WEBHOOKS_PATH}/${endpoint.id}`;
    expect((await call('GET', path)).json).toEqual(endpoint);
    expect(endpoint).toMatchObject({ url: RECEIVER, state: 'enabled', ...formats });
    await call('PATCH', path, { payloadFormat: 'json' });
    expect((await call('GET', path)).json).toMatchObject({
      payloadFormat: 'json',
      standardWebhooks: true,
    });
    expect((await call('PATCH', path, { payloadFormat: 'xml' })).status).toBe(400);
  });

  test('lists company sets page by page, each once', async () => {
    const securities = [
      securityOf('AAA', { exchange: 'NYSE' }),
      securityOf('BBB', { exchange: 'NASDAQ' }),
    ];
    await storeRows(world.db, { securities });
    const { path } = await add();
    const symbols = 'exchange:nyse, EXCHANGE:Nasdaq, *, AAA';
    const subscribed = await call('POST', `${path}/subscriptions`, { ...SCHEDULE, symbols });
    expect(subscribed.json).toMatchObject({ added: 4, unknown: [], refused: [] });
    const listed: unknown[] = [];
    for (let after = ''; after !== 'null';) {
      const query = after === '' ? 'limit=1' : `limit=1&after=${encodeURIComponent(after)}`;
      const { json } = await call('GET', `${path}/subscriptions?${query}`);
      const rows = json['subscriptions'] as { symbol: string }[];
      listed.push(...rows.map(({ symbol }) => symbol));
      after = String(json['next']);
    }
    expect(listed).toEqual(['*', 'AAA', 'exchange:nasdaq', 'exchange:nyse']);
    const refused = await call('POST', `${path}/subscriptions`, { ...SCHEDULE, symbols: '@none' });
    expect([refused.status, refused.json.code]).toEqual([404, 'unknown-watchlist']);
  });

  test('rejects an endpoint URL that is not public HTTPS, and explains how to fix it', async () => {
    const { status, json } = await call('POST', WEBHOOKS_PATH, { url: 'http://127.0.0.1/' });
    expect([status, json.code, json['parameter']]).toEqual([400, 'invalid-parameter', 'url']);
    expect(json['detail']).toContain('a name, not an address');
  });

  test("shows how many of an endpoint's recent deliveries succeeded", async () => {
    const { path, id } = await add();
    const [one = '', two = '', three = ''] = await open(id, 'A', 'B', 'C');
    await end(one, 'delivered');
    await end(two, 'delivered');
    await end(three, 'failed');
    expect((await call('GET', path)).json).toMatchObject({ recentDelivered: 2, recentFailed: 1 });
  });

  test('lets only operators enable an endpoint that an operator disabled', async () => {
    const { path } = await add();
    const { headers } = await world.management.person('operator', null);
    const asOperator = (enabled: boolean) =>
      world.management.call('PATCH', `${path}?customerId=${world.customerId}`, {
        headers,
        body: { enabled },
      });
    expect((await asOperator(false)).status).toBe(204);
    const refused = await call('PATCH', path, { description: 'night desk', enabled: true });
    expect(refused.json.code).toBe('conflict');
    expect((await call('GET', path)).json).toMatchObject({ description: '', state: 'disabled' });
    expect((await asOperator(true)).status).toBe(204);
  });

  test('deletes the endpoints of a deleted customer and cancels their pending deliveries', async () => {
    const { id } = await add();
    const [waiting = ''] = await open(id, 'ACME');
    const { headers } = await world.management.person('operator', null);
    const path = `/operator/v1/customers/${world.customerId}`;
    expect((await world.management.call('DELETE', path, { headers })).status).toBe(204);
    const [delivery] = await world.db.query('select state from delivery where id = $1', [waiting]);
    expect(delivery).toEqual({ state: 'cancelled' });
    const left = `select deleted_at from webhook_endpoint where id = $1 and deleted_at is null`;
    expect(await world.db.query(left, [id])).toEqual([]);
  });

  test('allows up to sixty endpoint changes per minute', async () => {
    const { path } = await add();
    for (let done = 1; done < 60; done += 1) {
      expect((await call('PATCH', path, { description: `${done}` })).status).toBe(204);
    }
    const { status, headers } = await call('PATCH', path, { description: 'once more' });
    expect([status, headers['retry-after']]).toEqual([429, '60']);
  });
});

describe('subscriptions', () => {
  test('lets callers paste, page through and remove subscriptions', async () => {
    const { path } = await add();
    const list = `${path}/subscriptions`;
    const symbols = 'zzz\nACME; brk-b, 123';
    const added = await call('POST', list, { templateId: TEMPLATE, symbols });
    expect(added.json).toEqual({
      added: 3,
      standing: 0,
      refused: ['123'],
      repeated: [],
      unknown: ['ACME', 'BRK.B', 'ZZZ'],
    });
    const first = await call('GET', `${list}?limit=2`);
    expect(first.json).toMatchObject({
      subscriptions: [
        { templateId: TEMPLATE, symbol: 'ACME', answeredAt: null },
        { symbol: 'BRK.B' },
      ],
      next: `${TEMPLATE}:BRK.B`,
    });
    const next = encodeURIComponent(String(first.json['next']));
    const second = await call('GET', `${list}?limit=2&after=${next}`);
    expect(second.json).toMatchObject({ subscriptions: [{ symbol: 'ZZZ' }], next: null });
    const body = { templateId: TEMPLATE, symbols: ['ZZZ', 'NONE'] };
    expect((await call('POST', `${list}/remove`, body)).json).toMatchObject({ removed: 1 });
    expect((await call('GET', path)).json).toMatchObject({ subscriptionCount: 2 });
  });

  test('accepts a subscription only for an existing template', async () => {
    const { path } = await add();
    const [template] = (await call('GET', '/account/v1/webhook-templates')).rows;
    expect(template).toMatchObject({ templateId: TEMPLATE, fields: ['date', 'eps'] });
    const body = { templateId: 'weather', symbols: 'ACME' };
    const { json } = await call('POST', `${path}/subscriptions`, body);
    expect(json).toMatchObject({ code: 'invalid-parameter', parameter: 'templateId' });
  });
});

describe('signing secrets', () => {
  test('rotates a signing secret in two steps, and reveals it after a recent password confirmation', async () => {
    const { path, secret } = await add();
    const none = { nextSecretSince: null, previousSecretEndsAt: null };
    expect((await call('GET', path)).json).toMatchObject(none);
    const prepared = await call('POST', `${path}/secret/prepare`);
    const since = expect.stringContaining('T') as string;
    const shownNext = { nextSecretSince: since, previousSecretEndsAt: null };
    expect((await call('GET', path)).json).toMatchObject(shownNext);
    const next = prepared.json['secret'];
    expect([prepared.status, next]).toEqual([201, expect.stringMatching(/^whsec_/)]);
    expect((await call('POST', `${path}/secret/prepare`)).json.code).toBe('conflict');
    expect((await call('POST', `${path}/secret/reveal`)).rows).toMatchObject([
      { role: 'current', secret },
      { role: 'next', secret: next },
    ]);
    const activated = await call('POST', `${path}/secret/activate`, { overlapHours: 168 });
    const over = { nextSecretSince: null, previousSecretEndsAt: activated.json['previousEndsAt'] };
    expect((await call('GET', path)).json).toMatchObject(over);
    expect(Date.parse(String(activated.json['previousEndsAt']))).toBe(
      world.management.clock.now() + 168 * 3_600_000,
    );
    expect((await call('POST', `${path}/secret/reveal`)).rows).toMatchObject([
      { role: 'current', secret: next, expiresAt: null },
      { role: 'previous', secret, expiresAt: activated.json['previousEndsAt'] },
    ]);
    const audit = await call('GET', '/account/v1/audit');
    expect(audit.text).toContain('webhook.reveal-secret');
    for (const text of [secret, next]) expect(audit.text).not.toContain(String(text));
    await world.management.clock.advance(FRESH_MS);
    const late = await call('POST', `${path}/secret/reveal`);
    expect([late.status, late.json.code]).toEqual([403, 'fresh-password-required']);
  });

  test('neither reveals nor rotates a signing secret for an API key, since a rotation returns the next secret', async () => {
    const { path } = await add();
    const { headers } = await world.management.program(world.customerId);
    for (const act of ['reveal', 'prepare', 'withdraw', 'activate']) {
      const body = act === 'activate' ? { body: {} } : {};
      const reply = await world.management.call('POST', `${path}/secret/${act}`, {
        headers,
        ...body,
      });
      expect(reply.json.code).toBe('forbidden');
    }
  });
});
