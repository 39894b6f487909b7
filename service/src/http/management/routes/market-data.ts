import { Type } from 'typebox';
import { loadBars } from '../../../datasets/bars/load.ts';
import { searchSecurities } from '../../../datasets/securities/search.ts';
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

const FOUND_MAX = 20;
/** Five years including two leap days. */
const DAYS_MAX = 5 * 365 + 2;
const MONTHS_USUAL = 12;

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
      description: 'Start of a symbol or part of a name, case-insensitive.',
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
    `Up to ${FOUND_MAX} matches, best first.`,
  ),
  async handle(call) {
    const sight = await dataAccessOf(call);
    if ('refused' in sight) return sight.rejected;
    const wanted = call.query.search.trim();
    return done(wanted === '' ? [] : await searchSecurities(call.deps.db, wanted, FOUND_MAX));
  },
});

const price = (describe: string) => nullable(number(describe));

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
    from: Type.Optional(date('First day; 12 months before `to` by default.')),
    to: Type.Optional(date('Last day; today by default.')),
  }),
  status: 200,
  response: named('Bars', {
    symbol: symbol(),
    from: date('First day of the range.'),
    to: date('Last day of the range.'),
    bars: list(
      named('Bar', {
        date: date('New York day.'),
        open: price('Opening price.'),
        high: price('Highest price.'),
        low: price('Lowest price.'),
        close: number('Closing price.'),
        volume: nullable(integer('Number of shares traded.')),
      }),
      'Bars, oldest first. Days without a session are omitted.',
    ),
  }),
  async handle(call) {
    const { deps, now, query } = call;
    const sight = await dataAccessOf(call);
    if ('refused' in sight) return sight.rejected;
    const asked = parseSymbol(call.param('symbol'));
    if (asked === null)
      return reject('invalid-symbol', 'The path parameter is not a ticker symbol.');
    const today = newYorkDate(now);
    const span = spanOf(query, {
      today,
      earliest: historyStart(sight, now),
      sight,
    });
    if ('refused' in span) return span.refused;
    const security = await findSecurity(deps.db, asked);
    if ('kind' in security)
      return {
        kind: 'refused',
        problem: unknownSymbolProblem(security),
      };
    const found = await loadBars(deps.db, [security.id], {
      ...span,
      basis: today,
    });
    const bars = found.get(security.id)?.bars ?? [];
    return done({
      symbol: security.symbol,
      ...span,
      bars: bars.map(renderBar),
    });
  },
});

function renderBar(
  bar: { date: LocalDate; close: string; volume: number | null } & Prices,
): object {
  return {
    date: bar.date,
    open: shownPrice(bar.open),
    high: shownPrice(bar.high),
    low: shownPrice(bar.low),
    close: decimalToNumber(bar.close),
    volume: bar.volume,
  };
}

type Prices = Record<'open' | 'high' | 'low', string | null>;

function shownPrice(value: string | null): number | null {
  return value === null ? null : decimalToNumber(value);
}

/** The requested date range. The default start never precedes the history of the plan. */
function spanOf(
  query: { from?: string; to?: string },
  on: { today: LocalDate; earliest: LocalDate | null; sight: HistoryLimit },
): { from: LocalDate; to: LocalDate } | { refused: CallResult } {
  const { today, earliest, sight } = on;
  const to = query.to === undefined ? today : parseLocalDate(query.to);
  if (to === null) return refusedDay('to', 'must be a date such as 2026-11-20');
  const usual = addMonths(to, -MONTHS_USUAL);
  const first = earliest !== null && earliest > usual && earliest <= to ? earliest : usual;
  const from = query.from === undefined ? first : parseLocalDate(query.from);
  if (from === null) return refusedDay('from', 'must be a date such as 2026-11-20');
  if (from > to || daysBetween(from, to) >= DAYS_MAX) {
    return refusedDay('from', 'must not be after `to`, nor more than five years before it');
  }
  if (earliest === null || from >= earliest) return { from, to };
  const detail = `History of the plan ${sight.name} starts on ${earliest}.`;
  const members = { requestedDate: from, earliestDate: earliest, plan: sight.name };
  return { refused: reject('history-window-exceeded', detail, members) };
}

function refusedDay(parameter: string, detail: string): { refused: CallResult } {
  return { refused: rejectInvalid({ kind: 'invalid', parameter, detail }) };
}

export const group: RouteGroup = {
  name: 'market-data',
  describe: 'Company search and price history for the dashboard.',
  routes: [symbolsRoute, barsRoute],
};
