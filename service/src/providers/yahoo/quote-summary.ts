import { isJsonObject } from '../kit/json.ts';
import { joinParsed } from '../kit/read-rows.ts';
import { refuseConflicts } from '../kit/reject-conflicts.ts';
import { type Answer, AnswerError, type Feed, type Parsed } from '../provider.ts';
import { readResult } from './response-body.ts';
import { readCompany } from './company.ts';
import type { Modules } from './modules.ts';
import { readHistory } from './earnings-history.ts';
import { readTrend } from './earnings-trend.ts';
import { readNextReport } from './next-report.ts';
import { companyRequests, isOfApi, listedSymbol, symbolAsked } from './request.ts';

const PATH = /^\/v10\/finance\/quoteSummary\/([^/?]+)(?:\?|$)/;
const MODULES = [
  'calendarEvents',
  'earningsHistory',
  'earningsTrend',
  'assetProfile',
  'price',
  'defaultKeyStatistics',
];
/** Parts that name the company they are about. */
const NAMING = ['price', 'quoteType'];

/**
 * `v10/finance/quoteSummary/{symbol}?modules=`: the day of the next report with its consensus,
 * results of the last four quarters, estimates of this quarter and the next, and who the company is.
 */
export const quoteSummary: Feed = {
  name: 'quote-summary',
  datasets: ['earnings', 'profiles'],
  claims: (answer) => isOfApi(answer, PATH),
  parse,
  plan: (context) =>
    companyRequests(
      context,
      (symbol) =>
        `v10/finance/quoteSummary/${symbol}?formatted=false&modules=${MODULES.join('%2C')}`,
    ),
};

function parse(answer: Answer): Parsed {
  const result = readResult(answer, 'quoteSummary');
  const modules: Modules = {
    symbol: symbolAsked(answer, PATH),
    observedAt: answer.observedAt,
    module(name) {
      const value = Object.hasOwn(result, name) ? result[name] : null;
      return isJsonObject(value) ? value : null;
    },
  };
  requireSymbolAsked(modules);
  const { next, period } = readNextReport(modules);
  const parts = [next, readTrend(modules, period), readHistory(modules), readCompany(modules)];
  return refuseConflicts(joinParsed(parts));
}

/** Of a page about another company no part is of use, least of all those that name none. */
function requireSymbolAsked(modules: Modules): void {
  const named = NAMING.map((name) => modules.module(name)?.['symbol'] ?? null);
  if (named.every((each) => each === null || listedSymbol(each) === modules.symbol)) return;
  throw new AnswerError('error-answer', 'symbol-mismatch', `asked for ${modules.symbol}`);
}
