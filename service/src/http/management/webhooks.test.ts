import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Management,
  type Reply,
  startManagement,
} from '../../../test/support/management-server.ts';
import { RECEIVER } from '../../../test/support/webhook-fixtures.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import { FRESH_MS } from '../../accounts/permissions.ts';
import { lockEndpoints } from '../../webhooks/endpoint/lock-endpoints.ts';
import { createDeliveries } from '../../webhooks/queue/open-deliveries.ts';
import type { Db } from '../../storage/db.ts';
import type { Route } from './route.ts';

const BASE = '/account/v1/webhooks';
const TEMPLATE = 'earnings_schedule';

let db: Db;
let management: Management;
let customerId: string;
let owner: Awaited<ReturnType<Management['person']>>;
let customers = 0;

beforeAll(async () => {
  db = await memoryStore();
  management = await startManagement(db);
});
beforeEach(async () => {
  customers += 1;
  customerId = await management.customer(`Quiet Pine ${customers}`);
  owner = await management.person('owner', customerId);
});
afterAll(async () => {
  await management.stop();
  await db.close();
});

function call(method: Route['method'], path: string, body?: unknown): Promise<Reply> {
  const { headers } = owner;
  return management.call(method, path, body === undefined ? { headers } : { headers, body });
}

async function add(): Promise<{ path: string; id: string; secret: unknown }> {
  const { status, json } = await call('POST', BASE, { url: RECEIVER });
  expect(status).toBe(201);
  return { path: `${BASE}/${json.id}`, id: json.id, secret: json['secret'] };
}

/** Creates deliveries for the endpoint one millisecond apart, as the worker does. */
async function open(endpointId: string, ...symbols: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const symbol of symbols) {
    await management.clock.advance(1_000);
    const { deps } = management;
    const opened = await db.transaction(async (tx) => {
      const endpoint = (await lockEndpoints(tx, [endpointId])).get(endpointId);
      if (endpoint === undefined) throw new Error('no endpoint');
      const now = deps.clock.now();
      const kind = { templateId: TEMPLATE, eventType: `${TEMPLATE}.changed` };
      const subject = { endpoint, ...kind, symbol, changedAt: now };
      return createDeliveries({ tx, random: deps.random }, [subject], { now });
    });
    ids.push(...opened);
  }
  return ids;
}

function end(id: string, state: string): Promise<unknown> {
  return db.query('update delivery set state = $2 where id = $1', [id, state]);
}

describe('deliveries for all customers', () => {
  test('lists deliveries by customer for operators, with the state of the queue', async () => {
    const mine = await add();
    const [id = ''] = await open(mine.id, 'ACME');
    const operator = await management.person('operator', null);
    const ask = (path: string) =>
      management.call('GET', `/operator/v1/${path}`, { headers: operator.headers });
    const whole = await ask('deliveries?limit=1');
    expect(whole.json).toMatchObject({ deliveries: [{ id, customerId, symbol: 'ACME' }] });
    const behind = await ask(`deliveries?before=${id}&customerId=${customerId}`);
    expect(behind.json).toEqual({ deliveries: [], next: null });
    await management.clock.advance(60_000);
    const { json } = await ask('webhooks/figures');
    expect(json).toMatchObject({ inFlight: 0, due: expect.any(Number) as number });
    expect(json['worst']).toContainEqual(
      expect.objectContaining({ endpointId: mine.id, customerId, url: RECEIVER }),
    );
  });
});

describe('delivery statistics', () => {
  test('covers every endpoint and its attempts in the delivery statistics', async () => {
    const one = await add();
    const [id = ''] = await open(one.id, 'ACME');
    const other = await add();
    await db.query(
      `insert into delivery_attempt (delivery_id, n, state, claim_token, started_at, duration_ms,
                                     request_body, response_status)
       values ($1, 1, 'finished', 'token', to_timestamp($2 / 1000.0), 12.5, '{}', 200)`,
      [id, management.clock.now()],
    );
    await management.clock.advance(1_000);
    const figures = await call('GET', '/account/v1/delivery-figures');
    expect(figures.json['endpoints']).toMatchObject([
      {
        endpointId: one.id,
        delivered: 1,
        failed: 0,
        successRate: 1,
        lastDeliveryAt: expect.stringMatching(/^2026/) as string,
        slices: [
          {
            delivered: 1,
            errors: {},
            p50Ms: 12.5,
            p95Ms: 12.5,
          },
        ],
      },
      { endpointId: other.id, successRate: null, lastDeliveryAt: null, slices: [] },
    ]);
    const operator = await management.person('operator', null);
    const whole = await management.call('GET', '/operator/v1/delivery-figures', operator);
    expect(whole.json).toMatchObject({ delivered: 1, failed: 0, slices: [{ delivered: 1 }] });
    const log = '/operator/v1/deliveries?test=';
    for (const [isTest, found] of [
      [false, 1],
      [true, 0],
    ] as const) {
      const page = await management.call('GET', `${log}${isTest}&endpointId=${one.id}`, operator);
      expect(page.json['deliveries']).toHaveLength(found);
    }
    const long = await call('GET', '/account/v1/delivery-figures?from=2026-01-01T00:00:00Z');
    expect(long.json).toMatchObject({ code: 'invalid-parameter', parameter: 'from' });
  });

  test("returns a not-found problem for the delivery statistics of another customer's endpoint", async () => {
    const { id } = await add();
    owner = await management.person('owner', await management.customer(`Loud Oak ${customers}`));
    const theirs = await call('GET', `/account/v1/delivery-figures?endpointId=${id}`);
    expect([theirs.status, theirs.json.code]).toEqual([404, 'not-found']);
  });
});

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
    expect((await call('GET', BASE)).rows).toMatchObject([
      { description: 'night desk', url: RECEIVER, state: 'disabled', disabledReason: 'owner' },
    ]);
    expect((await call('PATCH', path, { enabled: true })).status).toBe(204);
    expect((await call('GET', path)).json).toMatchObject({ state: 'enabled', disabledAt: null });
    expect((await call('DELETE', path)).status).toBe(204);
    expect([(await call('GET', path)).status, (await call('GET', BASE)).rows]).toEqual([404, []]);
  });

  test('rejects an endpoint URL that is not public HTTPS, and explains how to fix it', async () => {
    const { status, json } = await call('POST', BASE, { url: 'http://127.0.0.1/' });
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
    const { headers } = await management.person('operator', null);
    const asOperator = (enabled: boolean) =>
      management.call('PATCH', `${path}?customerId=${customerId}`, { headers, body: { enabled } });
    expect((await asOperator(false)).status).toBe(204);
    const refused = await call('PATCH', path, { description: 'night desk', enabled: true });
    expect(refused.json.code).toBe('conflict');
    expect((await call('GET', path)).json).toMatchObject({ description: '', state: 'disabled' });
    expect((await asOperator(true)).status).toBe(204);
  });

  test('deletes the endpoints of a deleted customer and cancels their pending deliveries', async () => {
    const { id } = await add();
    const [waiting = ''] = await open(id, 'ACME');
    const { headers } = await management.person('operator', null);
    const path = `/operator/v1/customers/${customerId}`;
    expect((await management.call('DELETE', path, { headers })).status).toBe(204);
    const [delivery] = await db.query('select state from delivery where id = $1', [waiting]);
    expect(delivery).toEqual({ state: 'cancelled' });
    const left = `select deleted_at from webhook_endpoint where id = $1 and deleted_at is null`;
    expect(await db.query(left, [id])).toEqual([]);
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
      management.clock.now() + 168 * 3_600_000,
    );
    expect((await call('POST', `${path}/secret/reveal`)).rows).toMatchObject([
      { role: 'current', secret: next, expiresAt: null },
      { role: 'previous', secret, expiresAt: activated.json['previousEndsAt'] },
    ]);
    const audit = await call('GET', '/account/v1/audit');
    expect(audit.text).toContain('webhook.reveal-secret');
    for (const text of [secret, next]) expect(audit.text).not.toContain(String(text));
    await management.clock.advance(FRESH_MS);
    const late = await call('POST', `${path}/secret/reveal`);
    expect([late.status, late.json.code]).toEqual([403, 'fresh-password-required']);
  });

  test('neither reveals nor rotates a signing secret for an API key, since a rotation returns the next secret', async () => {
    const { path } = await add();
    const { headers } = await management.program(customerId);
    for (const act of ['reveal', 'prepare', 'withdraw', 'activate']) {
      const body = act === 'activate' ? { body: {} } : {};
      const reply = await management.call('POST', `${path}/secret/${act}`, { headers, ...body });
      expect(reply.json.code).toBe('forbidden');
    }
  });
});

describe('deliveries', () => {
  test('lists deliveries newest first, with pagination and filters', async () => {
    const { id } = await add();
    const ids = await open(id, 'A', 'B', 'C');
    await end(ids[1] ?? '', 'failed');
    const list = '/account/v1/deliveries';
    const first = await call('GET', `${list}?limit=2`);
    expect(idsIn(first)).toEqual([ids[2], ids[1]]);
    const second = await call('GET', `${list}?limit=2&before=${String(first.json['next'])}`);
    expect([idsIn(second), second.json['next']]).toEqual([[ids[0]], null]);
    for (const [asked, expected] of [
      ['state=failed', [ids[1]]],
      ['symbol=c', [ids[2]]],
      [`endpointId=${id}&templateId=${TEMPLATE}`, ids.toReversed()],
      ['to=2026-01-01T00:00:00Z', []],
      ['test=true', []],
      ['test=false', ids.toReversed()],
    ] as const) {
      expect(idsIn(await call('GET', `${list}?${asked}`))).toEqual(expected);
    }
    expect((await call('GET', `${list}?symbol=%21`)).json['parameter']).toBe('symbol');
  });

  test('returns a delivery with its attempts, and redelivers it only once it has finished', async () => {
    const { path, id } = await add();
    const body = { templateId: TEMPLATE, symbols: 'ACME' };
    await call('POST', `${path}/subscriptions`, body);
    const [deliveryId = ''] = await open(id, 'ACME');
    const one = `/account/v1/deliveries/${deliveryId}`;
    await db.query(
      `insert into delivery_attempt (delivery_id, n, state, claim_token, started_at, request_body,
                                     request_headers, response_status, duration_ms)
       values ($1, 1, 'finished', 'x', now(), '{}', '[["X-Service-Signature","sha256=00"]]', 500, 9)`,
      [deliveryId],
    );
    expect((await call('GET', one)).json).toMatchObject({
      id: deliveryId,
      symbol: 'ACME',
      state: 'pending',
      test: false,
      attempts: [
        {
          n: 1,
          requestBody: '{}',
          responseStatus: 500,
          durationMs: 9,
          errorCode: null,
          requestHeaders: [['X-Service-Signature', 'sha256=00']],
        },
      ],
    });
    expect((await call('POST', `${one}/redeliver`)).json.code).toBe('conflict');
    await end(deliveryId, 'failed');
    const again = await call('POST', `${one}/redeliver`);
    expect([again.status, again.json['isHeld']]).toEqual([201, false]);
    const fresh = await call('GET', `/account/v1/deliveries/${String(again.json['deliveryId'])}`);
    expect(fresh.json).toMatchObject({ replayOf: deliveryId, state: 'pending' });
    await end(fresh.json.id, 'cancelled');
    await call('POST', `${path}/subscriptions/remove`, body);
    expect((await call('POST', `${one}/redeliver`)).json['detail']).toContain(
      'no longer subscribed',
    );
  });

  test('recovers failed deliveries from a given time', async () => {
    const { path, id } = await add();
    await call('POST', `${path}/subscriptions`, { templateId: TEMPLATE, symbols: 'A B' });
    const [failed = '', delivered = ''] = await open(id, 'A', 'B');
    await end(failed, 'failed');
    await end(delivered, 'delivered');
    const since = new Date(management.clock.now() - 60_000).toISOString();
    expect((await call('POST', `${path}/recover`, { since })).json).toEqual({ opened: 1 });
    for (const wrong of ['yesterday', '2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z']) {
      const { json } = await call('POST', `${path}/recover`, { since: wrong });
      expect([json.code, json['parameter']]).toEqual(['invalid-parameter', 'since']);
    }
  });

  test('sends test deliveries with real data, up to ten per minute', async () => {
    const { path } = await add();
    const nothing = await call('POST', `${path}/test`, {});
    expect(nothing.json.code).toBe('conflict');
    const unknown = await call('POST', `${path}/test`, { symbol: 'ZZZ' });
    expect(unknown.json['detail']).toContain('ZZZ has no data');
    await call('POST', `${path}/subscriptions`, { templateId: TEMPLATE, symbols: 'ACME' });
    const sent = await call('POST', `${path}/test`, {});
    expect([sent.status, sent.json['symbol']]).toEqual([201, 'ACME']);
    const read = await call('GET', `/account/v1/deliveries/${String(sent.json['deliveryId'])}`);
    expect(read.json).toMatchObject({ test: true, maxAttempts: 1, state: 'pending' });
    for (let more = 1; more < 10; more += 1) {
      expect((await call('POST', `${path}/test`, { symbol: 'ACME' })).status).toBe(201);
    }
    expect((await call('POST', `${path}/test`, { symbol: 'ACME' })).status).toBe(429);
  });

  test('lists alerts page by page', async () => {
    const { id } = await add();
    for (const kind of ['failing', 'disabled']) {
      await db.query(
        `insert into webhook_alert (endpoint_id, customer_id, kind, at, detail)
         values ($1, $2, $3, now(), 'ten failures in a row')`,
        [id, customerId, kind],
      );
    }
    const first = await call('GET', '/account/v1/webhook-alerts?limit=1');
    expect(first.json).toMatchObject({ alerts: [{ kind: 'disabled', endpointId: id }] });
    const before = String(first.json['next']);
    const second = await call('GET', `/account/v1/webhook-alerts?before=${before}`);
    expect(second.json).toMatchObject({ alerts: [{ kind: 'failing' }], next: null });
  });
});

function idsIn({ json }: Reply): unknown[] {
  return (json['deliveries'] as { id: string }[]).map(({ id }) => id);
}
