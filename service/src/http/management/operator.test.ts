import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Management,
  type Reply,
  startManagement,
} from '../../../test/support/management-server.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import { FRESH_MS } from '../../accounts/permissions.ts';
import { saveUses } from '../../metering/quota-store.ts';
import { addRequests } from '../../metering/request-log-store.ts';
import { addUsage } from '../../metering/usage-store.ts';
import { quotaPeriodOf } from '../../domain/quota-window.ts';
import type { Db } from '../../storage/db.ts';
import type { Route } from './route.ts';

const HOUR_MS = 3_600_000;
const CUSTOMERS = '/operator/v1/customers';

let db: Db;
let management: Management;
let operator: { headers: Record<string, string> };
let customerId: string;
let owner: { headers: Record<string, string> };

beforeAll(async () => {
  db = await memoryStore();
  management = await startManagement(db);
  operator = await management.person('operator', null);
  customerId = await management.customer('Quiet Pine Research', 'free');
  owner = await management.person('owner', customerId);
});
afterAll(async () => {
  await management.stop();
  await db.close();
});

function operate(method: Route['method'], path: string, body?: unknown): Promise<Reply> {
  return management.call(method, path, body === undefined ? operator : { ...operator, body });
}

function ask(path: string): Promise<Reply> {
  return management.call('GET', path, owner);
}

describe('customers', () => {
  test('lists customers by name across pages and finds them by part of a name', async () => {
    for (const name of ['Reed A', 'Reed B', 'Reed C']) await management.customer(name);
    const names: unknown[] = [];
    let next: string | null = '';
    while (next !== null) {
      const query = new URLSearchParams({ search: 'reed', limit: '2', after: next });
      const page = await operate('GET', `${CUSTOMERS}?${query.toString()}`);
      names.push(...(page.json['customers'] as { name: string }[]).map(({ name }) => name));
      next = page.json['next'] as typeof next;
    }
    expect(names).toEqual(['Reed A', 'Reed B', 'Reed C']);
    const taken = await operate('POST', CUSTOMERS, { name: 'Reed A', plan: 'free' });
    expect([taken.status, taken.json.code]).toEqual([409, 'conflict']);
    const planless = await operate('POST', CUSTOMERS, { name: 'Reed D', plan: 'gold' });
    expect(planless.json).toMatchObject({ status: 400, parameter: 'plan' });
  });

  test("applies a customer's plan change, suspension or deletion from the next request", async () => {
    const id = await management.customer('Brief Brook');
    const { key } = await management.program(id, ['read']);
    await management.person('owner', id);
    const found = () => management.keys.find(key);
    expect((await operate('PUT', `${CUSTOMERS}/${id}/plan`, { plan: 'free' })).status).toBe(204);
    expect(found()?.plan).toMatchObject({ name: 'free', perDay: 100 });
    expect((await operate('POST', `${CUSTOMERS}/${id}/suspend`)).status).toBe(204);
    expect(found()?.suspendedAt).not.toBeNull();
    const read = await operate('GET', `${CUSTOMERS}/${id}`);
    expect(read.json).toMatchObject({ state: 'suspended', suspendedAt: '2026-11-20T15:30:00Z' });
    expect((await operate('POST', `${CUSTOMERS}/${id}/resume`)).status).toBe(204);
    expect(found()?.suspendedAt).toBeNull();
    await noteRequests(id);
    expect((await operate('DELETE', `${CUSTOMERS}/${id}`)).status).toBe(204);
    expect(found()).toBeNull();
    for (const table of ['usage_hour', 'request_log', 'membership']) {
      // Rows that still reference the customer.
      const left = await db.query(`select 1 from ${table} where customer_id = $1`, [id]);
      expect([table, left]).toEqual([table, []]);
    }
    for (const path of [`${CUSTOMERS}/${id}`, `/account/v1/account?customerId=${id}`]) {
      expect((await operate('GET', path)).status).toBe(404);
    }
    expect((await operate('DELETE', `${CUSTOMERS}/${id}`)).status).toBe(404);
    expect((await operate('POST', CUSTOMERS, { name: 'Brief Brook', plan: 'pro' })).status).toBe(
      201,
    );
  });

  test('requires operators to specify the customer when they read an account', async () => {
    const unnamed = await operate('GET', '/account/v1/account');
    expect(unnamed.json).toMatchObject({ code: 'missing-parameter', parameter: 'customerId' });
    const named = await operate('GET', `/account/v1/account?customerId=${customerId}`);
    expect(named.json).toMatchObject({ name: 'Quiet Pine Research' });
    const none = await operate('GET', '/account/v1/account?customerId=cus_none');
    expect([none.status, none.json.code]).toEqual([404, 'not-found']);
  });
});

test('responds to a long id as to any unknown one', async () => {
  const reply = await operate('GET', `${CUSTOMERS}/${'x'.repeat(2_000)}`);
  expect(reply).toMatchObject({ status: 404, json: { code: 'not-found', status: 404 } });
});

test('applies new and changed plans immediately, and does not delete plans in use', async () => {
  const limits = { perMinute: 30, perDay: 500, perMonth: null, historyMonths: 6 };
  const put = (body: object) => operate('PUT', '/operator/v1/plans/small', body);
  const defaults = {
    computeMsPerMinute: 30_000,
    watchlistsMax: 50,
    watchlistCompaniesMax: 1_000,
  };
  const created = { name: 'small', ...limits, ...defaults };
  expect((await put(limits)).json).toEqual(created);
  const id = await management.customer('Small Stream', 'small');
  const { key } = await management.program(id, ['read']);
  await put({ ...limits, perMinute: 40, watchlistsMax: 7 });
  expect(management.keys.find(key)?.plan.perMinute).toBe(40);
  expect((await put({ ...limits, perMinute: 40 })).json).toMatchObject({ watchlistsMax: 7 });
  expect((await put({ ...limits, perMinute: 0 })).json).toMatchObject({ parameter: 'perMinute' });
  expect((await put({ perMinute: 1 })).json).toMatchObject({ status: 400, parameter: 'perDay' });
  const listed = await operate('GET', '/operator/v1/plans');
  expect(listed.rows.map(({ name }) => name)).toEqual(['small', 'free', 'pro']);
  const used = await operate('DELETE', '/operator/v1/plans/small');
  expect([used.status, used.json.code]).toEqual([409, 'conflict']);
  await operate('PUT', '/operator/v1/plans/spare', limits);
  expect((await operate('DELETE', '/operator/v1/plans/spare')).status).toBe(204);
  expect((await operate('DELETE', '/operator/v1/plans/spare')).status).toBe(404);
});

/**
 * Records two hours of requests: 3 successful ones in the first hour, and 4 successful and 2 failed
 * ones in the second.
 */
async function noteRequests(id: string, keyId = 'key_of_brook'): Promise<void> {
  const hourAt = Date.UTC(2026, 10, 20, 4);
  const common = { customerId: id, keyId, endpoint: '=earnings', status: 200 };
  await addUsage(db, [
    { ...common, hourAt, requests: 3 },
    { ...common, hourAt: hourAt + HOUR_MS, requests: 4 },
    { ...common, hourAt: hourAt + HOUR_MS, status: 404, requests: 2 },
  ]);
  await addRequests(
    db,
    [200, 404, 200].map((status, at) => ({
      at: hourAt + at * HOUR_MS,
      customerId: id,
      keyId,
      method: 'GET',
      status,
      path: '/v1/earnings?symbol=QPR',
      durationMs: 1.5,
      requestId: `req_${at}`,
    })),
  );
}

describe('usage and requests', () => {
  let keyId: string;
  beforeAll(async () => {
    keyId = (await management.program(customerId, ['read'])).id;
    await noteRequests(customerId, keyId);
  });

  test('counts requests by UTC hour and New York day, and breaks them down by key', async () => {
    const days = await ask('/account/v1/usage');
    // 04:00 UTC is 23:00 on the previous day in New York.
    expect(days.json['rows']).toEqual([
      { at: '2026-11-19T05:00:00Z', name: '', requests: 3 },
      { at: '2026-11-20T05:00:00Z', name: '', requests: 6 },
    ]);
    const hours = await ask(`/account/v1/usage?by=hour&split=status-class&keyId=${keyId}`);
    expect(hours.json['rows']).toEqual([
      { at: '2026-11-20T04:00:00Z', name: '2xx', requests: 3 },
      { at: '2026-11-20T05:00:00Z', name: '2xx', requests: 4 },
      { at: '2026-11-20T05:00:00Z', name: '4xx', requests: 2 },
    ]);
    const span = 'from=2026-11-20T05:00:00Z&to=2026-11-20T06:00:00Z';
    expect((await ask(`/account/v1/usage?by=hour&${span}`)).json).toMatchObject({
      from: '2026-11-20T05:00:00Z',
      to: '2026-11-20T06:00:00Z',
      rows: [{ requests: 6 }],
    });
    for (const query of [
      'from=then',
      'from=2020-01-01T00:00:00Z',
      'to=2020-01-01T00:00:00Z&from=2021-01-01T00:00:00Z',
    ]) {
      expect((await ask(`/account/v1/usage?${query}`)).json).toMatchObject({
        status: 400,
        parameter: 'from',
      });
    }
  });

  test("finds requests by the ID of a deleted key, but not by the ID of another customer's key", async () => {
    const gone = await management.program(customerId, ['read']);
    const elsewhere = await management.customer('Quiet Elsewhere');
    const foreign = await management.program(elsewhere, ['read']);
    await management.call('DELETE', `/account/v1/keys/${gone.id}`, owner);
    for (const path of ['/account/v1/requests', '/account/v1/usage']) {
      expect((await ask(`${path}?keyId=${gone.id}`)).status).toBe(200);
      expect((await ask(`${path}?keyId=${foreign.id}`)).status).toBe(404);
      expect((await ask(`${path}?keyId=key_never`)).status).toBe(404);
    }
  });

  test('exports usage and requests as CSV without cells that a spreadsheet would run as formulas', async () => {
    const csv = await ask('/account/v1/usage?split=endpoint&format=csv');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.headers['content-disposition']).toBe('attachment; filename="usage.csv"');
    expect(csv.text.split('\r\n')).toEqual([
      'at,name,requests',
      "2026-11-19T05:00:00Z,'=earnings,3",
      "2026-11-20T05:00:00Z,'=earnings,6",
      '',
    ]);
  });

  test('lists requests individually, with filters and pagination', async () => {
    const first = await ask('/account/v1/requests?limit=2');
    const rows = first.json['requests'] as Record<string, unknown>[];
    expect(rows.map(({ requestId }) => requestId)).toEqual(['req_2', 'req_1']);
    expect(rows[0]).toEqual({
      at: '2026-11-20T06:00:00Z',
      keyId,
      method: 'GET',
      path: '/v1/earnings?symbol=QPR',
      status: 200,
      durationMs: 1.5,
      requestId: 'req_2',
      position: expect.any(Number) as number,
    });
    const second = await ask(`/account/v1/requests?limit=2&before=${String(first.json['next'])}`);
    expect(second.json).toMatchObject({ requests: [{ requestId: 'req_0' }], next: null });
    for (const [query, found] of [
      ['status=4xx', ['req_1']],
      ['status=200', ['req_2', 'req_0']],
      ['from=2026-11-20T05:00:00Z&to=2026-11-20T06:00:00Z', ['req_1']],
      ['path=/v1/earn', ['req_2', 'req_1', 'req_0']],
      ['path=/v1/profile', []],
      ['requestId=req_0', ['req_0']],
    ] as const) {
      const reply = await ask(`/account/v1/requests?${query}`);
      const ids = (reply.json['requests'] as Record<string, unknown>[]).map(
        (row) => row['requestId'],
      );
      expect([query, ids]).toEqual([query, found]);
    }
    expect((await ask('/account/v1/requests?status=wrong')).json).toMatchObject({
      parameter: 'status',
    });
  });

  test('shows operators the usage and requests for the whole service', async () => {
    const top = await operate('GET', '/operator/v1/usage/customers?limit=1');
    expect(top.json).toMatchObject({
      customers: [{ customerId, name: 'Quiet Pine Research', requests: 9, failed: 2 }],
    });
    const all = await operate('GET', '/operator/v1/usage?split=status');
    expect(all.json['rows']).toContainEqual({
      at: '2026-11-20T05:00:00Z',
      name: '404',
      requests: 2,
    });
  });
});

test("shows an account's quotas as they apply to the next request, and can reset quotas counted in a future period", async () => {
  const { dayId, monthId } = quotaPeriodOf(management.clock.now());
  const counted = { dayCount: 7, perDay: 100, monthCount: 70, perMonth: 1_000, generation: 0 };
  await saveUses(db, [{ customerId, use: { ...counted, dayId, monthId } }]);
  expect((await ask('/account/v1/account')).json).toMatchObject({
    state: 'active',
    plan: { name: 'free' },
    historyFrom: '2024-11-20',
    quotas: [
      { window: 'day', limit: 100, used: 7, resetAt: '2026-11-21T05:00:00Z' },
      { window: 'month', limit: 1e3, used: 70, resetAt: '2026-12-01T05:00:00Z' },
    ],
  });
  await saveUses(db, [
    { customerId, use: { ...counted, dayId: dayId + 40, monthId: monthId + 1 } },
  ]);
  const reset = await operate('POST', '/operator/v1/quotas/reset-ahead');
  expect(reset.json).toEqual({ customers: 1 });
  expect((await ask('/account/v1/account')).json).toMatchObject({
    quotas: [
      { used: 0, resetAt: '2026-11-21T05:00:00Z' },
      { used: 0, resetAt: '2026-12-01T05:00:00Z' },
    ],
  });
});

test('pages through the audit log, and shows customers only their own events but operators all events', async () => {
  const seen: number[] = [];
  let next = null as number | null;
  do {
    const before = next === null ? '' : `&before=${next}`;
    const page = await ask(`/account/v1/audit?limit=2${before}`);
    const events = page.json['events'] as { id: number; customerId: string }[];
    expect(events.every((event) => event.customerId === customerId)).toBe(true);
    seen.push(...events.map(({ id }) => id));
    next = page.json['next'] as typeof next;
  } while (next !== null);
  expect(seen.length).toBeGreaterThan(2);
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a));
  const all = await operate('GET', '/operator/v1/audit?limit=500');
  expect((all.json['events'] as unknown[]).length).toBeGreaterThan(seen.length);
});

test('filters the audit log by actor, action prefix and time', async () => {
  const other = await management.person('operator', null);
  const put = { perMinute: 10, perDay: 50, perMonth: null, historyMonths: 12 };
  await management.call('PUT', '/operator/v1/plans/reed', { ...other, body: put });
  await management.clock.advance(FRESH_MS - 1);
  const since = new Date(management.clock.now()).toISOString();
  await management.call('DELETE', '/operator/v1/plans/reed', other);
  async function acts(query: string): Promise<unknown[]> {
    const { json } = await operate('GET', `/operator/v1/audit?by=${other.id}&${query}`);
    return (json['events'] as { act: string }[]).map(({ act }) => act);
  }
  const all = await acts('');
  expect(all).toHaveLength(2);
  expect(await acts('act=plan.')).toEqual(all);
  expect(await acts('act=key.')).toEqual([]);
  expect(await acts(`from=${since}`)).toEqual(all.slice(0, 1));
  expect(await acts(`to=${since}`)).toEqual(all.slice(1));
  const wrong = await operate('GET', '/operator/v1/audit?from=yesterday');
  expect(wrong.json).toMatchObject({ code: 'invalid-parameter', parameter: 'from' });
});

test('returns system information to operators', async () => {
  const reply = await operate('GET', '/operator/v1/system');
  expect(reply.json).toMatchObject({
    version: '1.2.3',
    dataSource: 'synthetic',
    startedAt: '2026-11-20T15:30:00Z',
    store: { engine: 'pglite', lastBackupAt: null },
  });
  const { store, disk } = reply.json as unknown as Record<string, Record<string, number>>;
  expect(store?.['schemaVersion']).toBeGreaterThan(10);
  expect(store?.['sizeBytes']).toBeGreaterThan(1_000_000);
  expect(disk?.['totalBytes']).toBeGreaterThan(disk?.['freeBytes'] ?? 0);
});
