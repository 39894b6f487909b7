import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../test/support/management-server.ts';
import { TEMPLATE, useWebhookManagement } from '../../../test/support/webhook-management.ts';
import { RECEIVER } from '../../../test/support/webhook-fixtures.ts';

const world = useWebhookManagement();
const { call, add, open, end } = world;

describe('deliveries for all customers', () => {
  test('lists deliveries by customer for operators, with the state of the queue', async () => {
    const mine = await add();
    const [id = ''] = await open(mine.id, 'ACME');
    const operator = await world.management.person('operator', null);
    const ask = (path: string) =>
      world.management.call('GET', `/operator/v1/${path}`, { headers: operator.headers });
    const whole = await ask('deliveries?limit=1');
    expect(whole.json).toMatchObject({
      deliveries: [{ id, customerId: world.customerId, symbol: 'ACME' }],
    });
    const behind = await ask(`deliveries?before=${id}&customerId=${world.customerId}`);
    expect(behind.json).toEqual({ deliveries: [], next: null });
    await world.management.clock.advance(60_000);
    const { json } = await ask('webhooks/figures');
    expect(json).toMatchObject({ inFlight: 0, due: expect.any(Number) as number });
    expect(json['worst']).toContainEqual(
      expect.objectContaining({ endpointId: mine.id, customerId: world.customerId, url: RECEIVER }),
    );
  });
});

describe('delivery statistics', () => {
  test('covers every endpoint and its attempts in the delivery statistics', async () => {
    const one = await add();
    const [id = ''] = await open(one.id, 'ACME');
    const other = await add();
    await world.db.query(
      `insert into delivery_attempt (delivery_id, n, state, claim_token, started_at, duration_ms,
                                     request_body, response_status)
       values ($1, 1, 'finished', 'token', to_timestamp($2 / 1000.0), 12.5, '{}', 200)`,
      [id, world.management.clock.now()],
    );
    await world.management.clock.advance(1_000);
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
    const operator = await world.management.person('operator', null);
    const whole = await world.management.call('GET', '/operator/v1/delivery-figures', operator);
    expect(whole.json).toMatchObject({ delivered: 1, failed: 0, slices: [{ delivered: 1 }] });
    const log = '/operator/v1/deliveries?test=';
    for (const [isTest, found] of [
      [false, 1],
      [true, 0],
    ] as const) {
      const page = await world.management.call(
        'GET',
        `${log}${isTest}&endpointId=${one.id}`,
        operator,
      );
      expect(page.json['deliveries']).toHaveLength(found);
    }
    const long = await call('GET', '/account/v1/delivery-figures?from=2026-01-01T00:00:00Z');
    expect(long.json).toMatchObject({ code: 'invalid-parameter', parameter: 'from' });
  });

  test("returns a not-found problem for the delivery statistics of another customer's endpoint", async () => {
    const { id } = await add();
    world.owner = await world.management.person('owner', await world.newCustomer());
    const theirs = await call('GET', `/account/v1/delivery-figures?endpointId=${id}`);
    expect([theirs.status, theirs.json.code]).toEqual([404, 'not-found']);
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
    await world.db.query(
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
    const since = new Date(world.management.clock.now() - 60_000).toISOString();
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
      await world.db.query(
        `insert into webhook_alert (endpoint_id, customer_id, kind, at, detail)
         values ($1, $2, $3, now(), 'ten failures in a row')`,
        [id, world.customerId, kind],
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
