import { addDays, addMonths, type LocalDate, weekdayOf } from '../../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import { createSourceResponse } from '../source-response.ts';
import type { SourceResponse } from '../provider.ts';
import { createDividends, type SandboxDividends } from './market/dividends.ts';
import type { Company } from './market/company.ts';
import { EconomicCalendar, type EconomicView } from './market/economic-calendar.ts';
import { Market, type MarketOptions } from './market/market.ts';
import { createOfferings, type Offerings } from './market/offerings.ts';
import type { View } from './market/report-view.ts';
import { dividendRow, faultyRowsOf } from './dividends.ts';
import { offeringRow } from './offerings.ts';
import { barRow, barRows, calendarRow, companyRow, quoteRow } from './wire.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = HOUR_MS / 2;
const HISTORY_MONTHS = 60;
const ECONOMY_MONTHS = 24;
const ECONOMY_DAYS_AHEAD = 45;
const DIVIDENDS_DAYS_BACK = 1;
const DIVIDENDS_DAYS_AHEAD = 90;
const OFFERINGS_DAYS_BACK = 120;
const COMPANIES_PER_LIST = 20;
/**
 * Number of days back for which each week is captured before and after its reports. Earlier reports
 * have only results.
 */
const WEEKLY_DAYS = 182;
/** A longer gap between reads is filled with weekly captures. */
const STEPWISE_MS = 7 * DAY_MS;
/**
 * Number of days whose bars are generated first, enough for every company's latest report and the
 * month before it.
 */
const BARS_DAYS = 125;
const QUOTES_MINUTE = 16 * 60 + 30;

/**
 * Creates a function that returns the responses of a simulated source. If `from` is null, they
 * contain the initial data: five years of reports, the coming year, companies and prices. Otherwise
 * they contain the changes after `from` and up to `to`, if any. Responses are ordered by
 * observation time, oldest first, except for the initial history, which comes last because it is
 * read least. The same arguments give the same responses.
 */
export function createResponseGenerator(
  options: MarketOptions & { years: number | null },
): (from: Instant | null, to: Instant) => Iterable<SourceResponse> {
  let market: Market | undefined;
  let economy: EconomicCalendar | undefined;
  let dividends: SandboxDividends | undefined;
  let offerings: Offerings | undefined;
  return (from, to) => {
    market ??= new Market(options);
    economy ??= new EconomicCalendar(options.seed, market.days.atOrBefore);
    dividends ??= createDividends(options.seed, market);
    offerings ??= createOfferings(options.seed, market.days);
    const source = { market, economy, dividends, offerings, ...options };
    return from === null ? initialResponses(source, to) : responsesSince(source, from, to);
  };
}

interface Source {
  market: Market;
  economy: EconomicCalendar;
  dividends: SandboxDividends;
  offerings: Offerings;
  seed: number;
  /** Years of bars, or null for recent months only. */
  years: number | null;
}

function* initialResponses(source: Source, to: Instant): Generator<SourceResponse> {
  const { market } = source;
  const firstMonth = addMonths(`${newYorkDate(to).slice(0, 7)}-01` as LocalDate, -HISTORY_MONTHS);
  const weekly = sundayBefore(addDays(newYorkDate(to), -WEEKLY_DAYS));
  const weeklyAt = newYorkInstant(weekly, 0);
  yield companiesResponse(market, weeklyAt);
  yield* weeklyReports(market, weeklyAt, to);
  const upcoming = market.companies.flatMap((company) => market.upcoming(company.index, to));
  yield* calendarResponses(market, upcoming, to);
  const today = newYorkDate(to);
  yield economicResponse(source.economy.views(weekly, addDays(today, ECONOMY_DAYS_AHEAD), to), to);
  yield* dividendsAndOfferings(source, to);
  yield quotesResponse(source, to);
  yield* barsResponses(source, newYorkInstant(addDays(newYorkDate(to), -BARS_DAYS), 0), to);
  yield companiesResponse(market, newYorkInstant(firstMonth, 0));
  yield* pastEconomy(source.economy, addMonths(today, -ECONOMY_MONTHS), weekly);
  yield* pastReports(market, newYorkInstant(firstMonth, 0), weeklyAt);
  yield* pastBars(source, to);
}

/**
 * Generates results with their final consensus and without earlier captures, in lists that each
 * cover a few companies. The store derives a company's events once per list, so lists by date would
 * make it derive them every month.
 */
function* pastReports(market: Market, from: Instant, to: Instant): Generator<SourceResponse> {
  for (const [part, companies] of companyGroups(market).entries()) {
    const views = companies.flatMap(({ index }) => resultsOf(market, from, to, index));
    yield* calendarResponses(market, views, to, `&part=${part}`);
  }
}

/**
 * Generates the years of bars before the recent months, in lists that each cover a few companies,
 * so that rows adjacent in the store arrive together.
 */
function* pastBars({ market, seed, years }: Source, to: Instant): Generator<SourceResponse> {
  if (years === null) return;
  const today = newYorkDate(to);
  const from = addMonths(today, -12 * years);
  const last = market.days.atOrBefore(addDays(today, -BARS_DAYS - 1));
  const at = newYorkInstant(last, QUOTES_MINUTE);
  for (const [part, companies] of companyGroups(market).entries()) {
    const rows = companies.flatMap((company) => barRows(market, seed, company, from, last));
    yield makeResponse('bars', at, { rows }, `&part=${part}`);
  }
}

function companyGroups({ companies }: Market): Company[][] {
  const count = Math.ceil(companies.length / COMPANIES_PER_LIST);
  return Array.from({ length: count }, (_, part) =>
    companies.slice(part * COMPANIES_PER_LIST, (part + 1) * COMPANIES_PER_LIST),
  );
}

/** Generates releases month by month, each as known at the end of its month. */
function* pastEconomy(
  economy: EconomicCalendar,
  from: LocalDate,
  end: LocalDate,
): Generator<SourceResponse> {
  let start = from;
  while (start < end) {
    const next = addMonths(`${start.slice(0, 7)}-01` as LocalDate, 1);
    const stop = next < end ? next : end;
    const at = newYorkInstant(stop, 0);
    yield economicResponse(economy.views(start, addDays(stop, -1), at), at);
    start = stop;
  }
}

/** Generates newly published releases and, at midnight, one more day of upcoming ones. */
function* economySince(
  economy: EconomicCalendar,
  from: Instant,
  to: Instant,
): Generator<SourceResponse> {
  const today = newYorkDate(to);
  const upcoming = (day: LocalDate): LocalDate => addDays(day, ECONOMY_DAYS_AHEAD);
  const newlyVisible = economy.views(addDays(upcoming(newYorkDate(from)), 1), upcoming(today), to);
  const views = [...economy.changed(from, to), ...newlyVisible];
  if (views.length > 0) yield economicResponse(views, to);
}

/**
 * Generates recent and upcoming dividends, some faulty dividend rows, and recent offerings in their
 * current state.
 */
function* dividendsAndOfferings(
  { dividends, offerings }: Source,
  at: Instant,
): Generator<SourceResponse> {
  const today = newYorkDate(at);
  const from = addDays(today, -DIVIDENDS_DAYS_BACK);
  const dividendsKnown = dividends.knownAt(from, addDays(today, DIVIDENDS_DAYS_AHEAD), at);
  const rows = dividendsKnown.map((dividend) => dividendRow(dividend, at));
  yield makeResponse('dividends', at, { rows });
  yield makeResponse('dividends', at, { rows: faultyRowsOf(rows) }, '&part=slips');
  const views = offerings.views(addDays(today, -OFFERINGS_DAYS_BACK), at);
  yield makeResponse('offerings', at, { rows: views.map(offeringRow) });
}

function* dividendsAndOfferingsSince(
  { dividends, offerings }: Source,
  from: Instant,
  to: Instant,
): Generator<SourceResponse> {
  const changedDividends = dividends.changed(from, to).map((dividend) => dividendRow(dividend, to));
  if (changedDividends.length > 0) yield makeResponse('dividends', to, { rows: changedDividends });
  const views = offerings.changed(from, to).map(offeringRow);
  if (views.length > 0) yield makeResponse('offerings', to, { rows: views });
}

function* responsesSince(source: Source, from: Instant, to: Instant): Generator<SourceResponse> {
  const { market } = source;
  let start = from;
  if (to - from > STEPWISE_MS) {
    const steps = to - STEPWISE_MS;
    yield* weeklyReports(market, from, steps);
    yield* calendarResponses(market, unreported(market.changed(from, steps)), steps);
    yield* economySince(source.economy, from, steps);
    yield* dividendsAndOfferingsSince(source, from, steps);
    start = steps;
  }
  while (start < to) {
    const end = Math.min((Math.floor(start / STEP_MS) + 1) * STEP_MS, to);
    yield* calendarResponses(market, market.changed(start, end), end);
    yield* economySince(source.economy, start, end);
    yield* dividendsAndOfferingsSince(source, start, end);
    start = end;
  }
  const daysBack = source.years === null ? BARS_DAYS : 366 * source.years;
  const barsFrom = Math.max(from, newYorkInstant(addDays(newYorkDate(to), -daysBack), 0));
  yield* barsResponses(source, barsFrom, to);
  if (lastQuotesAt(market, to) > from) yield quotesResponse(source, to);
}

/** Generates, for every week, the consensus at its start and the results at its end. */
function* weeklyReports(market: Market, from: Instant, to: Instant): Generator<SourceResponse> {
  let start = from;
  while (start < to) {
    const sunday = addDays(sundayBefore(newYorkDate(start)), 7);
    const end = Math.min(newYorkInstant(sunday, 0), to);
    const eveAt = start;
    const expected = market.released(start, end);
    yield* calendarResponses(
      market,
      expected.map(({ company, cycle }) => market.view(company.index, cycle, eveAt)),
      eveAt,
    );
    yield* calendarResponses(market, resultsOf(market, start, end), end);
    start = end;
  }
}

function resultsOf(market: Market, from: Instant, to: Instant, index?: number): View[] {
  return market
    .released(from, to, index)
    .map(({ company, cycle }) => market.view(company.index, cycle, to));
}

function unreported(views: readonly View[]): View[] {
  return views.filter((view) => view.actual === null);
}

function* calendarResponses(
  market: Market,
  views: readonly View[],
  at: Instant,
  part = '',
): Generator<SourceResponse> {
  if (views.length === 0) return;
  yield makeResponse(
    'calendar',
    at,
    { rows: views.map((view) => calendarRow(market, view)) },
    part,
  );
}

function companiesResponse(market: Market, at: Instant): SourceResponse {
  const rows = market.companies.map((company) => companyRow(market, company, at));
  return makeResponse('companies', at, { rows });
}

function economicResponse(rows: readonly EconomicView[], at: Instant): SourceResponse {
  return makeResponse('economic', at, { rows });
}

function quotesResponse(source: Source, at: Instant): SourceResponse {
  const date = newYorkDate(lastQuotesAt(source.market, at));
  const { market, seed } = source;
  const rows = market.companies.map((company) => quoteRow(market, seed, company, date));
  return makeResponse('quotes', at, { rows });
}

/** Generates the bars for sessions that ended after `from` and up to `to`, newest first. */
function* barsResponses(
  { market, seed }: Source,
  from: Instant,
  to: Instant,
): Generator<SourceResponse> {
  let at = lastQuotesAt(market, to);
  while (at > from) {
    const date = newYorkDate(at);
    const rows = market.companies.map((company) => barRow(market, seed, company, date));
    yield makeResponse('bars', at, { rows });
    at = newYorkInstant(market.days.shift(date, -1), QUOTES_MINUTE);
  }
}

/** Returns the publication time of the latest closing prices: 16:30 on a trading day. */
function lastQuotesAt(market: Market, at: Instant): Instant {
  const today = market.days.atOrBefore(newYorkDate(at));
  const publishedAt = newYorkInstant(today, QUOTES_MINUTE);
  if (publishedAt <= at) return publishedAt;
  return newYorkInstant(market.days.atOrBefore(addDays(today, -1)), QUOTES_MINUTE);
}

export function makeResponse(
  kind: 'bars' | 'calendar' | 'companies' | 'dividends' | 'economic' | 'offerings' | 'quotes',
  at: Instant,
  body: object,
  part = '',
): SourceResponse {
  return createSourceResponse({
    url: `sandbox://market/${kind}?at=${at}${part}`,
    status: 200,
    contentType: 'application/json',
    observedAt: at,
    text: JSON.stringify({ sandbox: kind, ...body }),
  });
}

/** Returns the Sunday on or before that day. */
function sundayBefore(date: LocalDate): LocalDate {
  return addDays(date, -weekdayOf(date));
}
