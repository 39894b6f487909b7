import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReadServer, startReadServer } from '../../test/support/read-server.ts';

let server: ReadServer;
beforeAll(async () => {
  server = await startReadServer();
});
afterAll(() => server.stop());

const ROWS = '/v1/rows-stub';

function ask(path: string, headers: Record<string, string> = {}, key = server.keys.good) {
  return server.get(path, { 'X-Api-Key': key, ...headers });
}

function idsOf(reply: { body: Buffer }): string[] {
  return (JSON.parse(reply.body.toString()) as { id: string }[]).map(({ id }) => id);
}

describe('pagination', () => {
  test('returns all rows and the total count if no limit is given', async () => {
    const reply = await ask(ROWS);
    expect(idsOf(reply)).toEqual(['r0', 'r1', 'r2', 'r3', 'r4']);
    expect(reply.headers['x-total-count']).toBe('5');
    expect(reply.headers.link).toBeUndefined();
  });

  test('links to all pages in the Link header without exposing the API key', async () => {
    const ids: string[] = [];
    let path: string | undefined = `${ROWS}?limit=2&apikey=${server.keys.good}`;
    let pages = 0;
    while (path !== undefined) {
      const reply = await ask(path);
      ids.push(...idsOf(reply));
      pages += 1;
      expect(reply.headers['x-total-count']).toBe('5');
      expect(reply.headers.link ?? '').not.toContain('eds_');
      path = /^<(.+)>; rel="next"$/.exec(String(reply.headers.link))?.[1];
    }
    expect([pages, ids]).toEqual([3, ['r0', 'r1', 'r2', 'r3', 'r4']]);
  });

  test.each(['limit=0', 'limit=1001', 'limit=two', 'cursor=', 'cursor=%20', 'cursor=bm9wZQ'])(
    'rejects %s',
    async (query) => {
      const reply = await ask(`${ROWS}?${query}`);
      expect([reply.status, reply.json().code]).toEqual([400, 'invalid-parameter']);
    },
  );

  test('rejects a malformed cursor as an invalid parameter, even if the quota is used up', async () => {
    const limitedServer = await startReadServer({
      checkQuota: ({ cost }) =>
        cost === 'all'
          ? { kind: 'refused', refusal: { code: 'quota-exceeded', detail: 'Spent.' } }
          : { kind: 'admitted', headers: [], refund: () => undefined },
    });
    const headers = { 'X-Api-Key': limitedServer.keys.good };
    const reply = await limitedServer.get(`${ROWS}?cursor=abc`, headers);
    expect([reply.status, reply.json().parameter]).toEqual([400, 'cursor']);
    const next = /cursor=([\w-]+)/.exec(String((await ask(`${ROWS}?limit=2`)).headers.link))?.[1];
    expect((await limitedServer.get(`${ROWS}?cursor=${next}`, headers)).status).toBe(429);
    await limitedServer.stop();
  });

  test('gives each page of a list its own ETag and URL', async () => {
    const first = await ask(`${ROWS}?limit=2`);
    const complete = await ask(ROWS);
    expect(first.headers.etag).not.toBe(complete.headers.etag);
    expect(first.headers['content-location']).toBe(`${ROWS}?limit=2`);
  });
});

describe('CSV', () => {
  test.each([
    ['the format parameter', `${ROWS}?format=csv`, {}],
    [
      'the format parameter whatever the Accept header',
      `${ROWS}?format=csv`,
      { Accept: 'application/json' },
    ],
    ['the Accept header', ROWS, { Accept: 'text/csv' }],
    ['an Accept header that prefers it', ROWS, { Accept: 'application/json;q=0.5, text/csv' }],
  ])('returns CSV for %s', async (_, path, headers) => {
    const reply = await ask(path, headers);
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(reply.body.toString().split('\r\n').slice(0, 2)).toEqual(['id,date', 'r0,2026-11-20']);
    expect(reply.headers['content-location']).toBe(`${ROWS}?format=csv`);
    expect(reply.headers['x-total-count']).toBe('5');
  });

  test.each(['*/*', 'text/csv, application/json', 'text/*;q=0.1, */*'])(
    'returns JSON for an Accept header of %s',
    async (accept) => {
      expect((await ask(ROWS, { Accept: accept })).headers['content-type']).toBe(
        'application/json',
      );
    },
  );

  test('gives a format in the URL precedence over the Accept header', async () => {
    const reply = await ask(`${ROWS}?format=json`, { Accept: 'text/csv' });
    expect(reply.headers['content-type']).toBe('application/json');
  });

  test('rejects CSV for a response that is not a list', async () => {
    const path = '/v1/profile-stub/BRTH';
    expect((await ask(path, { Accept: 'text/csv' })).status).toBe(406);
    const reply = await ask(`${path}?format=csv`);
    expect(reply.json()).toMatchObject({ code: 'invalid-parameter', parameter: 'format' });
    expect((await ask(`${path}?format=json`)).status).toBe(200);
  });
});

describe('a plan with 24 months of history', () => {
  test("rejects a request for a day before the plan's history and reports the first available day", async () => {
    const path = '/v1/calendar/stub?date=2024-11-19';
    const reply = await ask(path, {}, server.keys.short);
    expect(reply.status).toBe(403);
    expect(reply.json()).toMatchObject({
      code: 'history-window-exceeded',
      requestedDate: '2024-11-19',
      earliestDate: '2024-11-20',
      plan: 'short',
    });
    expect((await ask('/v1/calendar/stub?date=2024-11-20', {}, server.keys.short)).status).toBe(
      200,
    );
    expect((await ask('/v1/calendar/stub?date=2099-01-01', {}, server.keys.short)).status).toBe(
      200,
    );
    expect((await ask(path)).status).toBe(200);
  });

  test("returns only the rows within the plan's history and indicates that older rows exist", async () => {
    const short = await ask(ROWS, {}, server.keys.short);
    expect(idsOf(short)).toEqual(['r0', 'r1', 'r2']);
    expect(short.headers).toMatchObject({
      'x-history-from': '2024-11-20',
      'x-history-limited': 'true',
      'x-total-count': '3',
    });
    const complete = await ask(ROWS);
    expect(idsOf(complete)).toHaveLength(5);
    expect(complete.headers['x-history-limited']).toBe('false');
    expect(complete.headers['x-history-from']).toBeUndefined();
  });

  test('never serves a response cached for one plan to a customer on another plan', async () => {
    for (const _ of [1, 2]) {
      expect(idsOf(await ask(ROWS, {}, server.keys.short))).toHaveLength(3);
      expect(idsOf(await ask(ROWS))).toHaveLength(5);
    }
  });
});
