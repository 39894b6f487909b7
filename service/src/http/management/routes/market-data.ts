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
import { firstDayOf, sightOf } from '../data-access.ts';
import { refused, refusedInvalid } from '../refusals.ts';
import { defineRoute, done, type Outcome, type RouteGroup } from '../route.ts';

const FOUND_MAX = 20;
/** Five years, two leap days in them. */
const DAYS_MAX = 5 * 365 + 2;
const MONTHS_USUAL = 12;

const symbolsRoute = defineRoute({
  name: 'symbols-search',
  method: 'GET',
  path: '/account/v1/symbols',
  summary: 'Companies by a part of symbol or name',
  access: 'data.read',
  withoutCustomer: 'data.explore',
  query: Type.Object({
    search: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The beginning of a symbol, or a part of a name, in any case.',
    }),
  }),
  status: 200,
  response: list(
    named('SymbolMatch', {
      symbol: symbol(),
      name: nullable(text('Name.')),
      exchange: nullable(text('Where it is listed.')),
      active: flag('Whether it is still listed.'),
    }),
    `At most ${FOUND_MAX}, what fits best first.`,
  ),
  async handle(call) {
    const sight = await sightOf(call);
    if ('refused' in sight) return sight.refused;
    const wanted = call.query.search.trim();
    return done(wanted === '' ? [] : await searchSecurities(call.deps.db, wanted, FOUND_MAX));
  },
});

const price = (describe: string) => nullable(number(describe));

const barsRoute = defineRoute({
  name: 'bars-read',
  method: 'GET',
  path: '/account/v1/bars/{symbol}',
  summary: 'Prices of a company by session',
  describe:
    'Regular sessions, in today’s shares: prices before a split are divided by its ratio. At most ' +
    'five years; the history of the plan holds.',
  access: 'data.read',
  withoutCustomer: 'data.explore',
  query: Type.Object({
    from: Type.Optional(date('The first day; twelve months before the last when left out.')),
    to: Type.Optional(date('The last day; today when left out.')),
  }),
  status: 200,
  response: named('Bars', {
    symbol: symbol(),
    from: date('The first day asked for.'),
    to: date('The last day asked for.'),
    bars: list(
      named('Bar', {
        date: date('New York day.'),
        open: price('First price.'),
        high: price('Highest price.'),
        low: price('Lowest price.'),
        close: number('Last price.'),
        volume: nullable(integer('Shares.')),
      }),
      'Oldest first; days without a session are left out.',
    ),
  }),
  async handle(call) {
    const { deps, now, query } = call;
    const sight = await sightOf(call);
    if ('refused' in sight) return sight.refused;
    const asked = parseSymbol(call.param('symbol'));
    if (asked === null) return refused('invalid-symbol', 'The path names no ticker symbol.');
    const today = newYorkDate(now);
    const span = spanOf(query, {
      today,
      earliest: firstDayOf(sight, now),
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

/** The days asked for; without a first one, none before the history of the plan. */
function spanOf(
  query: { from?: string; to?: string },
  on: { today: LocalDate; earliest: LocalDate | null; sight: HistoryLimit },
): { from: LocalDate; to: LocalDate } | { refused: Outcome } {
  const { today, earliest, sight } = on;
  const to = query.to === undefined ? today : parseLocalDate(query.to);
  if (to === null) return refusedDay('to', 'a day such as 2026-11-20');
  const usual = addMonths(to, -MONTHS_USUAL);
  const first = earliest !== null && earliest > usual && earliest <= to ? earliest : usual;
  const from = query.from === undefined ? first : parseLocalDate(query.from);
  if (from === null) return refusedDay('from', 'a day such as 2026-11-20');
  if (from > to || daysBetween(from, to) >= DAYS_MAX) {
    return refusedDay('from', 'not after `to`, and at most five years before it');
  }
  if (earliest === null || from >= earliest) return { from, to };
  const detail = `The plan ${sight.name} reaches back to ${earliest}.`;
  const members = { requestedDate: from, earliestDate: earliest, plan: sight.name };
  return { refused: refused('history-window-exceeded', detail, members) };
}

function refusedDay(parameter: string, detail: string): { refused: Outcome } {
  return { refused: refusedInvalid({ kind: 'invalid', parameter, detail }) };
}

export const group: RouteGroup = {
  name: 'market-data',
  describe: 'Companies and their prices, for pages.',
  routes: [symbolsRoute, barsRoute],
};
