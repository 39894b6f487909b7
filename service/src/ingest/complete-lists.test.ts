import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { upcomingRow, calendarUrl, envelope, pastRow } from '../../test/support/write-recording.ts';
import { emptyStore } from '../../test/support/stores.ts';
import { saveDecision } from '../datasets/quarantine/decisions.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createSourceResponse } from '../providers/source-response.ts';
import type { SourceResponse } from '../providers/provider.ts';
import { providers } from '../providers/registry.gen.ts';
import type { Db } from '../storage/db.ts';
import { createIngest } from './ingest.ts';

const DAY = '2026-12-01';
const PERIOD = { fiscalQuarterEnding: 'Oct/2026' };

/** Returns Nasdaq's earnings list for a day, observed at noon on a day in November. */
function nasdaqList(
  november: number,
  symbols: readonly (string | object)[],
  day = DAY,
): SourceResponse {
  const rows = symbols.map((entry) =>
    typeof entry === 'string' ? upcomingRow(entry, PERIOD) : entry,
  );
  return responseOf(calendarUrl(day), november, envelope(rows));
}

/** Returns Finnhub's list for the same day. */
function finnhubList(november: number, symbols: readonly string[], day = DAY): SourceResponse {
  const earningsCalendar = symbols.map((symbol) => {
    return { symbol, date: day, hour: 'amc', epsEstimate: 1.3, quarter: 3, year: 2026 };
  });
  const url = `https://finnhub.io/api/v1/calendar/earnings?from=${day}&to=${day}`;
  return responseOf(url, november, { earningsCalendar });
}

/** Returns Nasdaq's list of dividends for one ex-date. */
function dividendList(november: number, symbols: readonly string[], day = DAY): SourceResponse {
  const rows = symbols.map((symbol) => ({
    companyName: symbol,
    symbol,
    dividend_Ex_Date: '12/01/2026',
    payment_Date: '12/15/2026',
    record_Date: '12/01/2026',
    dividend_Rate: 0.25,
    announcement_Date: '11/02/2026',
  }));
  const url = `https://api.nasdaq.com/api/calendar/dividends?date=${day}`;
  return responseOf(url, november, { data: { calendar: { rows } }, status: { rCode: 200 } });
}

function responseOf(url: string, november: number, body: object): SourceResponse {
  return createSourceResponse({
    url,
    status: 200,
    contentType: 'application/json',
    text: JSON.stringify(body),
    observedAt: noon(november),
  });
}

function noon(november: number): number {
  return Date.UTC(2026, 10, november, 12);
}

onEachEngine((db) => {
  test('removes a report that is missing from two complete lists and from every other source', async () => {
    const lists = [nasdaqList(10, ['GONE', 'STAY']), nasdaqList(11, ['STAY'])];
    expect(await reportsAfter(db(), lists)).toEqual([`GONE ${DAY}`, `STAY ${DAY}`]);
    expect(await reportsAfter(db(), [...lists, nasdaqList(12, ['STAY'])])).toEqual([`STAY ${DAY}`]);
    const [change] = await db().query(
      `select symbol, kind, observed_at from change_record order by id desc limit 1`,
    );
    expect(change).toEqual({ symbol: 'GONE', kind: 'removed', observed_at: noon(12) });
  });

  test("removes a day's only report after two empty lists", async () => {
    const lists = [nasdaqList(10, ['GONE']), nasdaqList(11, []), nasdaqList(12, [])];
    expect(await reportsAfter(db(), lists)).toEqual([]);
  });

  test('restores a removed report with its original id once it is listed again', async () => {
    const lists = [nasdaqList(10, ['BACK']), nasdaqList(11, []), nasdaqList(12, [])];
    await reportsAfter(db(), lists);
    const ids = () => db().query('select distinct id from earnings_event');
    const before = await ids();
    expect(await reportsAfter(db(), [...lists, nasdaqList(13, ['BACK'], '2026-12-08')])).toEqual([
      'BACK 2026-12-08',
    ]);
    expect(await ids()).toEqual(before);
  });

  test('moves a report to a different day instead of removing it, although two lists for the old day omit it', async () => {
    const lists = [
      nasdaqList(10, ['MOVE']),
      nasdaqList(11, []),
      nasdaqList(11, ['MOVE'], '2026-12-08'),
      nasdaqList(12, []),
      nasdaqList(13, []),
    ];
    expect(await reportsAfter(db(), lists)).toEqual(['MOVE 2026-12-08']);
  });

  test('keeps a report that a second source still lists', async () => {
    const lists = [
      finnhubList(9, ['HELD'], '2026-12-02'),
      nasdaqList(10, ['HELD']),
      nasdaqList(11, []),
    ];
    expect(await reportsAfter(db(), lists)).toEqual([`HELD ${DAY}`]);
    expect(await reportsAfter(db(), [...lists, nasdaqList(12, [])])).toEqual(['HELD 2026-12-02']);
    const [event] = await db().query(
      `select updated_at from earnings_event where known_to is null`,
    );
    expect(event).toEqual({ updated_at: noon(12) });
  });

  test('keeps a report with results, no matter how many lists omit it', async () => {
    const result = pastRow('DONE', { ...PERIOD, eps: '$1.10' });
    const lists = [nasdaqList(10, [result]), nasdaqList(11, []), nasdaqList(12, [])];
    expect(await reportsAfter(db(), lists)).toEqual([`DONE ${DAY}`]);
  });

  test('removes no reports based on a list with an unreadable row', async () => {
    const broken = { ...upcomingRow('STAY', PERIOD), symbol: '' };
    const lists = [
      nasdaqList(10, ['GONE', 'STAY']),
      nasdaqList(11, [broken]),
      nasdaqList(12, [broken]),
    ];
    expect(await reportsAfter(db(), lists)).toEqual([`GONE ${DAY}`, `STAY ${DAY}`]);
  });

  test('removes no reports based on a truncated list', async () => {
    const symbols = Array.from({ length: 12 }, (_, index) => `S${'ABCDEFGHIJKL'[index]}`);
    const few = symbols.slice(0, 5);
    const lists = [
      nasdaqList(10, symbols),
      nasdaqList(11, few),
      nasdaqList(12, few),
      nasdaqList(13, []),
    ];
    expect(await reportsAfter(db(), lists)).toHaveLength(12);
  });

  test('removes a report based on a list in which an operator chose between two rows', async () => {
    const twice = ['$1.25', '$1.35'].map((epsForecast) => {
      return upcomingRow('TWICE', { ...PERIOD, epsForecast });
    });
    await reportsAfter(db(), [nasdaqList(10, ['GONE', ...twice])]);
    const ingest = ingestInto(db());
    await db().transaction(async (tx) => {
      const [row] = await tx.query<{ id: number }>('select id from quarantined_row');
      const id = { kind: 'row', number: row?.id ?? 0 } as const;
      const decision = { decision: 'accepted', reason: 'seen elsewhere', by: 'operator' } as const;
      await saveDecision(tx, { id, at: noon(10), ...decision });
    });
    for (const day of [11, 12]) await ingest(nasdaqList(day, twice));
    expect(await currentReports(db())).toEqual([`TWICE ${DAY}`]);
  });

  test('removes no reports based on a list less than half as long as an earlier list with an unreadable row', async () => {
    const symbols = Array.from({ length: 12 }, (_, index) => `S${'ABCDEFGHIJKL'[index]}`);
    const broken = { ...upcomingRow('STAY', PERIOD), symbol: '' };
    const lists = [nasdaqList(10, [...symbols, broken]), nasdaqList(11, []), nasdaqList(12, [])];
    expect(await reportsAfter(db(), lists)).toHaveLength(12);
    expect(await reportsAfter(db(), lists.toReversed())).toHaveLength(12);
  });

  test('removes no reports based on much shorter lists in either order, even across several transactions', async () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRST'];
    const symbols = letters.flatMap((a) => letters.map((b) => `S${a}${b}`));
    const broken = { ...upcomingRow('STAY', PERIOD), symbol: '' };
    const few = symbols.slice(0, 180);
    const lists = [nasdaqList(10, [...symbols, broken]), nasdaqList(11, few), nasdaqList(12, few)];
    expect(await reportsAfter(db(), lists)).toHaveLength(400);
    expect(await reportsAfter(db(), lists.toReversed())).toHaveLength(400);
  });

  test('removes a dividend that is missing from two complete lists for its ex-date', async () => {
    const lists = [dividendList(10, ['PAYS', 'STAY']), dividendList(11, ['STAY'])];
    await reportsAfter(db(), lists);
    const currentSymbols = () =>
      db().query('select symbol from dividend where known_to is null order by symbol');
    expect(await currentSymbols()).toEqual([{ symbol: 'PAYS' }, { symbol: 'STAY' }]);
    await reportsAfter(db(), [...lists, dividendList(12, ['STAY'])]);
    expect(await currentSymbols()).toEqual([{ symbol: 'STAY' }]);
  });

  test('ends in the same state for complete lists in any order', async () => {
    const lists = [
      finnhubList(9, ['HELD'], '2026-12-02'),
      nasdaqList(10, ['HELD', 'GONE', 'MOVE']),
      nasdaqList(11, []),
      nasdaqList(11, ['MOVE'], '2026-12-08'),
      nasdaqList(12, []),
      dividendList(10, ['P']),
      dividendList(11, []),
      dividendList(12, []),
    ];
    const expected = ['HELD 2026-12-02', 'MOVE 2026-12-08'];
    for (let turn = 0; turn < lists.length; turn += 1) {
      const turned = [...lists.slice(turn), ...lists.slice(0, turn)];
      expect(await reportsAfter(db(), turned)).toEqual(expected);
      expect(await reportsAfter(db(), turned.toReversed())).toEqual(expected);
      expect(await db().query('select 1 from dividend where known_to is null')).toEqual([]);
    }
  });
});

/**
 * Ingests these responses into an empty store and returns the current reports by symbol and day.
 */
async function reportsAfter(db: Db, responses: readonly SourceResponse[]): Promise<unknown[]> {
  await emptyStore(db);
  const ingest = ingestInto(db);
  for (const response of responses) await ingest(response);
  return currentReports(db);
}

function ingestInto(db: Db): (response: SourceResponse) => Promise<void> {
  const clock = fakeClock(noon(20));
  const ingest = createIngest({ db, clock, providers, onCommit: () => undefined });
  return async (response) => {
    const report = await ingest(response);
    expect(report.datasets.map(({ outcome }) => outcome)).toEqual(['ingested']);
    await clock.advance(1_000);
  };
}

async function currentReports(db: Db): Promise<unknown[]> {
  const rows = await db.query<{ row: string }>(
    `select symbol || ' ' || date as row from earnings_event where known_to is null
      order by symbol, date`,
  );
  return rows.map(({ row }) => row);
}
