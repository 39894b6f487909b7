import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createIngest } from '../src/ingest/ingest.ts';
import { fakeClock, type FakeClock } from './support/fake-clock.ts';
import { createSourceResponse } from '../src/providers/source-response.ts';
import type { SourceResponse } from '../src/providers/provider.ts';
import { providers } from '../src/providers/registry.gen.ts';
import type { Db } from '../src/storage/db.ts';
import {
  upcomingRow,
  calendarUrl,
  envelope,
  pastRow,
  tickers,
  TICKERS_URL,
} from './support/write-recording.ts';
import { emptyStore, memoryStore } from './support/stores.ts';

let db: Db;
let clock: FakeClock;
let ingest: (answer: SourceResponse) => Promise<unknown>;
beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(async () => {
  await emptyStore(db);
  clock = fakeClock(Date.parse('2026-06-01T00:00:00Z'));
  ingest = createIngest({ db, clock, providers, onCommit: () => undefined });
});
afterAll(() => db.close());

test('records a rescheduled report as one change to one row: the id stays and the old version is closed', async () => {
  await see('2026-01-20', '2026-02-10', upcomingRow('NRTH'));
  await see('2026-01-25', '2026-02-17', upcomingRow('NRTH'));
  const versions = await history();
  expect(versions).toMatchObject([
    { date: '2026-02-10', is_open: false },
    { date: '2026-02-17', is_open: true },
  ]);
  expect(new Set(versions.map(({ id }) => id)).size).toBe(1);
  expect(versions[0]?.known_to).toBe(versions[1]?.known_from);
  expect((await changes()).map(({ changed_fields }) => changed_fields).slice(1)).toEqual([
    ['date'],
  ]);
});

test('changes no row and writes no change record when a response is repeated', async () => {
  await see('2026-01-20', '2026-02-10', upcomingRow('NRTH'));
  const before = [await history(), await changes(), await commits()];
  await see('2026-01-21', '2026-02-10', upcomingRow('NRTH'));
  await see('2026-01-20', '2026-02-10', upcomingRow('NRTH'));
  expect([await history(), await changes(), await commits()]).toEqual(before);
});

test('records no change to a report when only the market capitalization moves', async () => {
  await see('2026-01-20', '2026-02-10', upcomingRow('NRTH'));
  const before = [await history(), await changes()];
  await see('2026-01-21', '2026-02-10', upcomingRow('NRTH', { marketCap: '$9,999' }));
  expect([await history(), await changes()]).toEqual(before);
});

test('sets updatedAt to when the last change was observed rather than ingested', async () => {
  await see('2026-01-20', '2026-02-10', upcomingRow('NRTH'));
  await see('2026-01-22', '2026-02-10', upcomingRow('NRTH', { epsForecast: '$1.40' }));
  await see('2026-01-24', '2026-02-10', upcomingRow('NRTH', { epsForecast: '$1.40' }));
  expect((await history()).at(-1)).toMatchObject({ updated_at: noon('2026-01-22'), is_open: true });
});

test('moves the date of a value back when an older response arrives late, but never the date of a change', async () => {
  await see('2026-01-24', '2026-02-10', upcomingRow('NRTH'));
  await see('2026-01-20', '2026-02-10', upcomingRow('NRTH'));
  expect(await history()).toMatchObject([
    { updated_at: noon('2026-01-24'), is_open: false },
    { updated_at: noon('2026-01-20'), is_open: true },
  ]);
  expect(await changes()).toHaveLength(1);
});

test('updates the frozen consensus from a late capture taken before the release, but not from one taken after it', async () => {
  await see('2026-01-20', '2026-02-10', upcomingRow('NRTH', { epsForecast: '$1.10' }));
  await see('2026-02-12', '2026-02-10', pastRow('NRTH', { epsForecast: '$1.25' }));
  await see('2026-02-09', '2026-02-10', upcomingRow('NRTH', { epsForecast: '$1.10' }));
  expect((await history()).at(-1)).toMatchObject({
    eps_estimate: '1.1',
    estimate_as_of: noon('2026-02-09'),
    eps: '1.3',
  });
  await see('2026-02-20', '2026-02-10', pastRow('NRTH', { epsForecast: '$1.99' }));
  expect((await history()).at(-1)).toMatchObject({ eps_estimate: '1.1' });
});

test("lists every differing field in a change, and every known field in a report's first change", async () => {
  await see('2026-01-20', '2026-02-10', upcomingRow('NRTH', { epsForecast: '' }));
  await see('2026-01-21', '2026-02-11', upcomingRow('NRTH', { time: 'time-pre-market' }));
  const [first, second] = await changes();
  expect(first?.changed_fields).toEqual(
    expect.arrayContaining(['date', 'time', 'symbol', 'currency']),
  );
  expect(first?.changed_fields).not.toContain('epsEstimate');
  expect(second).toMatchObject({
    symbol: 'NRTH',
    changed_fields: ['date', 'time', 'epsEstimate', 'estimateCount'],
    observed_at: noon('2026-01-21'),
  });
});

test("moves a renamed company's reports to the new symbol under their old ids", async () => {
  await take('2026-01-10', TICKERS_URL, tickers([9_990_001, 'Northgate', 'OLDC']));
  await see('2026-01-20', '2026-02-10', upcomingRow('OLDC'));
  const [before] = await history();
  await take('2026-01-25', TICKERS_URL, tickers([9_990_001, 'Northgate', 'NEWC']));
  const after = (await history()).at(-1);
  expect(after).toMatchObject({ id: before?.id, symbol: 'NEWC', updated_at: noon('2026-01-25') });
  expect((await changes()).at(-1)?.changed_fields).toEqual(['symbol']);
});

test('does not treat replacing half of over a thousand symbols as renames', async () => {
  const others = Array.from({ length: 1100 }, (_, n): [number, string, string] => [
    n + 1,
    `Filer ${n}`,
    `X${String.fromCharCode(65 + (n % 26), 65 + (Math.floor(n / 26) % 26))}${'ABCDE'[Math.floor(n / 676)] ?? 'F'}`,
  ]);
  const north = [9_990_001, 'Northgate', 'NRTH'] as [number, string, string];
  await take('2026-01-10', TICKERS_URL, tickers(...others, north));
  const known = await changes();
  await take(
    '2026-01-11',
    TICKERS_URL,
    tickers([9_990_001, 'Northgate', 'NRTHB'], ...others, north),
  );
  const renamed = await db.query(
    `select symbol from security where jsonb_array_length(symbols) > 1 or not active`,
  );
  expect(renamed).toEqual([]);
  const news = (await changes()).slice(known.length);
  expect(news.filter(({ symbol }) => symbol === 'NRTH')).toEqual([]);
});

async function see(seenOn: string, day: string, row: object): Promise<void> {
  await take(seenOn, calendarUrl(day), envelope([row]));
}

async function take(seenOn: string, url: string, body: object): Promise<void> {
  const text = JSON.stringify(body);
  const contentType = 'application/json';
  await ingest(
    createSourceResponse({ url, status: 200, contentType, observedAt: noon(seenOn), text }),
  );
  await clock.advance(60_000);
}

function noon(day: string): number {
  return Date.parse(`${day}T12:00:00Z`);
}

interface Version extends Record<string, unknown> {
  id: string;
  known_from: number;
  known_to: number | null;
}

function history(): Promise<Version[]> {
  return db.query<Version>(
    `select *, known_to is null as is_open from earnings_event order by version_id`,
  );
}

function changes(): Promise<{ symbol: string; changed_fields: string[]; observed_at: number }[]> {
  return db.query(
    `select symbol, changed_fields, observed_at from change_record where dataset = 'earnings' order by id`,
  );
}

async function commits(): Promise<unknown> {
  return db.query(
    `select count(*)::int4 as n from commit_log where 'earnings:date:2026-02-10' = any(topics)`,
  );
}
