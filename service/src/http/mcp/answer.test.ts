import { expect, test } from 'vitest';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { endpoints } from '../../endpoints/registry.gen.ts';
import { ANSWER_LENGTH_MAX, renderAnswer } from './answer.ts';
import type { ReadReply } from './read-reply.ts';
import { parseToolArguments, type ToolRequest } from './tool-arguments.ts';

const NOW = Date.UTC(2026, 10, 20, 15, 30);
const FRESHNESS = [
  { dataset: 'earnings', state: 'late', lastSuccessAt: NOW - 90_000, feeds: [{ provider: 'sec' }] },
  {
    dataset: 'bars',
    state: 'fresh',
    lastSuccessAt: NOW - 7_000,
    feeds: [{ provider: 'nasdaq' }, { provider: 'sec' }],
  },
  { dataset: 'ipos', state: 'late', lastSuccessAt: null, feeds: [{ provider: 'other' }] },
] as const;

function requestFor(input: object): ToolRequest {
  const request = parseToolArguments(endpoints, { ...input });
  if ('refusal' in request) throw new Error(request.refusal.detail);
  return request;
}

function replyOf(body: unknown, headers: Record<string, string> = {}, status = 200): ReadReply {
  const all: Record<string, string> = {
    'content-type': 'application/json',
    'x-data-source': 'live',
    'content-location': '/v1/somewhere',
    etag: '"abcdefghijklmnop"',
    ...headers,
  };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, body: text, header: (name) => all[name] ?? null };
}

function answerTo(input: object, reply: ReadReply) {
  const answer = renderAnswer(requestFor(input), reply, { freshness: FRESHNESS, now: NOW });
  expect(answer.text.length).toBeLessThanOrEqual(ANSWER_LENGTH_MAX);
  return { ...answer, json: JSON.parse(answer.text) as Record<string, unknown> };
}

const earnings = { endpoint: 'earnings', symbol: 'NRTH' };
const day = { endpoint: 'calendar-earnings', date: '2026-11-20' };

test("states the response's time, the sources of its data sets, and the oldest of their updates", () => {
  const { json } = answerTo(earnings, replyOf([], { 'x-data-as-of': '2026-11-20T15:00:00Z' }));
  expect(json).toEqual({
    asOf: '2026-11-20T15:00:00Z',
    sources: ['nasdaq', 'sec'],
    lagSeconds: 90,
    updatedAt: '2026-11-20T15:28:30Z',
    late: ['earnings'],
    dataSource: 'live',
    read: '/v1/somewhere',
    rows: 0,
    data: [],
  });
});

test('states no lag for data that is computed from rules', () => {
  const { json } = answerTo({ endpoint: 'market-holidays' }, replyOf([]));
  expect(json).toMatchObject({ asOf: null, sources: [], lagSeconds: null });
});

test('omits unknown fields at any depth, and keeps zero, false and empty lists', () => {
  const row = {
    eps: null,
    surprise: 0,
    isFinal: false,
    flags: [],
    estimates: { eps: null, count: 3 },
  };
  const { json } = answerTo(earnings, replyOf([row]));
  expect(json['data']).toEqual([
    { surprise: 0, isFinal: false, flags: [], estimates: { count: 3 } },
  ]);
});

test('reduces rows to the requested fields, in every list of a day', () => {
  const pre = [{ symbol: 'A', eps: 1, name: null }];
  const body = { date: '2026-11-20', pre, after: [{ symbol: 'B', eps: 2, name: null }] };
  const { json } = answerTo(
    { ...day, fields: ['symbol', 'name'] },
    replyOf({ ...body, notSupplied: [] }),
  );
  expect(json).toMatchObject({
    rows: 2,
    counts: { pre: 1, after: 1, notSupplied: 0 },
    data: { date: '2026-11-20', pre: [{ symbol: 'A' }], after: [{ symbol: 'B' }] },
  });
});

test('rejects fields that no row has, and lists those that exist', () => {
  const { json, isError } = answerTo(
    { ...earnings, fields: 'eps,eps2' },
    replyOf([{ eps: 1, date: 'x' }]),
  );
  expect(isError).toBe(true);
  expect(json).toMatchObject({ code: 'invalid-parameter', parameter: 'fields' });
  expect(json['detail']).toBe('No row has eps2. Known fields: eps, date.');
});

/** Rows of about 300 characters with increasing numbers. */
function rows(count: number) {
  return Array.from({ length: count }, (_, n) => ({ id: `row_${n}`, n, text: 'x'.repeat(280) }));
}

/** Follows the cursors of answers to the end and returns the numbers of the rows. */
function readAll(endpoint: Endpoint['name'], input: object, reply: ReadReply): number[] {
  const seen: number[] = [];
  let cursor: unknown;
  do {
    const { json } = answerTo({ ...input, endpoint, cursor }, reply);
    seen.push(...numbersIn(json['data']));
    cursor = json['cursor'];
    expect(seen.length).toBeLessThan(1_000);
  } while (cursor !== undefined);
  return seen;
}

function numbersIn(value: unknown): number[] {
  return [...JSON.stringify(value).matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n));
}

test('trims a long list, says how many rows are left and how to get them, and loses none', () => {
  const { json } = answerTo(earnings, replyOf(rows(300)));
  expect(json['rows']).toMatch(/^1 to \d+ of 300$/);
  expect(json['more']).toMatch(
    /^\d+ more of 300 rows\. Narrow with fields, or continue with cursor\.$/,
  );
  const all = Array.from({ length: 300 }, (_, n) => n);
  expect(readAll('earnings', earnings, replyOf(rows(300)))).toEqual(all);
  expect(readAll('earnings', { ...earnings, limit: 7 }, replyOf(rows(300)))).toEqual(all);
});

test('continues within the lists of a day, and repeats the day', () => {
  const all = rows(120);
  const body = { date: '2026-11-20', pre: all.slice(0, 50), after: all.slice(50), notSupplied: [] };
  const first = answerTo(day, replyOf(body)).json;
  const second = answerTo({ ...day, cursor: first['cursor'] }, replyOf(body)).json;
  expect(second['data']).toMatchObject({ date: '2026-11-20' });
  expect(second['counts']).toEqual({ pre: 50, after: 70, notSupplied: 0 });
  expect(readAll('calendar-earnings', day, replyOf(body))).toEqual(all.map(({ n }) => n));
});

test('continues within a range of days, and shows days without rows', () => {
  const all = rows(120);
  const body = [
    { date: '2026-11-19', isTradingDay: true, pre: [], after: all.slice(0, 90), notSupplied: [] },
    { date: '2026-11-20', isTradingDay: true, pre: [], after: [], notSupplied: [] },
    { date: '2026-11-21', isTradingDay: false, pre: all.slice(90), after: [], notSupplied: [] },
  ];
  const range = { from: '2026-11-19', to: '2026-11-21' };
  expect(readAll('calendar-earnings', range, replyOf(body))).toEqual(all.map(({ n }) => n));
  const short = answerTo(
    { endpoint: 'calendar-earnings', ...range, fields: 'n' },
    replyOf(body),
  ).json;
  expect(short['data']).toMatchObject([
    { date: '2026-11-19' },
    { date: '2026-11-20' },
    { date: '2026-11-21' },
  ]);
});

test('continues a list by position after the last row shown', () => {
  const changes = { endpoint: 'changes', since: '2026-11-20T00:00:00Z' };
  const { json } = answerTo(changes, replyOf(rows(300)));
  const shown = numbersIn(json['data']);
  const next = requestFor({ ...changes, cursor: json['cursor'] });
  expect(next.url).toBe(`/v1/changes?since=row_${shown.at(-1)}`);
  expect(next.cursor.skip).toBe(0);
});

test('continues with the next page of the read API after its last row', () => {
  const link = { link: '</v1/earnings-reactions?symbol=NRTH&cursor=MTIuYQ>; rel="next"' };
  const input = { endpoint: 'earnings-reactions', symbol: 'NRTH' };
  const { json } = answerTo(input, replyOf(rows(2), link));
  expect(json['more']).toMatch(/^More rows\./);
  const next = requestFor({ ...input, cursor: json['cursor'] });
  expect(next.url).toBe('/v1/earnings-reactions?symbol=NRTH&cursor=MTIuYQ');
});

test('says when the data changed between two answers', () => {
  const { json } = answerTo(earnings, replyOf(rows(300)));
  const input = { ...earnings, cursor: json['cursor'] };
  expect(answerTo(input, replyOf(rows(300))).json).not.toHaveProperty('notice');
  const changed = replyOf(rows(300), { etag: '"another tag"' });
  expect(answerTo(input, changed).json['notice']).toContain('changed');
});

test('asks for fields if a single row is too large', () => {
  const { json, isError } = answerTo(earnings, replyOf([{ eps: 1, text: 'x'.repeat(20_000) }]));
  expect(isError).toBe(true);
  expect(json['detail']).toContain('eps, text');
});

test('shows an object such as a profile whole, and splits its lists only if it is too long', () => {
  const profile = { symbol: 'NRTH', formerSymbols: [{ symbol: 'OLD' }] };
  const whole = answerTo({ endpoint: 'profile', symbol: 'NRTH' }, replyOf(profile)).json;
  expect(whole['data']).toEqual(profile);
  expect(whole).not.toHaveProperty('rows');
  const symbolOnly = { endpoint: 'profile', symbol: 'NRTH', fields: 'symbol' };
  expect(answerTo(symbolOnly, replyOf(profile)).json['data']).toEqual({ symbol: 'NRTH' });
  const coverage = replyOf({ timestamp: 'now', datasets: rows(100), sources: [] });
  expect(readAll('coverage', {}, coverage)).toEqual(rows(100).map(({ n }) => n));
});

test('splits text into lines', () => {
  const text = Array.from({ length: 400 }, (_, n) => `SUMMARY:"n":${n} ${'x'.repeat(60)}`);
  const reply = replyOf(text.join('\r\n'), { 'content-type': 'text/calendar; charset=utf-8' });
  const { json } = answerTo({ endpoint: 'calendar-earnings-ics', symbols: 'NRTH' }, reply);
  expect(json['data']).toMatch(/^SUMMARY:/);
  expect(json['rows']).toMatch(/of 400$/);
});

test('states that the plan hides older rows', () => {
  const headers = { 'x-history-limited': 'true', 'x-history-from': '2024-11-20' };
  expect(answerTo(earnings, replyOf([], headers)).json).toMatchObject({
    historyFrom: '2024-11-20',
  });
});

test('names the data that was not recorded at the requested instant', () => {
  const gaps = 'consensus;before="2026-11-19T21:35:10Z"';
  const past = { ...earnings, asOf: '2026-11-18T00:00:00Z', known: 'public' };
  expect(answerTo(past, replyOf([], { 'x-known-gaps': gaps })).json).toMatchObject({
    knownGaps: gaps,
  });
  expect(answerTo(past, replyOf([])).json).not.toHaveProperty('knownGaps');
});

test('passes a problem on, with the usage of the endpoint for an invalid request', () => {
  const problem = {
    type: '/errors/x',
    title: 'X',
    status: 400,
    code: 'invalid-date',
    detail: 'No.',
  };
  expect(answerTo(day, replyOf(problem, {}, 400))).toMatchObject({
    isError: true,
    json: { status: 400, code: 'invalid-date', detail: 'No.', usage: expect.any(String) as string },
  });
  const limited = { ...problem, status: 429, code: 'rate-limited' };
  const { json } = answerTo(day, replyOf(limited, { 'retry-after': '12' }, 429));
  expect(json).toMatchObject({ code: 'rate-limited', retryAfterSeconds: 12 });
  expect(json).not.toHaveProperty('usage');
});

test('names the requested symbols that no security has', () => {
  const call = { endpoint: 'earnings', symbols: 'NRTH,NONE' };
  expect(answerTo(call, replyOf([], { 'x-unknown-symbols': 'NONE' })).json).toMatchObject({
    unknownSymbols: 'NONE',
  });
});
