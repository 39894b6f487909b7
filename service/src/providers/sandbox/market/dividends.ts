import { addDays, addMonths, type LocalDate } from '../../../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../../../domain/new-york.ts';
import type { Instant } from '../../../platform/instant.ts';
import type { Company } from './company.ts';
import type { Market } from './market.ts';
import { dividendDraws, randomInt, randomUnit } from './random.ts';

export type PayFrequency = 'monthly' | 'quarterly' | 'semi-annual';

/** A simulated company's dividend, and when it becomes known. */
export interface SandboxDividend {
  company: Company;
  exDate: LocalDate;
  recordDate: LocalDate;
  paymentDate: LocalDate;
  frequency: PayFrequency;
  /** Amount in tenths of a cent per share. */
  mills: number;
  /** The dividend is projected from this instant on and certain once declared. */
  projectedAt: Instant;
  declaredAt: Instant;
  declarationDate: LocalDate;
}

const PROJECTED_DAYS = 75;
const PAYERS = 0.52;
const MONTHS_BETWEEN: Record<PayFrequency, number> = {
  monthly: 1,
  quarterly: 3,
  'semi-annual': 6,
};

/** A market's dividends, keyed by company and month. */
export interface SandboxDividends {
  /** Returns dividends with an ex-date in the range that are known at `at`. */
  knownAt(from: LocalDate, to: LocalDate, at: Instant): SandboxDividend[];
  /** Returns dividends that were projected or declared after `from` and up to `to`. */
  changed(from: Instant, to: Instant): SandboxDividend[];
}

export function createDividends(seed: number, market: Market): SandboxDividends {
  const payers = market.companies.filter(
    ({ index, margin }) => margin > 0 && randomUnit(seed, dividendDraws.pays, index) < PAYERS,
  );
  const months = new Map<LocalDate, readonly SandboxDividend[]>();

  /**
   * Returns all dividends in a month. The result is cached because the sandbox reads it every 30
   * seconds.
   */
  function ofMonth(month: LocalDate): readonly SandboxDividend[] {
    let dividends = months.get(month);
    if (dividends === undefined) {
      dividends = payers.flatMap((company) => makeDividend(seed, market, company, month) ?? []);
      months.set(month, dividends);
    }
    return dividends;
  }

  function between(from: LocalDate, to: LocalDate): SandboxDividend[] {
    const dividends: SandboxDividend[] = [];
    // An ex-date may move into an adjacent month: back because of a holiday, or past the end of a
    // short month.
    const end = addDays(to, 7);
    for (let month = addMonths(monthOf(from), -1); month <= end; month = addMonths(month, 1)) {
      dividends.push(...ofMonth(month).filter(({ exDate }) => exDate >= from && exDate <= to));
    }
    return dividends;
  }

  return {
    knownAt: (from, to, at) => between(from, to).filter(({ projectedAt }) => projectedAt <= at),
    changed: (from, to) =>
      between(newYorkDate(from), addDays(newYorkDate(to), PROJECTED_DAYS + 1)).filter(
        ({ projectedAt, declaredAt }) =>
          [projectedAt, declaredAt].some((instant) => instant > from && instant <= to),
      ),
  };
}

function makeDividend(
  seed: number,
  market: Market,
  company: Company,
  month: LocalDate,
): SandboxDividend | null {
  const { index } = company;
  const draw = (kind: number): number => randomUnit(seed, kind, index);
  const frequency = frequencyOf(draw(dividendDraws.frequency));
  const monthNumber = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7));
  const interval = MONTHS_BETWEEN[frequency];
  const phase = Math.floor(draw(dividendDraws.phase) * interval);
  if (monthNumber % interval !== phase) return null;
  const nominalDate = addDays(month, randomInt(30, seed, dividendDraws.day, index));
  const exDate = market.days.atOrBefore(nominalDate);
  const declarationDate = market.days.shift(
    exDate,
    -10 - randomInt(16, seed, dividendDraws.declared, index, monthNumber),
  );
  const minute = 8 * 60 + randomInt(9 * 60, seed, dividendDraws.minute, index, monthNumber);
  const paymentDate = market.days.shift(exDate, 8 + randomInt(10, seed, dividendDraws.paid, index));
  const annualYield = 0.006 + 0.04 * draw(dividendDraws.rate);
  const years = Math.floor(monthNumber / 12) - 2020;
  const dollars = (company.priceBase * annualYield * (1 + 0.04 * years)) / (12 / interval);
  return {
    company,
    exDate,
    recordDate: exDate,
    paymentDate,
    frequency,
    mills: Math.max(5, Math.round(dollars * 200) * 5),
    projectedAt: newYorkInstant(addDays(exDate, -PROJECTED_DAYS), 6 * 60 + (minute % 60)),
    declaredAt: newYorkInstant(declarationDate, minute),
    declarationDate,
  };
}

function frequencyOf(uniform: number): PayFrequency {
  if (uniform < 0.12) return 'monthly';
  return uniform < 0.92 ? 'quarterly' : 'semi-annual';
}

function monthOf(date: LocalDate): LocalDate {
  return `${date.slice(0, 7)}-01` as LocalDate;
}
