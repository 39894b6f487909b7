import { addDays, fromEpochDay, type LocalDate, toEpochDay } from '../../../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../../../domain/new-york.ts';
import type { Instant } from '../../../platform/instant.ts';
import { namingOf, SHORT_NAMES } from './names.ts';
import { offeringDraws, pickWeighted, randomInt, randomUnit } from './random.ts';
import { exchanges, industries } from './sectors.ts';
import type { TradingDays } from './trading-days.ts';

export type OfferingStage = 'filed' | 'expected' | 'postponed' | 'priced' | 'withdrawn';

/** An offering as visible at an instant. */
export interface OfferingView {
  key: string;
  symbol: string;
  name: string;
  exchange: string;
  stage: OfferingStage;
  filedDate: LocalDate;
  /** Null before it is announced, and while the deal is postponed. */
  date: LocalDate | null;
  /** In cents; null before the range is set. */
  range: { low: number; high: number; shares: number } | null;
  /** In cents; null until the deal is priced. */
  price: number | null;
  isBlankCheck: boolean;
}

export interface Offerings {
  /** Returns the deals filed on or after that day, as visible at `at`. */
  views(filedFrom: LocalDate, at: Instant): OfferingView[];
  /** Returns the deals whose stage changed after `from` and up to `to`, as visible at `to`. */
  changed(from: Instant, to: Instant): OfferingView[];
}

/** Days between filings in the whole market. */
const EVERY_DAYS = 3;
const FIRST_DAY = 16_071;
/** Longest time from filing to the final stage. */
const LIFE_DAYS_MAX = 110;
/**
 * Number of names used for offerings. Offerings use names from the end of the list, companies from
 * its start.
 */
const NAMES = 3000;

interface StageChange {
  at: Instant;
  stage: OfferingStage;
  date: LocalDate | null;
}

/**
 * Creates simulated offerings. Each is filed and then priced, some after a postponement, or
 * withdrawn.
 */
export function createOfferings(seed: number, days: TradingDays): Offerings {
  const stepsByNumber = new Map<number, readonly StageChange[]>();

  function steps(number: number): readonly StageChange[] {
    let dealSteps = stepsByNumber.get(number);
    if (dealSteps === undefined)
      stepsByNumber.set(number, (dealSteps = stepsOf(seed, days, number)));
    return dealSteps;
  }

  function numbersFrom(filedFrom: LocalDate, at: Instant): number[] {
    const first = Math.max(0, Math.floor((toEpochDay(filedFrom) - FIRST_DAY) / EVERY_DAYS));
    const last = Math.floor((toEpochDay(newYorkDate(at)) - FIRST_DAY) / EVERY_DAYS) + 1;
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  }

  function views(filedFrom: LocalDate, at: Instant): OfferingView[] {
    return numbersFrom(filedFrom, at).flatMap(
      (number) => viewAt(seed, steps(number), number, at) ?? [],
    );
  }

  return {
    views,
    changed: (from, to) =>
      numbersFrom(addDays(newYorkDate(from), -LIFE_DAYS_MAX), to)
        .filter((number) => steps(number).some(({ at }) => at > from && at <= to))
        .flatMap((number) => viewAt(seed, steps(number), number, to) ?? []),
  };
}

function viewAt(
  seed: number,
  steps: readonly StageChange[],
  number: number,
  at: Instant,
): OfferingView | null {
  const step = steps.findLast((candidate) => candidate.at <= at);
  const [filing] = steps;
  if (step === undefined || filing === undefined) return null;
  const { symbol, stem } = namingOf(SHORT_NAMES - 1 - (number % NAMES));
  const draw = (kind: number): number => randomUnit(seed, kind, number);
  const isBlankCheck = draw(offeringDraws.trade) < 0.25;
  const trade = pickWeighted(
    industries.map((candidate) => [candidate, candidate.weight] as const),
    draw(offeringDraws.trade),
  );
  const midPrice = isBlankCheck
    ? 1000
    : 600 + 100 * randomInt(22, seed, offeringDraws.price, number);
  const spread = isBlankCheck ? 0 : 100;
  const priceRange = {
    low: midPrice - spread,
    high: midPrice + spread,
    shares: 1_000_000 + 250_000 * randomInt(100, seed, offeringDraws.shares, number),
  };
  const priceSteps = isBlankCheck ? 0 : randomInt(5, seed, offeringDraws.outcome, number) - 2;
  return {
    key: `sandbox-${number}`,
    symbol,
    name: isBlankCheck ? `${stem} Acquisition Corp.` : `${stem} ${trade.word} Inc.`,
    exchange: pickWeighted(exchanges, draw(offeringDraws.exchange)),
    stage: step.stage,
    filedDate: newYorkDate(filing.at),
    date: step.date,
    range: step.stage === 'filed' ? null : priceRange,
    price: step.stage === 'priced' ? midPrice + 50 * priceSteps : null,
    isBlankCheck,
  };
}

/**
 * Returns the stages of a deal. Three to six weeks after it is filed, a date within the next month
 * is announced. On that date the deal is priced, postponed to a later date, or withdrawn.
 */
function stepsOf(seed: number, days: TradingDays, number: number): StageChange[] {
  const wait = (part: number, min: number, range: number): number =>
    min + randomInt(range, seed, offeringDraws.wait, number, part);
  const minute = 6 * 60 + randomInt(12 * 60, seed, offeringDraws.minute, number);
  const filed = days.atOrBefore(fromEpochDay(FIRST_DAY + EVERY_DAYS * number));
  const announced = days.shift(filed, wait(1, 14, 16));
  const day = days.shift(announced, wait(2, 10, 8));
  const steps: StageChange[] = [
    { at: newYorkInstant(filed, minute), stage: 'filed', date: null },
    { at: newYorkInstant(announced, minute), stage: 'expected', date: day },
  ];
  const outcomeDraw = randomUnit(seed, offeringDraws.fate, number);
  // Prices are set before trading opens on the first day.
  const pricing = (date: LocalDate): StageChange => {
    return { at: newYorkInstant(date, 7 * 60 + (minute % 60)), stage: 'priced', date };
  };
  if (outcomeDraw < 0.72) return [...steps, pricing(day)];
  const postponement: StageChange = {
    at: newYorkInstant(days.shift(day, -1), minute),
    stage: 'postponed',
    date: null,
  };
  const newDate = days.shift(day, wait(3, 6, 10));
  if (outcomeDraw < 0.86) {
    const pricingDate = days.shift(newDate, 5);
    const rescheduling: StageChange = {
      at: newYorkInstant(newDate, minute),
      stage: 'expected',
      date: pricingDate,
    };
    return [...steps, postponement, rescheduling, pricing(pricingDate)];
  }
  return [
    ...steps,
    postponement,
    { at: newYorkInstant(newDate, minute), stage: 'withdrawn', date: newDate },
  ];
}
