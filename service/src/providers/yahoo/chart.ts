import { onTradingDays } from '../../domain/market/due-times.ts';
import type { Instant } from '../../platform/instant.ts';
import { describeValue } from '../../domain/dirty-value-error.ts';
import { addDays } from '../../domain/local-date.ts';
import { newYorkInstant } from '../../domain/new-york.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { joinParsed } from '../kit/read-rows.ts';
import {
  type Feed,
  type FeedRequest,
  type ParseResult,
  type PlanContext,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { readResult } from './response-body.ts';
import { readChartBars } from './chart-bars.ts';
import { readDividends } from './chart-dividends.ts';
import { readSplits } from './chart-splits.ts';
import { companyRequests, isApiResponse, listedSymbol, requestedSymbol } from './request.ts';

const PATH = /^\/v8\/finance\/chart\/([^/?]+)(?:\?|$)/;
const SHARES: readonly unknown[] = ['EQUITY', 'ETF'];
/** Covers four reports and the sessions before the first one. */
const DAYS_BACK = 400;

/**
 * `v8/finance/chart/{symbol}`: one company's daily bars, split-adjusted up to the request date,
 * with its splits and dividends. Needs no session token.
 */
export const chart: Feed = {
  name: 'chart',
  datasets: ['bars', 'splits', 'dividends'],
  schedule: [
    { name: 'evening', times: onTradingDays('22:15'), scope: 'reporters', priority: 'spare' },
  ],
  claims: (response) => isApiResponse(response, PATH),
  parse,
  plan,
};

function parse(response: SourceResponse): ParseResult {
  const result = readResult(response, 'chart');
  const symbol = symbolOf(response, result);
  const events = isJsonObject(result['events']) ? result['events'] : {};
  const bars = readChartBars(result, symbol);
  const splits = readSplits(events['splits'], symbol);
  const basis = coversAllSplits(response, result) ? splits : null;
  const dividends = readDividends(events, symbol, basis);
  return { ...joinParsed([bars, splits, dividends]), bars: bars.bars };
}

/**
 * Plans chart requests that include all splits up to now, which are needed to undo the adjustment
 * of dividends.
 */
function plan(context: PlanContext): FeedRequest[] {
  const from = seconds(newYorkInstant(addDays(context.today, -DAYS_BACK), 0));
  const to = seconds(newYorkInstant(addDays(context.today, 1), 0));
  const span = `interval=1d&period1=${from}&period2=${to}&events=div%2Csplit`;
  return companyRequests(context, (symbol) => `v8/finance/chart/${symbol}?${span}`);
}

/**
 * Returns the symbol of the chart. Throws unless the chart has daily bars for a share or fund that
 * trades in the U.S. in dollars.
 */
function symbolOf(response: SourceResponse, result: JsonObject): string {
  const requested = requestedSymbol(response, PATH);
  const meta = result['meta'];
  if (!isJsonObject(meta))
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'no meta');
  const { instrumentType, exchangeTimezoneName, currency, dataGranularity } = meta;
  if (listedSymbol(meta['symbol']) !== requested) {
    throw new SourceResponseError('error-answer', 'symbol-mismatch', `requested ${requested}`);
  }
  if (!SHARES.includes(instrumentType)) {
    throw new SourceResponseError(
      'unsupported',
      'not-a-share',
      describeValue(instrumentType).slice(0, 30),
    );
  }
  if (exchangeTimezoneName !== 'America/New_York' || currency !== 'USD') {
    throw new SourceResponseError(
      'unsupported',
      'foreign-listing',
      `${requested} is a foreign listing`,
    );
  }
  if (dataGranularity !== '1d') {
    throw new SourceResponseError(
      'unsupported',
      'not-daily-bars',
      `${describeValue(dataGranularity)} bars`.slice(0, 30),
    );
  }
  return requested;
}

/** Returns true if the response contains every split from the first bar to the response date. */
function coversAllSplits(response: SourceResponse, result: JsonObject): boolean {
  const events = new URL(response.url).searchParams.get('events') ?? '';
  const timestamps: unknown = result['timestamp'];
  const meta = isJsonObject(result['meta']) ? result['meta'] : {};
  const last: unknown = Array.isArray(timestamps) ? timestamps.at(-1) : null;
  const newest = meta['regularMarketTime'];
  if (typeof last !== 'number' || typeof newest !== 'number') return false;
  const openToClose = 8 * 3600;
  return events.includes('split') && newest - last <= openToClose;
}

function seconds(at: Instant): number {
  return Math.floor(at / 1000);
}
