import { formatInstant, type Instant } from '../../platform/instant.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { Company, SessionName } from './market/company.ts';
import type { Market } from './market/market.ts';
import { barOf, barsBetween, closeOf, type SessionBar } from './market/bars.ts';
import type { Estimate, View } from './market/report-view.ts';

/**
 * The rows in the sandbox's responses, whose bodies are `{"sandbox": kind, "rows": […]}`. The
 * bodies are text that the feeds parse, so that simulated rows are processed like rows from any
 * other source.
 */
export interface CalendarWireRow {
  symbol: string;
  name: string;
  fiscalYear: number;
  fiscalQuarter: number;
  periodEnd: string;
  date: string;
  session: SessionName;
  status: 'projected' | 'confirmed' | 'reported';
  callAt: string | null;
  estimate: EstimateWireGroup | null;
  actual: { eps: string; revenue: string; at: string } | null;
  yearAgo: { eps: string; date: string };
}

export interface EstimateWireGroup {
  eps: string;
  epsLow: string;
  epsHigh: string;
  revenue: string;
  revenueLow: string;
  revenueHigh: string;
  analysts: number;
}

export interface CompanyWireRow {
  symbol: string;
  cik: string;
  name: string;
  exchange: string;
  sector: string;
  industry: string;
  sicCode: string;
  country: string;
  countryCode: string;
  fiscalYearEnd: string;
  ipoYear: number;
  shares: string;
  sharesAsOf: string;
}

export interface QuoteWireRow {
  symbol: string;
  cik: string;
  name: string;
  exchange: string;
  price: string;
  priceDate: string;
  marketCap: string;
}

export interface BarWireRow {
  symbol: string;
  date: string;
  open: string;
  high: string;
  low: string;
  close: string;
  volume: number;
}

export function calendarRow(market: Market, view: View): CalendarWireRow {
  const { report, estimate, actual } = view;
  const { company, period } = report;
  const yearAgo = market.report(company.index, report.cycle - 4);
  return {
    symbol: company.symbol,
    name: company.name,
    fiscalYear: period.year,
    fiscalQuarter: period.quarter,
    periodEnd: period.end,
    date: view.date,
    session: view.session,
    status: view.status,
    callAt: view.callAt === null ? null : formatInstant(view.callAt),
    estimate: estimate && estimateGroup(estimate),
    actual: actual && {
      eps: fromCents(actual.epsCents),
      revenue: String(actual.revenue),
      at: formatInstant(actual.at),
    },
    yearAgo: { eps: fromCents(yearAgo.figures.epsCents), date: yearAgo.date },
  };
}

/** Returns the estimates with a range that a single analyst does not have. */
function estimateGroup({ epsCents, revenue, analysts }: Estimate): EstimateWireGroup {
  const share = 0.06 * (1 - 1 / analysts);
  const epsSpread = Math.ceil(Math.abs(epsCents) * share);
  const revenueSpread = Math.round((revenue * share) / 2000) * 1000;
  return {
    eps: fromCents(epsCents),
    epsLow: fromCents(epsCents - epsSpread),
    epsHigh: fromCents(epsCents + epsSpread),
    revenue: String(revenue),
    revenueLow: String(revenue - revenueSpread),
    revenueHigh: String(revenue + revenueSpread),
    analysts,
  };
}

export function companyRow(market: Market, company: Company, at: Instant): CompanyWireRow {
  const fiscalYearEnd = market.fiscalYearEnd(company.index, at);
  return {
    symbol: company.symbol,
    cik: company.cik,
    name: company.name,
    exchange: company.exchange,
    sector: company.industry.sector,
    industry: company.industry.industry,
    sicCode: company.industry.sicCode,
    country: company.country,
    countryCode: company.countryCode,
    fiscalYearEnd,
    ipoYear: company.ipoYear,
    shares: String(company.sharesOutstanding),
    sharesAsOf: formatInstant(at).slice(0, 10),
  };
}

export function quoteRow(
  market: Market,
  seed: number,
  company: Company,
  date: LocalDate,
): QuoteWireRow {
  const cents = closeOf(market, seed, company, date);
  return {
    symbol: company.symbol,
    cik: company.cik,
    name: company.name,
    exchange: company.exchange,
    price: fromCents(cents),
    priceDate: date,
    marketCap: String(Math.round((cents * company.sharesOutstanding) / 100)),
  };
}

export function barRow(
  market: Market,
  seed: number,
  company: Company,
  date: LocalDate,
): BarWireRow {
  return toBarRow(company, date, barOf(market, seed, company, date));
}

/** Returns rows for every session in a date range, inclusive. */
export function barRows(
  market: Market,
  seed: number,
  company: Company,
  from: LocalDate,
  to: LocalDate,
): BarWireRow[] {
  return barsBetween(market, seed, company, from, to).map(([date, bar]) =>
    toBarRow(company, date, bar),
  );
}

function toBarRow({ symbol }: Company, date: LocalDate, bar: SessionBar): BarWireRow {
  return {
    symbol,
    date,
    open: fromCents(bar.openCents),
    high: fromCents(bar.highCents),
    low: fromCents(bar.lowCents),
    close: fromCents(bar.closeCents),
    volume: bar.volume,
  };
}

/** Converts cents to dollars with exactly two decimals: 5 → `0.05`, -120 → `-1.20`. */
function fromCents(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
