import { addDays, fromEpochDay, type LocalDate, toEpochDay } from '../../../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../../../domain/new-york.ts';
import type { Instant } from '../../../platform/instant.ts';
import { SHORT_NAMES, namingOf } from './names.ts';
import { noise, noiseInt, offeringAspect, pick } from './random.ts';
import { exchanges, trades } from './sectors.ts';
import type { TradingDays } from './trading-days.ts';

export type OfferingStage = 'filed' | 'expected' | 'postponed' | 'priced' | 'withdrawn';

/** An offering as the world sees it at a moment. */
export interface OfferingView {
  key: string;
  symbol: string;
  name: string;
  exchange: string;
  stage: OfferingStage;
  filedDate: LocalDate;
  /** Null before it is announced, and while it is put off. */
  date: LocalDate | null;
  /** Cents; null before the range is set. */
  range: { low: number; high: number; shares: number } | null;
  /** Cents; null until priced. */
  price: number | null;
  isBlankCheck: boolean;
}

export interface Offerings {
  /** Deals filed from that day on, as seen at `at`. */
  views(filedFrom: LocalDate, at: Instant): OfferingView[];
  /** Deals that went a step further after `from` and up to `to`, as seen at `to`. */
  changed(from: Instant, to: Instant): OfferingView[];
}

/** Days between filings of the whole market. */
const EVERY_DAYS = 3;
const FIRST_DAY = 16_071;
/** No deal takes longer than this from its filing to its end. */
const LIFE_DAYS_MAX = 110;
/** Names of offerings come from the far end of the list, names of companies from its start. */
const NAMES = 3000;

interface Step {
  at: Instant;
  stage: OfferingStage;
  date: LocalDate | null;
}

/** Simulated offerings: each goes from its filing to its price, some by detours, some nowhere. */
export function createOfferings(seed: number, days: TradingDays): Offerings {
  const known = new Map<number, readonly Step[]>();

  function steps(number: number): readonly Step[] {
    let found = known.get(number);
    if (found === undefined) known.set(number, (found = stepsOf(seed, days, number)));
    return found;
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
  steps: readonly Step[],
  number: number,
  at: Instant,
): OfferingView | null {
  const step = steps.findLast((each) => each.at <= at);
  const [filing] = steps;
  if (step === undefined || filing === undefined) return null;
  const { symbol, stem } = namingOf(SHORT_NAMES - 1 - (number % NAMES));
  const draw = (kind: number): number => noise(seed, kind, number);
  const isBlankCheck = draw(offeringAspect.trade) < 0.25;
  const trade = pick(
    trades.map((each) => [each, each.weight] as const),
    draw(offeringAspect.trade),
  );
  const middle = isBlankCheck ? 1000 : 600 + 100 * noiseInt(22, seed, offeringAspect.price, number);
  const spread = isBlankCheck ? 0 : 100;
  const offer = {
    low: middle - spread,
    high: middle + spread,
    shares: 1_000_000 + 250_000 * noiseInt(100, seed, offeringAspect.shares, number),
  };
  const outcome = isBlankCheck ? 0 : noiseInt(5, seed, offeringAspect.outcome, number) - 2;
  return {
    key: `sandbox-${number}`,
    symbol,
    name: isBlankCheck ? `${stem} Acquisition Corp.` : `${stem} ${trade.word} Inc.`,
    exchange: pick(exchanges, draw(offeringAspect.exchange)),
    stage: step.stage,
    filedDate: newYorkDate(filing.at),
    date: step.date,
    range: step.stage === 'filed' ? null : offer,
    price: step.stage === 'priced' ? middle + 50 * outcome : null,
    isBlankCheck,
  };
}

/**
 * Filed; three to six weeks later expected within a month; then priced on the day, or put off and
 * expected again, or withdrawn.
 */
function stepsOf(seed: number, days: TradingDays, number: number): Step[] {
  const wait = (part: number, least: number, range: number): number =>
    least + noiseInt(range, seed, offeringAspect.wait, number, part);
  const minute = 6 * 60 + noiseInt(12 * 60, seed, offeringAspect.minute, number);
  const filed = days.atOrBefore(fromEpochDay(FIRST_DAY + EVERY_DAYS * number));
  const announced = days.shift(filed, wait(1, 14, 16));
  const day = days.shift(announced, wait(2, 10, 8));
  const steps: Step[] = [
    { at: newYorkInstant(filed, minute), stage: 'filed', date: null },
    { at: newYorkInstant(announced, minute), stage: 'expected', date: day },
  ];
  const fate = noise(seed, offeringAspect.fate, number);
  // Prices are set before the first day of trading opens.
  const pricing = (date: LocalDate): Step => {
    return { at: newYorkInstant(date, 7 * 60 + (minute % 60)), stage: 'priced', date };
  };
  if (fate < 0.72) return [...steps, pricing(day)];
  const off: Step = {
    at: newYorkInstant(days.shift(day, -1), minute),
    stage: 'postponed',
    date: null,
  };
  const again = days.shift(day, wait(3, 6, 10));
  if (fate < 0.86) {
    const later = days.shift(again, 5);
    const back: Step = { at: newYorkInstant(again, minute), stage: 'expected', date: later };
    return [...steps, off, back, pricing(later)];
  }
  return [...steps, off, { at: newYorkInstant(again, minute), stage: 'withdrawn', date: again }];
}
