import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateKey } from '../src/accounts/keys/key-format.ts';
import { fixedApiKeyCache } from '../src/accounts/keys/api-key-cache.ts';
import { writeChanges } from '../src/datasets/changes/store.ts';
import type { Change } from '../src/datasets/dataset.ts';
import { topics } from '../src/datasets/topics.gen.ts';
import { endpoint as ics } from '../src/endpoints/calendar-earnings-ics.ts';
import { endpoint as changes } from '../src/endpoints/changes.ts';
import { ResponseCache } from '../src/http/response-cache.ts';
import { createReadApi } from '../src/http/read-api.ts';
import { fakeClock } from './support/fake-clock.ts';
import { seededRandom } from '../src/platform/random.ts';
import type { Db } from '../src/storage/db.ts';
import { keyRecordOf } from './support/key-record.ts';
import { readICalendar } from './support/read-icalendar.ts';
import { eventOf, securityOf, storeRows } from './support/stored-earnings.ts';
import { memoryStore } from './support/stores.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');
const key = generateKey('test', seededRandom(7));
const cache = new ResponseCache({ sizeMaxBytes: 1_000_000 });
let db: Db;
let ask: (path: string, headers?: Record<string, string>) => Promise<Reply>;

beforeAll(async () => {
  db = await memoryStore();
  const api = createReadApi({
    endpoints: [changes, ics],
    db,
    clock: fakeClock(NOW),
    random: seededRandom(1),
    keys: fixedApiKeyCache([keyRecordOf(key, { id: 'key_1', createdAt: NOW - 1_000 })]),
    cache,
    dataSource: 'synthetic',
    log: { error: (fields) => expect.fail(JSON.stringify(fields)) },
  });
  ask = async (url, headers = {}) => {
    const request = { method: 'GET', url, remoteAddress: '127.0.0.1' };
    const sent = { ...headers, 'x-api-key': key };
    const answer = await api.handle({ ...request, headers: sent });
    return { ...answer, headers: namesAndValues(answer.headers) };
  };
});

afterAll(() => db.close());

test('returns Link headers that page through all changes, keep the other parameters, and stop after the last page', async () => {
  await write([1, 2, 3, 4, 5].map((n) => change(`ern_${n}`)));
  await write([change('div_1', 'dividends')]);
  const seen: string[] = [];
  let path: string | undefined = '/v1/changes?since=2026-11-20T00:00:00Z&limit=2&dataset=earnings';
  while (path !== undefined) {
    const { status, headers, body } = await ask(path);
    expect(status).toBe(200);
    seen.push(...rowsOf(body).map(({ eventId }) => eventId));
    path = /^<(.+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1];
    expect(headers.has('X-Total-Count')).toBe(false);
  }
  expect(seen).toEqual(['ern_1', 'ern_2', 'ern_3', 'ern_4', 'ern_5']);
});

test('recomputes the last page of changes when a new change follows it', async () => {
  const path = '/v1/changes?since=chg_000000000006';
  const before = await ask(path);
  expect(rowsOf(before.body)).toEqual([]);
  expect(before.headers.get('Cache-Control')).toBe('private, max-age=0');
  await write([change('ern_7')]);
  const after = await ask(path, { 'if-none-match': before.headers.get('ETag') ?? '' });
  expect(after.status).toBe(200);
  expect(rowsOf(after.body).map(({ eventId }) => eventId)).toEqual(['ern_7']);
});

test('writes all values of a change into one table cell', async () => {
  const { body } = await ask('/v1/changes?since=chg_000000000006&format=csv');
  const [names, row] = String(body).split('\r\n');
  expect(names?.split(',').at(-1)).toBe('fields');
  expect(row).toContain('"{""eps"":{""from"":null,""to"":1.2}}"');
});

test('rejects a list of changes with a missing or invalid since parameter', async () => {
  for (const query of ['since=yesterday', 'since=chg_1', 'since=2026-02-30T00:00:00Z', '']) {
    expect((await ask(`/v1/changes?${query}`)).status).toBe(400);
  }
});

test('serves a calendar as iCalendar with a stable ETag to clients that accept it', async () => {
  await storeRows(db, { securities: [securityOf('NRTH')], events: [eventOf('NRTH')] });
  const path = '/v1/calendar/earnings.ics?symbols=nrth';
  const first = await ask(path, { accept: 'text/calendar' });
  expect(first.status).toBe(200);
  expect(first.headers.get('Content-Type')).toBe('text/calendar; charset=utf-8');
  expect(readICalendar(first.body ?? Buffer.alloc(0)).parts).toHaveLength(1);
  cache.invalidateAll();
  const again = await ask(path, { 'if-none-match': first.headers.get('ETag') ?? '' });
  expect(again.status).toBe(304);
});

interface Reply {
  status: number;
  headers: Map<string, string>;
  body: Buffer | null;
}

function namesAndValues(flat: readonly string[]): Map<string, string> {
  return new Map(
    flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? ''] as const] : [])),
  );
}

function rowsOf(body: Buffer | null): { eventId: string }[] {
  return JSON.parse(String(body)) as { eventId: string }[];
}

function change(entityId: string, dataset = 'earnings'): Change {
  return {
    dataset,
    entityId,
    symbol: 'NRTH',
    kind: 'changed',
    changedFields: ['eps'],
    fields: {
      eps: {
        from: null,
        to: '1.2',
      },
    },
    observedAt: NOW,
  };
}

async function write(lot: readonly Change[]): Promise<void> {
  await db.transaction((tx) => writeChanges(tx, lot, new Set([topics.changes.any]), NOW));
  cache.invalidate([topics.changes.any]);
}
