import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Reply, type Row, TODAY, type World } from './world.ts';

const DAY = `/v1/calendar/earnings?date=${TODAY}`;

/**
 * Tests the rules that apply to every request: keys, errors, dates, caching, pagination and
 * formats.
 */
export function requests(world: () => World): void {
  apiKeys(world);
  errors(world);
  dates(world);
  caching(world);
  representations(world);
  lists(world);
  publicPages(world);
}

function apiKeys(world: () => World): void {
  describe('an API key', () => {
    test('accepts an API key in the query and in either of two headers', async () => {
      const { key } = world();
      expect((await world().request(`${DAY}&apikey=${key}`, { headers: {} })).status).toBe(200);
      const bearer = { Authorization: `Bearer ${key}` };
      expect((await world().request(DAY, { headers: bearer })).status).toBe(200);
      expect(key).toMatch(/^eds_test_[0-9A-Za-z]{38}$/);
    });

    test('rejects a missing or invalid API key, and two different keys in one request', async () => {
      const { key } = world();
      const absent = await world().request(DAY, { headers: {} });
      expectProblem(absent, 401, 'missing-api-key');
      expect(absent.headers.get('www-authenticate')).toBe(
        'ApiKey realm="earnings-data", in="query", name="apikey"',
      );
      const broken = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
      expectProblem(
        await world().request(`${DAY}&apikey=${broken}`, { headers: {} }),
        401,
        'invalid-api-key',
      );
      const two = { 'X-Api-Key': key, Authorization: `Bearer ${broken}` };
      expectProblem(await world().request(DAY, { headers: two }), 400, 'invalid-parameter');
    });

    test('never includes the API key in a response', async () => {
      const { key } = world();
      for (const path of [
        DAY,
        '/v1/earnings?symbol=NOSUCHQ',
        '/v1/nothing',
        '/v1/market-holidays?limit=2',
      ]) {
        const separator = path.includes('?') ? '&' : '?';
        const { text, headers } = await world().request(`${path}${separator}apikey=${key}`, {
          headers: {},
        });
        expect(text + JSON.stringify([...headers])).not.toContain(key);
      }
    });
  });
}

function errors(world: () => World): void {
  describe('an error', () => {
    test.each([
      ['/v1/calendar/earnings', 400, 'missing-parameter', { parameter: 'date' }],
      ['/v1/calendar/earnings?date=2026-02-30', 400, 'invalid-date', { parameter: 'date' }],
      ['/v1/calendar/earnings?date=1899-12-31', 400, 'invalid-date', {}],
      ['/v1/earnings?symbol=%21%21', 400, 'invalid-symbol', { parameter: 'symbol' }],
      ['/v1/earnings', 400, 'missing-parameter', { parameter: 'symbol' }],
      ['/v1/earnings?symbol=A&symbol=B', 400, 'invalid-parameter', { parameter: 'symbol' }],
      [
        '/v1/earnings-reactions?symbol=A&limit=101',
        400,
        'invalid-parameter',
        { parameter: 'limit' },
      ],
      ['/v1/market-holidays?limit=0', 400, 'invalid-parameter', { parameter: 'limit' }],
      ['/v1/earnings-movers?date=today&direction=left', 400, 'invalid-parameter', {}],
      ['/v1/profile/NOSUCHQ', 404, 'unknown-symbol', { symbol: 'NOSUCHQ', successorSymbol: null }],
      ['/v1/earnings?symbol=A&symbols=B', 400, 'invalid-parameter', { parameter: 'symbols' }],
      ['/v1/nothing', 404, 'not-found', {}],
      [`${DAY}&x=${'y'.repeat(2_100)}`, 414, 'uri-too-long', {}],
    ] as const)(
      'responds to %s with status %s and code %s',
      async (path, status, code, members) => {
        const reply = await world().request(path);
        expectProblem(reply, status, code);
        expect(reply.body).toMatchObject(members);
      },
    );

    test('checks a request in this order: path, method, key, then parameters', async () => {
      const post = { method: 'POST', headers: {} };
      expectProblem(await world().request('/v1/nothing', post), 404, 'not-found');
      const wrong = await world().request('/v1/calendar/earnings?date=x', post);
      expectProblem(wrong, 405, 'method-not-allowed');
      expect(wrong.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      const noKey = await world().request('/v1/calendar/earnings?date=x', { headers: {} });
      expectProblem(noKey, 401, 'missing-api-key');
    });
  });
}

function dates(world: () => World): void {
  describe('a date', () => {
    test('interprets a date as a New York day, even if relative, and returns that day in Content-Location', async () => {
      for (const path of ['calendar/earnings', 'calendar/economic', 'earnings-movers']) {
        for (const [word, day] of [
          ['today', TODAY],
          ['Yesterday', '2026-11-19'],
          ['TOMORROW', '2026-11-21'],
        ]) {
          const { headers, status } = await world().request(`/v1/${path}?date=${word}`);
          expect(status).toBe(200);
          expect(headers.get('content-location')).toBe(`/v1/${path}?date=${day}`);
        }
      }
    });

    test('returns empty lists for a date without data', async () => {
      const body = await world().read('/v1/calendar/earnings?date=2090-06-02');
      expect(body).toMatchObject({ isTradingDay: true, pre: [], after: [], notSupplied: [] });
      expect(await world().read('/v1/calendar/economic?date=2090-06-02')).toEqual([]);
      expect(await world().read('/v1/earnings-movers?date=2090-06-02')).toMatchObject({ data: [] });
    });
  });
}

function caching(world: () => World): void {
  describe('the caching of a response', () => {
    test('returns a strong ETag that matches in any encoding', async () => {
      const first = await world().request(DAY, { headers: uncompressed(world()) });
      const tag = first.headers.get('etag') ?? '';
      expect(tag).toMatch(/^"[^"]+"$/);
      for (const ifNoneMatch of [tag, `W/${tag}`, `"x", ${tag}`, '*', tag.replace(/"$/, '-br"')]) {
        const second = await world().request(DAY, {
          headers: { 'X-Api-Key': world().key, 'If-None-Match': ifNoneMatch },
        });
        expect([second.status, second.text]).toEqual([304, '']);
      }
      const other = { 'X-Api-Key': world().key, 'If-None-Match': '"other"' };
      expect((await world().request(DAY, { headers: other })).status).toBe(200);
    });

    test.each([
      ['/v1/calendar/earnings?date=today', 60],
      ['/v1/calendar/earnings?date=tomorrow', 60],
      ['/v1/calendar/earnings?date=2026-12-01', 900],
      ['/v1/calendar/earnings?date=2026-11-16', 900],
      ['/v1/calendar/earnings?date=2026-11-02', 86_400],
      ['/v1/calendar/economic?date=2026-11-02', 86_400],
      ['/v1/calendar/ipo', 900],
      ['/v1/calendar/dividends', 900],
      ['/v1/earnings-movers?date=2026-11-12', 86_400],
      ['/v1/earnings-movers?date=2026-11-20', 60],
      ['/v1/unusual-volume', 3_600],
      ['/v1/market-holidays', 86_400],
    ])('lets clients cache %s for %s s', async (path, seconds) => {
      const { headers } = await world().request(path);
      expect(headers.get('cache-control')).toBe(`private, max-age=${seconds}`);
      expect(headers.get('vary')).toBe('Accept, Accept-Encoding, Authorization, X-Api-Key');
    });

    test('lets clients cache the market session until it changes, for at most half a minute', async () => {
      const { headers } = await world().request('/v1/market-status');
      const seconds = Number(
        /^private, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '')?.[1],
      );
      expect(seconds).toBeLessThanOrEqual(30);
      expect(seconds).toBeGreaterThan(0);
    });
  });
}

function representations(world: () => World): void {
  describe('a response', () => {
    test('responds to HEAD with the headers of GET and no body, and to OPTIONS without a key', async () => {
      const [head, get] = [
        await world().request(DAY, { method: 'HEAD', headers: uncompressed(world()) }),
        await world().request(DAY, { headers: uncompressed(world()) }),
      ];
      expect([head.status, head.text]).toEqual([200, '']);
      for (const name of ['etag', 'content-length', 'content-type', 'cache-control']) {
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
      const options = await world().request(DAY, { method: 'OPTIONS', headers: {} });
      expect([options.status, options.headers.get('access-control-allow-origin')]).toEqual([
        204,
        '*',
      ]);
    });

    test('lets any origin read responses, including errors, but never with credentials', async () => {
      for (const path of [DAY, '/v1/nothing', '/v1/earnings?symbol=NOSUCHQ']) {
        const { headers } = await world().request(path);
        expect(headers.get('access-control-allow-origin')).toBe('*');
        expect(headers.get('access-control-allow-credentials')).toBeNull();
      }
    });

    test('compresses responses as requested, without changing the decompressed bytes', async () => {
      const complete = await world().request('/v1/calendar/dividends', {
        headers: uncompressed(world()),
      });
      for (const [encoding, decompress] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const compressed = await rawBytes(world(), '/v1/calendar/dividends', encoding);
        expect(decompress(compressed.body).toString()).toBe(complete.text);
        expect(compressed.tag).not.toBe(complete.headers.get('etag'));
      }
    });

    test('lists the ignored parameters in the response', async () => {
      const { headers } = await world().request(`${DAY}&colour=red&size=2`);
      expect(headers.get('x-ignored-parameters')).toBe('colour, size');
    });
  });
}

function lists(world: () => World): void {
  describe('a list', () => {
    test('returns a complete list unless paginated, and pages that add up to the whole list', async () => {
      const complete = await world().request('/v1/market-holidays');
      expect(complete.headers.get('x-total-count')).toBe(String((complete.body as Row[]).length));
      const rows: Row[] = [];
      let path: string | undefined = '/v1/market-holidays?limit=7';
      while (path !== undefined) {
        const page = await world().request(path);
        rows.push(...(page.body as Row[]));
        path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      }
      expect(rows).toEqual(complete.body);
    });

    test('returns a list as CSV on request, with its buckets in a column', async () => {
      const table = await world().request(`${DAY}&format=csv`);
      expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(table.text.split('\r\n')[0]).toMatch(/^bucket,id,symbol,name,date,time,/);
      const day = (await world().read(DAY)) as Record<'pre' | 'after' | 'notSupplied', Row[]>;
      const rows = day.pre.length + day.after.length + day.notSupplied.length;
      expect(table.text.trim().split('\r\n')).toHaveLength(rows + 1);
    });
  });
}

function publicPages(world: () => World): void {
  describe('without an API key', () => {
    test.each(['/openapi.json', '/docs', '/llms.txt', '/healthz', '/readyz', '/status'])(
      'serves %s without an API key',
      async (path) => {
        expect((await world().request(path, { headers: {} })).status).toBe(200);
      },
    );

    test('declares OpenAPI 3.1 and API version 1.0.0, and marks endpoints that support historical requests', async () => {
      const { body } = await world().request('/openapi.json', { headers: {} });
      const { openapi, info, paths } = body as {
        openapi: string;
        info: Row;
        paths: Record<string, { get: Row }>;
      };
      expect([openapi, info['version']]).toEqual(['3.1.0', '1.0.0']);
      const historical = Object.keys(paths).filter(
        (path) => paths[path]?.get['x-historical-access'],
      );
      expect(historical).toEqual(
        expect.arrayContaining([
          '/v1/calendar/earnings',
          '/v1/calendar/economic',
          '/v1/earnings',
          '/v1/earnings-movers',
          '/v1/earnings-reactions',
        ]),
      );
    });
  });
}

function uncompressed({ key }: World): Record<string, string> {
  return { 'X-Api-Key': key, 'Accept-Encoding': 'identity' };
}

function expectProblem(reply: Reply, status: number, code: string): void {
  expect(reply.body).toMatchObject({
    status,
    code,
    type: expect.any(String) as string,
    title: expect.any(String) as string,
    detail: expect.any(String) as string,
    instance: reply.headers.get('x-request-id'),
  });
  expect(reply.status).toBe(status);
  expect(reply.headers.get('content-type')).toBe('application/problem+json');
  expect(reply.headers.get('cache-control')).toBe('no-store');
}

/**
 * Repeats the request until the compressed body is ready, because earlier responses are sent
 * uncompressed.
 */
async function rawBytes(world: World, path: string, encoding: string) {
  const { request } = await import('node:http');
  for (;;) {
    const headers = { 'X-Api-Key': world.key, 'Accept-Encoding': encoding };
    const reply = await new Promise<{ body: Buffer; tag: string; encoding: unknown }>(
      (resolve, reject) => {
        const outgoing = request(world.url + path, { headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({
              body: Buffer.concat(chunks),
              tag: String(response.headers.etag),
              encoding: response.headers['content-encoding'],
            }),
          );
        });
        outgoing.on('error', reject);
        outgoing.end();
      },
    );
    if (reply.encoding === encoding) return reply;
  }
}
