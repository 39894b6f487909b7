import { Type } from 'typebox';
import { loadBars } from '../../../datasets/bars/load.ts';
import { loadDirectory } from '../../../datasets/profiles/directory.ts';
import { searchEntries } from '../../../datasets/profiles/search.ts';
import { decimalToNumber } from '../../../domain/decimal.ts';
import {
  addMonths,
  daysBetween,
  type LocalDate,
  parseLocalDate,
} from '../../../domain/local-date.ts';
import { newYorkDate } from '../../../domain/new-york.ts';
import { parseSymbol } from '../../../domain/symbol.ts';
import { findSecurity } from '../../../endpoints/rows/find-security.ts';
import {
  date,
  flag,
  integer,
  list,
  named,
  nullable,
  number,
  symbol,
  text,
} from '../../../endpoints/schema/fields.ts';
import { unknownSymbolProblem } from '../../response/response-loader.ts';
import type { HistoryLimit } from '../../response/explorer.ts';
import { historyStart, dataAccessOf } from '../data-access.ts';
import { reject, rejectInvalid } from '../refusals.ts';
import { defineRoute, done, type CallResult, type RouteGroup } from '../route.ts';
import { dayText } from '../described-text.ts';

const MATCHES_MAX = 20;
/** Five years, including two leap days. */
const DAYS_MAX = 5 * 365 + 2;
const MONTHS_DEFAULT = 12;

const symbolsRoute = defineRoute({
  name: 'symbols-search',
  method: 'GET',
  path: '/account/v1/symbols',
  summary: 'Search companies',
  access: 'data.read',
  withoutCustomer: 'data.explore',
  query: Type.Object({
    search: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Start of a symbol, of a name or of its words, now or formerly. Ignores case.',
    }),
  }),
  status: 200,
  response: list(
    named('SymbolMatch', {
      symbol: symbol(),
      name: nullable(text('Company name.')),
      exchange: nullable(text('Exchange it is listed on.')),
      active: flag('Whether the company is still listed.'),
    }),
    `Up to ${MATCHES_MAX} matches, best first.`,
  ),
  async handle(call) {
    const access = await dataAccessOf(call);
    if ('rejected' in access) return access.rejected;
    const entries = await loadDirectory(call.deps.db, call.now);
    const results = searchEntries(entries, call.query.search).slice(0, MATCHES_MAX);
    return done(
      results.map(({ entry: { symbol: ticker, name, exchange, active } }) => {
        return { symbol: ticker, name, exchange, active };
      }),
    );
  },
});

const optionalPrice = (describe: string) => nullable(number(describe));

const barsRoute = defineRoute({
  name: 'bars-read',
  method: 'GET',
  path: '/account/v1/bars/{symbol}',
  summary: 'Retrieve daily price bars',
  describe:
    'Regular-session prices, adjusted for splits to today’s share count. The range is limited to ' +
    'five years and to the history of the plan.',
  access: 'data.read',
  withoutCustomer: 'data.explore',
  query: Type.Object({
    from: Type.Optional(dayText('First day; 12 months before `to` by default.')),
    to: Type.Optional(dayText('Last day; today by default.')),
  }),
  status: 200,
  response: named('Bars', {
    symbol: symbol(),
    from: date('First day of the range.'),
    to: date('Last day of the range.'),
    bars: list(
      named('Bar', {
        date: date('New York day.'),
        open: optionalPrice('Opening price.'),
        high: optionalPrice('Highest price.'),
        low: optionalPrice('Lowest price.'),
        close: number('Closing price.'),
        volume: nullable(integer('Number of shares traded.')),
      }),
      'Bars, oldest first. Days without a session are omitted.',
    ),
  }),
  async handle(call) {
    const { deps, now, query } = call;
    const access = await dataAccessOf(call);
    if ('rejected' in access) return access.rejected;
    const requested = parseSymbol(call.param('symbol'));
    if (requested === null)
      return reject('invalid-symbol', 'The path parameter is not a ticker symbol.');
    const today = newYorkDate(now);
    const range = readDateRange(query, {
      today,
      earliest: historyStart(access.limit, now),
      plan: access.limit,
    });
    if ('rejected' in range) return range.rejected;
    const security = await findSecurity(deps.db, requested);
    if ('kind' in security) return { kind: 'rejected', problem: unknownSymbolProblem(security) };
    const barsById = await loadBars(deps.db, [security.id], { ...range, basis: today });
    const bars = barsById.get(security.id)?.bars ?? [];
    return done({ symbol: security.symbol, ...range, bars: bars.map(renderBar) });
  },
});

function renderBar(
  bar: { date: LocalDate; close: string; volume: number | null } & Prices,
): object {
  return {
    date: bar.date,
    open: toNumber(bar.open),
    high: toNumber(bar.high),
    low: toNumber(bar.low),
    close: decimalToNumber(bar.close),
    volume: bar.volume,
  };
}

type Prices = Record<'open' | 'high' | 'low', string | null>;

function toNumber(value: string | null): number | null {
  return value === null ? null : decimalToNumber(value);
}

/** Returns the requested date range. The default start is never earlier than the plan's history. */
function readDateRange(
  query: { from?: string; to?: string },
  limits: { today: LocalDate; earliest: LocalDate | null; plan: HistoryLimit },
): { from: LocalDate; to: LocalDate } | { rejected: CallResult } {
  const { today, earliest, plan } = limits;
  const to = query.to === undefined ? today : parseLocalDate(query.to);
  if (to === null) return rejectDate('to', 'must be a date such as 2026-11-20');
  const defaultFrom = addMonths(to, -MONTHS_DEFAULT);
  const first =
    earliest !== null && earliest > defaultFrom && earliest <= to ? earliest : defaultFrom;
  const from = query.from === undefined ? first : parseLocalDate(query.from);
  if (from === null) return rejectDate('from', 'must be a date such as 2026-11-20');
  if (from > to || daysBetween(from, to) >= DAYS_MAX) {
    return rejectDate('from', 'must not be after `to`, nor more than five years before it');
  }
  if (earliest === null || from >= earliest) return { from, to };
  const detail = `History of the plan ${plan.name} starts on ${earliest}.`;
  const members = { requestedDate: from, earliestDate: earliest, plan: plan.name };
  return { rejected: reject('history-window-exceeded', detail, members) };
}

function rejectDate(parameter: string, detail: string): { rejected: CallResult } {
  return { rejected: rejectInvalid(parameter, detail) };
}

export const group: RouteGroup = {
  name: 'market-data',
  describe: 'Company search and price history for the dashboard.',
  routes: [symbolsRoute, barsRoute],
};
