import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parameterValues } from '../../test/support/parameter-values.ts';
import {
  barOf,
  eveningOf,
  ingestFileBars,
  ingestListedBars,
} from '../../test/support/stored-bars.ts';
import { SEEN_AT, securityOf, storeRows } from '../../test/support/stored-earnings.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { type LocalDate, localDate } from '../domain/local-date.ts';
import type { Db } from '../storage/db.ts';
import { endpoint } from './bars.ts';
import type { DailyBarRow } from './rows/daily-bar-row.ts';

const check = Compile(endpoint.response);
const NOW = Date.parse('2026-11-21T15:00:00Z');
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
  const renamedOn = localDate('2026-11-12');
  await storeRows(db, {
    securities: [
      securityOf('MERD', {
        symbols: [
          { symbol: 'OLDM', from: null, to: localDate('2026-11-11') },
          { symbol: 'MERD', from: renamedOn, to: null },
        ],
      }),
      securityOf('QUIE'),
    ],
  });
  await ingestFileBars(db, [
    barOf('OLDM', '2026-11-10', '100', { open: '99', high: '101', low: '98.5', volume: 1_000 }),
    barOf('OLDM', '2026-11-11', '104'),
    barOf('MERD', '2026-11-12', '10.5'),
  ]);
  // This source adjusts past prices for splits.
  await ingestListedBars(
    db,
    {
      list: null,
      isAdjusted: true,
      rows: [
        barOf('OLDM', '2026-11-09', '9.5', { volume: 3_000, basisDate: localDate('2026-11-20') }),
        barOf('MERD', '2026-11-20', '11', { basisDate: localDate('2026-11-20') }),
      ],
    },
    { feed: 'yahoo/chart', at: eveningOf('2026-11-20') },
  );
  await db.query(`insert into share_split values ('MERD', $1, 'files', 'splits', 10, 1, now())`, [
    renamedOn,
  ]);
});

afterAll(() => db.close());

test('returns bars in shares of today and as traded, whatever the basis of their source', async () => {
  const rows = await rowsOf({});
  expect(
    rows.map(({ date, close, splitFactor, asTraded }) => [
      date,
      close,
      splitFactor,
      asTraded.close,
    ]),
  ).toEqual([
    ['2026-11-09', 9.5, 10, 95],
    ['2026-11-10', 10, 10, 100],
    ['2026-11-11', 10.4, 10, 104],
    ['2026-11-12', 10.5, 1, 10.5],
    ['2026-11-20', 11, 1, 11],
  ]);
  expect(rows[0]).toMatchObject({ volume: 3_000, asTraded: { volume: 300 } });
  expect(rows[1]).toEqual({
    symbol: 'MERD',
    date: '2026-11-10',
    open: 9.9,
    high: 10.1,
    low: 9.85,
    close: 10,
    volume: 10_000,
    splitFactor: 10,
    asTraded: { open: 99, high: 101, low: 98.5, close: 100, volume: 1_000 },
  });
});

test('returns the days of an inclusive range, and rejects one that ends before it begins', async () => {
  const dates = async (range: Record<string, string>) =>
    (await rowsOf(range)).map(({ date }) => date);
  expect(await dates({ from: '2026-11-11', to: '2026-11-12' })).toEqual([
    '2026-11-11',
    '2026-11-12',
  ]);
  expect(await dates({ to: '2026-11-09' })).toEqual(['2026-11-09']);
  expect(await dates({ from: '2026-11-13' })).toEqual(['2026-11-20']);
  const fault = (from: string) =>
    endpoint.check?.(parameterValues({ from, to: '2026-11-12', asOf: null, known: null }), NOW);
  expect(fault('2026-11-13')).toMatchObject({ parameter: 'to' });
  expect(fault('2026-11-12')).toBeNull();
});

test('omits bars before the history of the plan, and says whether there are any', async () => {
  const from = (day: string) => respond({ symbol: 'MERD' }, localDate(day));
  expect(await from('2026-11-12')).toMatchObject({ historyLimited: true, body: [{}, {}] });
  expect(await from('2026-11-09')).toMatchObject({ historyLimited: false });
  const later = { symbol: 'MERD', from: '2026-11-13' };
  expect(await respond(later, localDate('2026-11-12'))).toMatchObject({ historyLimited: false });
});

test('returns the sessions that had closed at a past instant, in shares of that day', async () => {
  const at = eveningOf('2026-11-11');
  expect((await rowsOf({ asOf: at })).map(({ date, close }) => [date, close])).toEqual([
    ['2026-11-09', 95],
    ['2026-11-10', 100],
    ['2026-11-11', 104],
  ]);
  const beforeClose = await rowsOf({ asOf: Date.parse('2026-11-11T20:59:59Z') });
  expect(beforeClose.at(-1)?.date).toBe('2026-11-10');
  expect(await respond({ symbol: 'MERD', asOf: SEEN_AT - 1 })).toEqual({
    kind: 'not-known-yet',
    firstAt: SEEN_AT,
  });
  const known = { symbol: 'MERD', asOf: SEEN_AT - 1, known: 'public' };
  expect(await respond(known)).toMatchObject({ kind: 'body', body: [] });
});

test('names the source of each value on request, with the address of the response', async () => {
  const [archived] = await db.query<{ id: number }>(
    `with body as (
       insert into raw_body (sha256, gzip, size_bytes) values ('\\x00', '\\x00', 0) returning sha256)
     insert into raw_answer (provider, feed, url, status, content_type, observed_at, received_at,
                             body_sha256, outcome)
     select 'yahoo', 'chart', 'https://source.example/chart', 200, 'application/json', now(), now(),
            sha256, 'ingested' from body returning id`,
  );
  await db.query(`update price_bar set answer_id = $1 where provider = 'yahoo'`, [
    archived?.id ?? null,
  ]);
  const rows = await rowsOf({ include: 'provenance' });
  const seenAt = '2026-11-21T01:30:00Z';
  const source = { source: 'yahoo', url: 'https://source.example/chart', seenAt };
  expect(rows.at(-1)?.provenance).toEqual({ close: source, volume: source });
  expect(Object.keys(rows[1]?.provenance ?? {})).toEqual([
    'open',
    'high',
    'low',
    'close',
    'volume',
  ]);
  expect((await rowsOf({}))[0]).not.toHaveProperty('provenance');
});

test('returns an empty list for a security without bars, and a problem for an unknown symbol', async () => {
  expect(await respond({ symbol: 'QUIE' })).toMatchObject({ body: [], asOf: null });
  expect(await respond({ symbol: 'OLDM' })).toMatchObject({
    kind: 'unknown-symbol',
    successorSymbol: 'MERD',
  });
});

test('has an example that matches the schema', () => {
  expect(check.Check(endpoint.example)).toBe(true);
});

function respond(
  parameters: Record<string, string | number>,
  historyFrom: LocalDate | null = null,
) {
  return endpoint.handle(parameterValues(parameters), { db, now: NOW, historyFrom });
}

async function rowsOf(parameters: Record<string, string | number>): Promise<DailyBarRow[]> {
  const response = await respond({ symbol: 'MERD', ...parameters });
  if (response.kind !== 'body') throw new Error(response.kind);
  expect(check.Check(response.body)).toBe(true);
  return response.body as DailyBarRow[];
}
