import { daily, onTradingDays } from '../../domain/market/due-times.ts';
import { isJsonObject } from '../kit/json.ts';
import { joinParsed } from '../kit/read-rows.ts';
import {
  type Feed,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { readResult } from './response-body.ts';
import { readCalls } from './calls.ts';
import { readCompany } from './company.ts';
import type { Modules } from './modules.ts';
import { readHistory } from './earnings-history.ts';
import { readTrend } from './earnings-trend.ts';
import { readNextReport } from './next-report.ts';
import { companyRequests, isApiResponse, listedSymbol, requestedSymbol } from './request.ts';

const PATH = /^\/v10\/finance\/quoteSummary\/([^/?]+)(?:\?|$)/;
const MODULES = [
  'calendarEvents',
  'earningsHistory',
  'earningsTrend',
  'assetProfile',
  'price',
  'defaultKeyStatistics',
];
/** Modules that contain the company's symbol. */
const MODULES_WITH_SYMBOL = ['price', 'quoteType'];

/**
 * `v10/finance/quoteSummary/{symbol}?modules=`: the next report date with its consensus and
 * conference call, results for the last four quarters, estimates for the current and the next
 * quarter, and the company profile.
 */
export const quoteSummary: Feed = {
  name: 'quote-summary',
  isProbe: true,
  datasets: ['earnings', 'profiles'],
  ranks: { earnings: ['secondary', 10] },
  schedule: [
    // Fetches estimates for the coming weeks, for companies in rotation, and every evening for
    // companies that report now.
    { name: 'turn', times: daily('03:50'), scope: 'all', priority: 'spare', everyDays: 28 },
    { name: 'evening', times: onTradingDays('21:20'), scope: 'reporters' },
  ],
  claims: (response) => isApiResponse(response, PATH),
  parse,
  plan: (context) =>
    companyRequests(
      context,
      (symbol) =>
        `v10/finance/quoteSummary/${symbol}?formatted=false&modules=${MODULES.join('%2C')}`,
    ),
};

function parse(response: SourceResponse): ParseResult {
  const result = readResult(response, 'quoteSummary');
  const modules: Modules = {
    symbol: requestedSymbol(response, PATH),
    observedAt: response.observedAt,
    module(name) {
      const value = Object.hasOwn(result, name) ? result[name] : null;
      return isJsonObject(value) ? value : null;
    },
  };
  requireRequestedSymbol(modules);
  const { next, period } = readNextReport(modules);
  const parts = [
    next,
    readCalls(modules),
    readTrend(modules, period),
    readHistory(modules),
    readCompany(modules),
  ];
  return joinParsed(parts);
}

/** Rejects a page for a different company with all its modules, most of which have no symbol. */
function requireRequestedSymbol(modules: Modules): void {
  const symbols = MODULES_WITH_SYMBOL.map((name) => modules.module(name)?.['symbol'] ?? null);
  if (symbols.every((symbol) => symbol === null || listedSymbol(symbol) === modules.symbol)) return;
  throw new SourceResponseError('error-answer', 'symbol-mismatch', `requested ${modules.symbol}`);
}
