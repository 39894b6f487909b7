import { beforeEach, expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { TICKERS_URL, tickers } from '../../test/support/write-recording.ts';
import { barOf, ingestListedBars } from '../../test/support/stored-bars.ts';
import { emptyStore } from '../../test/support/stores.ts';
import { loadBars } from '../datasets/bars/load.ts';
import { localDate } from '../domain/local-date.ts';
import { newYorkInstant } from '../domain/new-york.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import type { Instant } from '../platform/instant.ts';
import { createSourceResponse } from '../providers/source-response.ts';
import type { SourceResponse } from '../providers/provider.ts';
import { providers } from '../providers/registry.gen.ts';
import type { Db } from '../storage/db.ts';
import { createIngest } from './ingest.ts';

const SPLIT_DAY = localDate('2026-11-23');
const SPLIT = { symbol: 'DEAR', date: SPLIT_DAY, numerator: 10, denominator: 1 };
const BEFORE = localDate('2026-11-20');

const CHART_URL = 'https://query2.finance.yahoo.com/v8/finance/chart/DEAR?interval=1d&events=split';

onEachEngine((db) => {
  beforeEach(() => emptyStore(db()));

  test.each([
    ['before the open', 8 * 60],
    ['during the session', 11 * 60],
    ['after the session', 20 * 60],
  ])('adjusts a chart observed %s on the day of its split only once', async (_, minute) => {
    const at = newYorkInstant(SPLIT_DAY, minute);
    const clock = fakeClock(at);
    const ingest = createIngest({ db: db(), clock, providers, onCommit: () => undefined });
    await ingest(responseOf(TICKERS_URL, at, tickers([1, 'Dear Shares Inc', 'DEAR'])));
    await ingest(responseOf(CHART_URL, at, chart()));
    const named = await db().query<{ id: string }>(`select security_id as id from security_symbol`);
    const ids = named.map(({ id }) => id);
    const span = { from: localDate('2026-11-19'), to: BEFORE, basis: SPLIT_DAY };
    const [loaded] = (await loadBars(db(), ids, span)).values();
    expect(loaded?.bars.map(({ close }) => close)).toEqual(['120', '121']);
  });

  test.each([
    ['before the open on the day of a split', 8 * 60, [], BEFORE],
    ['before that open, with the split listed', 8 * 60, [SPLIT], SPLIT_DAY],
    ['before that open, with a split of another symbol', 8 * 60, [other('MERD')], BEFORE],
    ['before that open, with a future split', 8 * 60, [coming('2026-11-24')], BEFORE],
    ['during the session, with no split', 11 * 60, [], SPLIT_DAY],
    ['during the session, with the split listed', 11 * 60, [SPLIT], SPLIT_DAY],
    ['after the session', 20 * 60, [SPLIT], SPLIT_DAY],
  ])('adjusts bars observed %s for splits up to that time', async (_, minute, splits, basis) => {
    const at = newYorkInstant(SPLIT_DAY, minute);
    const rows = [barOf('DEAR', '2026-11-19', '120'), barOf('DEAR', '2026-11-20', '121')];
    const bars = { list: null, isAdjusted: true, rows, splits };
    await ingestListedBars(db(), bars, { feed: 'yahoo/chart', at });
    expect(await basesIn(db())).toEqual([basis]);
  });

  test('stores unadjusted bars in the shares of their own day, whatever splits the response lists', async () => {
    const rows = [barOf('DEAR', '2026-11-20', '1210')];
    const bars = { list: null, isAdjusted: false, rows, splits: [SPLIT] };
    await ingestListedBars(db(), bars, { feed: 'made/up', at: newYorkInstant(SPLIT_DAY, 11 * 60) });
    expect(await basesIn(db())).toEqual([BEFORE]);
  });
});

/** Returns a chart with two sessions before the split, whose prices are already adjusted for it. */
function chart(): object {
  const openOf = (date: string) => newYorkInstant(localDate(date), 9 * 60 + 30) / 1000;
  const prices = [120, 121];
  const columns = { open: prices, high: prices, low: prices, close: prices, volume: [1000, 1000] };
  const { numerator, denominator } = SPLIT;
  const result = {
    meta: {
      symbol: 'DEAR',
      currency: 'USD',
      instrumentType: 'EQUITY',
      dataGranularity: '1d',
      exchangeTimezoneName: 'America/New_York',
      regularMarketTime: openOf(BEFORE),
    },
    timestamp: [openOf('2026-11-19'), openOf(BEFORE)],
    events: { splits: { one: { date: openOf(SPLIT_DAY), numerator, denominator } } },
    indicators: { quote: [columns] },
  };
  return { chart: { error: null, result: [result] } };
}

function responseOf(url: string, observedAt: Instant, body: unknown): SourceResponse {
  const text = JSON.stringify(body);
  return createSourceResponse({
    url,
    status: 200,
    contentType: 'application/json',
    observedAt,
    text,
  });
}

function other(symbol: string): typeof SPLIT {
  return { ...SPLIT, symbol };
}

function coming(date: string): typeof SPLIT {
  return { ...SPLIT, date: localDate(date) };
}

async function basesIn(db: Db): Promise<string[]> {
  // Returns one row per basis date.
  const rows = await db.query<{ basis: string }>(
    `select distinct basis_date as basis from price_bar order by basis_date`,
  );
  return rows.map(({ basis }) => basis);
}
