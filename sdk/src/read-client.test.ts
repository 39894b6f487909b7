import { expect, expectTypeOf, test } from 'vitest';
import {
  type CompanyProfile,
  createReadClient,
  type DividendRow,
  type EarningsCalendar,
  type ReadClientOptions,
  ReadError,
} from './index.ts';
import { waitFor } from './retry.ts';

const BASE = 'https://data.example/earnings';
const KEY = 'eds_test_made_up';

interface Sent {
  url: string;
  headers: Record<string, string>;
}

/**
 * Creates a client whose requests get scripted responses. `sent` records the requests, and `waited`
 * records the delays in seconds.
 */
function clientOf(
  answers: readonly (Response | Error)[],
  options: Partial<ReadClientOptions> = {},
) {
  const sent: Sent[] = [];
  const waited: number[] = [];
  const left = [...answers];
  const client = createReadClient({
    baseUrl: BASE,
    apiKey: KEY,
    fetch: async (url, { headers }) => {
      sent.push({
        url,
        headers: headers as Record<string, string>,
      });
      const answer = left.shift();
      if (answer === undefined) throw new Error('asked once too often');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    wait: async (milliseconds) => void waited.push(Math.floor(milliseconds / 1e3)),
    ...options,
  });
  return { client, sent, waited };
}

function refusal(status: number, code: string, headers: Record<string, string> = {}): Response {
  const problem = { type: `/errors/${code}`, title: '', status, code, detail: 'so', instance: 'r' };
  return Response.json(problem, {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });
}

test('returns the bytes of a file', async () => {
  const bytes = Uint8Array.of(0x50, 0x41, 0x52, 0x31, 0xff);
  const headers = { 'content-type': 'application/vnd.apache.parquet' };
  const { client } = clientOf([new Response(bytes, { headers })]);
  const file = { dataset: 'earnings', file: '2026.parquet' } as const;
  const { data } = await client.get('/v1/datasets/{dataset}/{file}', file);
  expectTypeOf(data).toEqualTypeOf<Uint8Array>();
  expect(data).toEqual(bytes);
});

test('returns a response with its ETag and headers, and sends the API key in a header', async () => {
  const answer = Response.json({ symbol: 'BRK.B' }, { headers: { etag: '"a-1"', 'x-a': 'b' } });
  const { client, sent } = clientOf([answer]);
  const { data, etag, headers } = await client.get('/v1/profile/{symbol}', { symbol: 'BRK.B' });
  expectTypeOf(data).toEqualTypeOf<CompanyProfile>();
  expect([data.symbol, etag, headers.get('x-a')]).toEqual(['BRK.B', '"a-1"', 'b']);
  expect(sent).toEqual([{ url: `${BASE}/v1/profile/BRK.B`, headers: { 'x-api-key': KEY } }]);
});

test('returns an object for the earnings on one day and an array for a range of days', async () => {
  const { client } = clientOf([Response.json({}), Response.json([])]);
  const day = await client.get('/v1/calendar/earnings', { date: 'today' });
  expectTypeOf(day.data).toEqualTypeOf<EarningsCalendar>();
  const range = await client.get('/v1/calendar/earnings', { from: 'today', to: 'tomorrow' });
  expectTypeOf(range.data).toEqualTypeOf<readonly EarningsCalendar[]>();
  expect([day.data, range.data]).toEqual([{}, []]);
});

test('returns null if the response has not changed', async () => {
  const { client, sent } = clientOf([new Response(null, { status: 304 }), Response.json([])]);
  expect(await client.getIfChanged('"a-1"', '/v1/calendar/ipo')).toBeNull();
  expect((await client.getIfChanged(null, '/v1/calendar/ipo'))?.data).toEqual([]);
  expect(sent.map(({ headers }) => headers['if-none-match'])).toEqual(['"a-1"', undefined]);
});

test('returns tables as CSV text', async () => {
  const csv = new Response('a,b\r\n', { headers: { 'content-type': 'text/csv; charset=utf-8' } });
  const { client, sent } = clientOf([csv]);
  expect((await client.getCsv('/v1/market-holidays')).data).toBe('a,b\r\n');
  expect(sent[0]?.url).toBe(`${BASE}/v1/market-holidays?format=csv`);
});

test('follows next-page links to the last page and stays below the base URL', async () => {
  const link = '</v1/calendar/dividends?cursor=x%2By&limit=2>; rel="next"';
  const about = '<https://data.example/news>; rel="deprecation"; type="text/html", ';
  const { client, sent } = clientOf([
    Response.json([{ symbol: 'A' }, { symbol: 'B' }], { headers: { link: about + link } }),
    Response.json([{ symbol: 'C' }], { headers: { link: '<https://x.example/>; rel="prev"' } }),
  ]);
  const symbols: string[] = [];
  for await (const { data } of client.pages('/v1/calendar/dividends', { limit: 2 })) {
    expectTypeOf(data).toEqualTypeOf<readonly DividendRow[]>();
    symbols.push(...data.map(({ symbol }) => symbol));
  }
  expect(symbols).toEqual(['A', 'B', 'C']);
  expect(sent.map(({ url }) => url)).toEqual([
    `${BASE}/v1/calendar/dividends?limit=2`,
    `${BASE}/v1/calendar/dividends?cursor=x%2By&limit=2`,
  ]);
});

test('does not follow a next-page link to another host, which would receive the API key', async () => {
  const headers = { link: '<https://x.example/v1/changes>; rel="next"' };
  const { client, sent } = clientOf([Response.json([], { headers })]);
  const pages = client.pages('/v1/changes', { since: 'chg_000000000001' });
  await pages.next();
  await expect(pages.next()).rejects.toThrow('on another host');
  expect(sent).toHaveLength(1);
});

test('does not follow redirects, because the target would receive the API key', async () => {
  let redirect: unknown;
  const { client } = clientOf([], {
    fetch: async (_url, init) => {
      redirect = init.redirect;
      return Response.json([]);
    },
  });
  await client.get('/v1/calendar/ipo');
  expect(redirect).toBe('error');
});

test('retries a request after the number of seconds in Retry-After if the failure is temporary', async () => {
  const { client, waited } = clientOf([
    refusal(429, 'rate-limited', { 'retry-after': '7' }),
    new TypeError('fetch failed'),
    refusal(503, 'data-unavailable', { 'retry-after': '5' }),
    Response.json([]),
  ]);
  expect((await client.get('/v1/calendar/ipo')).data).toEqual([]);
  expect(waited).toEqual([7, 1, 5]);
});

test('stops retrying at the retry limit and throws the last error', async () => {
  const { client, sent } = clientOf(
    [1, 2, 3].map(() => refusal(500, 'internal-error')),
    {
      retries: 2,
    },
  );
  await expect(client.get('/v1/coverage')).rejects.toMatchObject({ code: 'internal-error' });
  expect(sent).toHaveLength(3);
});

test('throws immediately if a quota is exhausted until midnight', async () => {
  const { client, waited } = clientOf([refusal(429, 'quota-exceeded', { 'retry-after': '54573' })]);
  const asked = client.get('/v1/coverage');
  await expect(asked).rejects.toMatchObject({ status: 429, retryAfterSeconds: 54_573 });
  expect(waited).toEqual([]);
});

test("throws the service's problem for an invalid request without retrying", async () => {
  const { client, sent } = clientOf([refusal(404, 'unknown-symbol')]);
  const error = await client.get('/v1/earnings', { symbol: 'NONE' }).catch((it: unknown) => it);
  expect(error).toBeInstanceOf(ReadError);
  expect(error).toMatchObject({ status: 404, code: 'unknown-symbol', problem: { instance: 'r' } });
  expect(String(error)).toBe('ReadError: 404 unknown-symbol: so');
  expect(sent).toHaveLength(1);
});

test("throws an error without a problem document for a proxy's error page", async () => {
  const { client } = clientOf([new Response('<html>', { status: 502 })], { retries: 0 });
  const error = await client.get('/v1/coverage').catch((it: unknown) => it);
  expect(error).toMatchObject({ status: 502, code: 'no-problem', problem: null });
});

test('aborts a call while it waits to retry', async () => {
  const ended = new AbortController();
  const { client, sent } = clientOf([refusal(503, 'data-unavailable', { 'retry-after': '60' })], {
    wait: (milliseconds, signal) => {
      const waiting = waitFor(milliseconds, signal);
      ended.abort(new Error('enough'));
      return waiting;
    },
  });
  const asked = client.get('/v1/coverage', {}, { signal: ended.signal });
  await expect(asked).rejects.toThrow('enough');
  expect(sent).toHaveLength(1);
});

test('rejects invalid client options immediately, without revealing the API key', () => {
  expect(() => createReadClient({ baseUrl: BASE, apiKey: '' })).toThrow('is its setting empty?');
  expect(() => createReadClient({ baseUrl: 'data', apiKey: KEY })).toThrow(TypeError);
  const broken = () => createReadClient({ baseUrl: BASE, apiKey: `${KEY}\n` });
  expect(broken).toThrow(TypeError);
  expect(broken).not.toThrow(KEY);
});
