import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createIngest } from '../src/ingest/ingest.ts';
import { fakeClock } from './support/fake-clock.ts';
import { createSourceResponse } from '../src/providers/source-response.ts';
import type { SourceResponse } from '../src/providers/provider.ts';
import { providers } from '../src/providers/registry.gen.ts';
import type { Db } from '../src/storage/db.ts';
import { currentState } from './support/store-state.ts';
import { emptyStore, memoryStore } from './support/stores.ts';

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(() => emptyStore(db));
afterAll(() => db.close());

const FILED = { filed: { rows: [deal({ filedDate: '11/02/2026' })] } };
const EXPECTED = {
  upcoming: { upcomingTable: { rows: [deal({ expectedPriceDate: '11/24/2026' })] } },
};
const PRICED = { ...FILED, priced: { rows: [deal({ pricedDate: '11/24/2026' })] } };
const IPO_ANSWERS = [FILED, EXPECTED, PRICED].map((month, i) =>
  answerOf('ipo/calendar?date=2026-11', i, month),
);
const DIVIDEND_ANSWERS = [
  dividends(0, { dividend_Ex_Date: '11/23/2026' }),
  dividends(1, { dividend_Ex_Date: '11/24/2026' }),
  dividends(2, { dividend_Ex_Date: '11/24/2026', payment_Date: '11/01/2026' }),
  dividends(3, { dividend_Ex_Date: '11/24/2026', dividend_Rate: 0.3 }),
];

test('keeps one row for an offering, with its history from filing to pricing', async () => {
  await take(IPO_ANSWERS);
  const rows = await db.query<{ id: string; status: string; isNow: boolean }>(
    `select id, status, known_to is null as "isNow" from ipo order by version_id`,
  );
  expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
  expect(rows.map(({ status, isNow }) => `${status} ${isNow}`)).toEqual([
    'filed false',
    'expected false',
    'priced true',
  ]);
});

test('does not create a security for the proposed ticker of an offering', async () => {
  await take(IPO_ANSWERS);
  expect(await db.query('select symbol from security')).toEqual([]);
});

test('derives the same offerings and dividends from responses in any order, even if repeated', async () => {
  const answers = [...IPO_ANSWERS, ...DIVIDEND_ANSWERS];
  await take(answers);
  const expected = await currentState(db);
  expect(expected['ipos']).toHaveLength(1);
  expect(expected['dividends']).toHaveLength(1);
  for (const order of [answers.toReversed(), [...answers.slice(3), ...answers, ...answers]]) {
    await emptyStore(db);
    await take(order);
    expect(await currentState(db)).toEqual(expected);
  }
});

test('quarantines a dividend with dates out of order, states the reason, and keeps the last valid version', async () => {
  const reports = await take(DIVIDEND_ANSWERS.slice(0, 3));
  expect(reports.at(-1)).toMatchObject({
    datasets: [{ rowsQuarantined: 1, quarantineReasons: { 'paid-before-ex-date': 1 } }],
  });
  const standing = await db.query(
    `select ex_date, payment_date, amount from dividend where known_to is null`,
  );
  expect(standing).toEqual([{ ex_date: '2026-11-24', payment_date: '2026-12-10', amount: '0.25' }]);
});

function deal(over: object): object {
  return {
    dealID: '990106-200006',
    proposedTickerSymbol: 'CLDV',
    companyName: 'CALDER VALE INC.',
    proposedExchange: 'NASDAQ Global',
    proposedSharePrice: '15.00',
    sharesOffered: '9,000,000',
    dollarValueOfSharesOffered: '$135,000,000',
    ...over,
  };
}

function dividends(day: number, over: object): SourceResponse {
  const row = {
    companyName: 'Meridian Tools, Inc.',
    symbol: 'MERD',
    payment_Date: '12/10/2026',
    record_Date: '11/24/2026',
    dividend_Rate: 0.25,
    indicated_Annual_Dividend: 1,
    announcement_Date: '10/29/2026',
    ...over,
  };
  return answerOf('calendar/dividends?date=2026-11-24', day, { calendar: { rows: [row] } });
}

function answerOf(path: string, day: number, data: object): SourceResponse {
  const status = { rCode: 200, bCodeMessage: null };
  return createSourceResponse({
    url: `https://api.nasdaq.com/api/${path}`,
    status: 200,
    contentType: 'application/json; charset=utf-8',
    observedAt: Date.UTC(2026, 10, 3 + day),
    text: JSON.stringify({ data, message: null, status }),
  });
}

async function take(answers: readonly SourceResponse[]): Promise<unknown[]> {
  const clock = fakeClock(Date.UTC(2026, 10, 20));
  const ingest = createIngest({ db, clock, providers, onCommit: () => undefined });
  const reports: unknown[] = [];
  for (const answer of answers) {
    reports.push(await ingest(answer));
    await clock.advance(1_000);
  }
  return reports;
}
