import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIngest } from '../src/ingest/ingest.ts';
import { createSourceResponse } from '../src/providers/source-response.ts';
import { providers } from '../src/providers/registry.gen.ts';
import type { SourceResponse } from '../src/providers/provider.ts';
import { seededRandom } from '../src/platform/random.ts';
import type { Db } from '../src/storage/db.ts';
import { findSecurity } from '../src/endpoints/rows/find-security.ts';
import { fakeClock } from './support/fake-clock.ts';
import { emptyStore, memoryStore } from './support/stores.ts';
import { submissions, submissionsUrl } from './support/write-recording.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const SEED = Number(process.env['AFTERBELL_SEED'] ?? 20261124);
const ORDERS = 8;

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
});
afterAll(() => db.close());

const JANUARY = prices('2026-01-06', [
  ['HOLD', 'Holding Tools Inc. Common Stock', '40', '4000000000'],
  ['OLDT', 'Turner Corp Common Stock', '20', '900000000'],
  ['TAKE', 'Taker Foods Inc. Common Stock', '10', '100000000'],
  ['NAMA', 'Namur Tools Inc. Class A Common Stock', '30', '3000000000'],
  ['WASA', 'Wasatch Rail Corp. Common Stock', '50', '5000000000'],
]);

/**
 * One company reorganizes (HOLD), one takes TAKE over, and three change their symbols, as shown by a
 * list of filers (OLDT, NEWT), by an equal name (NAMA, NAMB) and by a former name (WASA, WASB).
 */
const WORLD: readonly SourceResponse[] = [
  prices('2022-06-01', [['NAMA', 'Namur Tools Inc. Class A Common Stock', '12', '1200000000']]),
  filers('2026-01-05', { HOLD: [1, 'Holding Tools Inc.'], OLDT: [2, 'Turner Corp'] }),
  filers('2026-01-05', { TAKE: [3, 'Taker Foods Inc.'] }, 'exchange'),
  JANUARY,
  prices('2026-03-03', [
    ['HOLD', 'Holding Tools Inc. Common Stock', '42', '4200000000'],
    ['NEWT', 'Newton Corp Common Stock', '21', '950000000'],
    ['TAKE', 'Talent Keepers Ltd. Ordinary Shares', '30', '9000000000'],
    ['NAMB', 'Namur Tools Inc. Class A Common Stock', '31', '3100000000'],
    ['WASB', 'Basin Rail Corp. Common Stock', '51', '5100000000'],
  ]),
  calendar('2026-03-04', [
    ['HOLD', 'Holding Tools Inc.'],
    ['NEWT', 'Newton Corp'],
    ['TAKE', 'Talent Keepers Ltd.'],
    ['NAMB', 'Namur Tools Inc.'],
    ['WASB', 'Basin Rail Corp.'],
  ]),
  filers('2026-03-23', {
    HOLD: [11, 'Holding Tools Holdings Inc.'],
    NEWT: [2, 'Newton Corp'],
    TAKE: [13, 'Talent Keepers Ltd.'],
    NAMB: [4, 'Namur Tools Inc.'],
    WASB: [5, 'Basin Rail Corp.'],
  }),
  responseAt('2026-03-24', submissionsUrl(cikOf(5)), {
    ...submissions(cikOf(5), 'WASB', []),
    name: 'Basin Rail Corp.',
    formerNames: [
      { name: 'WASATCH RAIL CORP', from: '2010-05-04', to: '2026-02-20T05:00:00.000Z' },
    ],
  }),
];

test('keeps the ids of reports when reorganizations, renamings and new companies become known', async () => {
  await ingestAll(WORLD);
  // Returns one row per report, and none for removed ones.
  const rows = await db.query<{ symbol: string; cik: string; kinds: string[] }>(
    `select e.symbol, s.cik, (select array_agg(distinct c.kind order by c.kind) from change_record c
              where c.entity_id = e.id) as kinds
       from earnings_event e join security s on s.id = e.security_id
      where e.known_to is null order by e.symbol`,
  );
  expect(rows).toEqual([
    { symbol: 'HOLD', cik: cikOf(11), kinds: ['added'] },
    { symbol: 'NAMB', cik: cikOf(4), kinds: ['added'] },
    { symbol: 'NEWT', cik: cikOf(2), kinds: ['added', 'changed'] },
    { symbol: 'TAKE', cik: cikOf(13), kinds: ['added'] },
    { symbol: 'WASB', cik: cikOf(5), kinds: ['added'] },
  ]);
  for (const [former, successor] of [
    ['OLDT', 'NEWT'],
    ['NAMA', 'NAMB'],
    ['WASA', 'WASB'],
  ] as const) {
    expect(await findSecurity(db, former)).toMatchObject({ successorSymbol: successor });
  }
});

test(`gives reports the same ids in any order of nights and sources (seed ${SEED})`, async () => {
  await ingestAll(WORLD);
  const expected = await idsNow();
  expect(expected).toHaveLength(5);
  const random = seededRandom(SEED);
  for (let order = 0; order < ORDERS; order++) {
    const keyed = WORLD.map((response) => ({
      response,
      key: Buffer.from(random.bytes(8)).toString('hex'),
    }));
    const shuffled = keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    await ingestAll(shuffled.map(({ response }) => response));
    expect(await idsNow(), `order ${order}`).toEqual(expected);
  }
});

test('recognizes a renaming when a repeated row shortens the gap between the symbols', async () => {
  await ingestAll([...WORLD.filter((response) => response !== JANUARY), JANUARY]);
  expect(await findSecurity(db, 'NAMA')).toMatchObject({ successorSymbol: 'NAMB' });
});

test('serves no report of a share class after the symbol with the report left the company', async () => {
  const name = 'Lost River Corp. Class A Common Stock';
  await ingestAll([
    prices('2026-01-06', [['LOST', name, '10', '100000000']]),
    filers('2026-01-10', { RIVR: [6, 'Lost River Corp.'], RIVRK: [6, 'Lost River Corp.'] }),
    calendar('2026-01-12', [['LOST', 'Lost River Corp.']]),
    // The name alone would show a renaming, but the closes in the same list contradict it.
    prices('2026-03-03', [['RIVR', name, '40', '9000000000']]),
  ]);
  const ids = await idsNow();
  expect(ids).toHaveLength(1);
  expect(ids[0]).toContain(' LOST ');
});

async function ingestAll(responses: readonly SourceResponse[]): Promise<void> {
  await emptyStore(db);
  const clock = fakeClock(NOW);
  const ingest = createIngest({ db, clock, providers, onCommit: () => undefined });
  for (const response of responses) {
    await ingest(response);
    await clock.advance(1000);
  }
}

async function idsNow(): Promise<string[]> {
  // Returns one row per report.
  const rows = await db.query<{ line: string }>(
    `select concat_ws(' ', id, security_id, symbol, date) as line
       from earnings_event where known_to is null order by line`,
  );
  return rows.map(({ line }) => line);
}

function filers(
  day: string,
  rows: Readonly<Record<string, readonly [filer: number, name: string]>>,
  list = '',
): SourceResponse {
  const named = Object.entries(rows).map(([ticker, [filer, title]]) => {
    return { cik_str: Number(cikOf(filer)), ticker, title };
  });
  const exchange = {
    fields: ['cik', 'name', 'ticker', 'exchange'],
    data: named.map(({ cik_str: cik, ticker, title }) => [cik, title, ticker, 'NYSE']),
  };
  const isExchange = list === 'exchange';
  return responseAt(
    day,
    `https://www.sec.gov/files/company_tickers${isExchange ? '_exchange' : ''}.json`,
    isExchange ? exchange : Object.fromEntries(named.map((row, index) => [index, row])),
  );
}

function prices(
  day: string,
  rows: readonly (readonly [symbol: string, name: string, price: string, marketCap: string])[],
): SourceResponse {
  return responseAt(day, 'https://api.nasdaq.com/api/screener/stocks?exchange=nyse&download=true', {
    data: {
      rows: rows.map(([symbol, name, lastsale, marketCap]) => ({
        symbol,
        name,
        lastsale: `$${lastsale}`,
        netchange: '0.10',
        marketCap,
        volume: '100000',
        sector: 'Industrials',
      })),
    },
    message: null,
    status: { rCode: 200, bCodeMessage: null },
  });
}

function calendar(
  day: string,
  rows: readonly (readonly [symbol: string, name: string])[],
): SourceResponse {
  return responseAt(day, 'https://api.nasdaq.com/api/calendar/earnings?date=2026-03-17', {
    data: {
      asOf: 'Tue, Mar 17, 2026',
      headers: {},
      rows: rows.map(([symbol, name]) => ({
        symbol,
        name,
        time: 'time-pre-market',
        fiscalQuarterEnding: 'Jan/2026',
        epsForecast: '$1.20',
        noOfEsts: '3',
        marketCap: '$1,000,000,000',
        lastYearRptDt: '3/18/2025',
        lastYearEPS: '$1.00',
      })),
    },
    message: null,
    status: { rCode: 200, bCodeMessage: null },
  });
}

function responseAt(day: string, url: string, body: object): SourceResponse {
  return createSourceResponse({
    url,
    status: 200,
    contentType: 'application/json; charset=utf-8',
    observedAt: Date.parse(`${day}T23:00:00Z`),
    text: JSON.stringify(body),
  });
}

function cikOf(filer: number): string {
  return String(9_990_000 + filer).padStart(10, '0');
}
