import { randomUUID } from 'node:crypto';
import type { EarningsEvent } from '../../src/datasets/earnings/row.ts';
import { earningsVersions } from '../../src/datasets/earnings/store.ts';
import { recordQuotes } from '../../src/datasets/quotes/store.ts';
import { replaceSecurities } from '../../src/datasets/securities/store.ts';
import type { Security } from '../../src/datasets/securities/row.ts';
import { takeVersionInstant } from '../../src/datasets/versions/version-clock.ts';
import { localDate } from '../../src/domain/local-date.ts';
import type { Values } from '../../src/endpoints/endpoint.ts';
import type { Db } from '../../src/storage/db.ts';
import { parameterValues } from './parameter-values.ts';

export const SEEN_AT = Date.parse('2026-11-01T12:00:00Z');

/** Returns a security that has always had the symbol. */
export function securityOf(symbol: string, over: Partial<Security> = {}): Security {
  return {
    id: `sec_${symbol}`,
    symbol,
    cik: null,
    name: `${symbol} Inc.`,
    exchange: null,
    active: true,
    reports: true,
    formerCiks: [],
    listedAt: SEEN_AT,
    symbols: [{ symbol, from: null, to: null }],
    ...over,
  };
}

/** Returns a scheduled report for the symbol. `over` replaces fields. */
export function eventOf(symbol: string, over: Partial<EarningsEvent> = {}): EarningsEvent {
  return {
    id: `ern_${randomUUID()}`,
    securityId: `sec_${symbol}`,
    symbol,
    name: `${symbol} Inc.`,
    date: localDate('2026-11-20'),
    time: 'time-pre-market',
    dateStatus: 'projected',
    epsEstimate: '1.2',
    eps: null,
    revenueEstimate: null,
    revenue: null,
    estimateCount: 3,
    epsYearAgo: null,
    fiscalYear: 2026,
    fiscalQuarter: 3,
    fiscalPeriodEnd: localDate('2026-09-30'),
    epsGaap: null,
    epsBasis: 'adjusted',
    isEpsComparable: true,
    currency: 'USD',
    reportedAt: null,
    estimateAsOf: null,
    revenueEstimateAsOf: null,
    callAt: null,
    estimates: null,
    guidance: null,
    markerAhead: false,
    splitFactor: '1',
    sourceUrl: null,
    projection: null,
    provenance: {},
    updatedAt: SEEN_AT,
    ...over,
  };
}

/** Stores rows as a merge would. */
export async function storeRows(
  db: Db,
  rows: {
    securities?: readonly Security[];
    /** Symbols whose securities are removed unless they are among the new ones. */
    removedSymbols?: readonly string[];
    events?: readonly EarningsEvent[];
    marketCaps?: Readonly<Record<string, string>>;
  },
): Promise<void> {
  const { securities = [], removedSymbols = [], events = [], marketCaps = {} } = rows;
  await db.transaction(async (tx) => {
    const own = securities.flatMap((security) => security.symbols.map(({ symbol }) => symbol));
    const symbols = [...own, ...removedSymbols];
    await takeVersionInstant(tx, SEEN_AT);
    await replaceSecurities(tx, securities, symbols, SEEN_AT);
    await earningsVersions.insert(tx, events, SEEN_AT);
    const quotes = Object.entries(marketCaps).map(([symbol, marketCap]) => ({ symbol, marketCap }));
    await recordQuotes(tx, quotes, SEEN_AT);
  });
}

/** Returns endpoint parameters as they are after validation. */
export function valuesOf(params: { date?: string; symbol?: string }): Values {
  return parameterValues(params);
}
