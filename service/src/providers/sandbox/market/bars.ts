import { type LocalDate, toEpochDay } from '../../../domain/local-date.ts';
import { newYorkInstant } from '../../../domain/new-york.ts';
import type { Company } from './company.ts';
import type { Market } from './market.ts';
import { barDraws, randomNormal, randomUnit } from './random.ts';
import { closeCents } from './price.ts';
import type { Report } from './report.ts';
import { cycleOf } from './trading-days.ts';

/** One company's bar for a session, in whole cents and shares. */
export interface SessionBar {
  openCents: number;
  highCents: number;
  lowCents: number;
  closeCents: number;
  volume: number;
}

/** Results released after this minute of the New York day move the price in the next session. */
const CLOSE_MINUTE = 16 * 60;
/** Days after which a result no longer affects the price. */
const MEMORY_DAYS = 80;
const GAP_SHARE = 0.7;
const CENTS_MIN = 20;

/** Returns the close on that trading day: the price waves plus the effect of recent results. */
export function closeOf(market: Market, seed: number, company: Company, date: LocalDate): number {
  const logChange = lastReactions(market, seed, company, date)
    .map(({ move, days }) => move * Math.max(0, 1 - days / MEMORY_DAYS))
    .reduce((sum, effect) => sum + effect, 0);
  return Math.max(CENTS_MIN, Math.round(closeCents(seed, company, date) * Math.exp(logChange)));
}

export function barOf(market: Market, seed: number, company: Company, date: LocalDate): SessionBar {
  const previousClose = closeOf(market, seed, company, market.days.shift(date, -1));
  return barAfter(previousClose, market, seed, company, date);
}

/** Returns the bars from one date to another, inclusive, oldest first. */
export function barsBetween(
  market: Market,
  seed: number,
  company: Company,
  from: LocalDate,
  to: LocalDate,
): [LocalDate, SessionBar][] {
  const bars: [LocalDate, SessionBar][] = [];
  let previousClose: number | null = null;
  for (let cycle = cycleOf(from); cycle <= cycleOf(to); cycle++) {
    for (const date of market.days.ofCycle(cycle)) {
      if (date < from || date > to) continue;
      previousClose ??= closeOf(market, seed, company, market.days.shift(date, -1));
      const bar = barAfter(previousClose, market, seed, company, date);
      bars.push([date, bar]);
      previousClose = bar.closeCents;
    }
  }
  return bars;
}

/** Returns the bar for a session, given the previous close. */
function barAfter(
  previousClose: number,
  market: Market,
  seed: number,
  company: Company,
  date: LocalDate,
): SessionBar {
  const close = closeOf(market, seed, company, date);
  const draw = (kind: number): number => randomUnit(seed, kind, company.index, toEpochDay(date));
  const [result] = lastReactions(market, seed, company, date);
  const isFirstDay = result?.days === 0;
  const gap = isFirstDay ? GAP_SHARE : 0.6 * draw(barDraws.gap);
  const open = Math.max(CENTS_MIN, Math.round(previousClose + (close - previousClose) * gap));
  const range = 0.004 + 0.012 * draw(barDraws.range);
  return {
    openCents: open,
    highCents: Math.round(Math.max(open, close) * (1 + range)),
    lowCents: Math.max(CENTS_MIN - 1, Math.round(Math.min(open, close) * (1 - range))),
    closeCents: close,
    volume: volumeOf(seed, company, date, result),
  };
}

interface RecentResult {
  /** Logarithmic price change. */
  move: number;
  /** Calendar days since the first session after the result. */
  days: number;
}

/** Returns the results that still affect the price, newest first. */
function lastReactions(
  market: Market,
  seed: number,
  company: Company,
  date: LocalDate,
): RecentResult[] {
  const cycle = cycleOf(date);
  return [cycle, cycle - 1].flatMap((quarter) => {
    const { firstDay, move } = reactionTo(market, seed, market.report(company.index, quarter));
    const days = toEpochDay(date) - firstDay;
    return days < 0 || days >= MEMORY_DAYS ? [] : [{ move, days }];
  });
}

interface Reaction {
  /** The first session after the result, in days since 1970. */
  firstDay: number;
  move: number;
}

/** Cached because every bar in a quarter needs the reaction. */
const reactionByReport = new WeakMap<Report, Reaction>();

function reactionTo(market: Market, seed: number, report: Report): Reaction {
  let reaction = reactionByReport.get(report);
  if (reaction === undefined) {
    const firstDay = toEpochDay(firstSession(market, report));
    reactionByReport.set(report, (reaction = { firstDay, move: moveOf(seed, report) }));
  }
  return reaction;
}

/**
 * Returns the price move after a result. About half of all results move the price by 4 % or more;
 * positive surprises mostly move it up.
 */
function moveOf(seed: number, { company, cycle, figures }: Report): number {
  const surprise = Math.sign(figures.epsCents - figures.epsExpectedCents);
  const drift = 0.06 * randomNormal(seed, barDraws.reaction, company.index, cycle);
  return Math.min(0.25, Math.max(-0.3, drift + 0.015 * surprise - 0.006));
}

function firstSession(market: Market, { date, releaseAt }: Report): LocalDate {
  const isAfterClose = releaseAt >= newYorkInstant(date, CLOSE_MINUTE);
  return isAfterClose ? market.days.shift(date, 1) : date;
}

function volumeOf(
  seed: number,
  company: Company,
  date: LocalDate,
  result: RecentResult | undefined,
): number {
  const day = toEpochDay(date);
  const turnover = 0.003 + 0.006 * randomUnit(seed, barDraws.turnover, company.index);
  const dailyFactor = Math.exp(0.22 * randomNormal(seed, barDraws.volume, company.index, day));
  const burstDraw = randomUnit(seed, barDraws.burst, company.index, day);
  const burstFactor = burstDraw < 0.004 ? 2.5 + 700 * burstDraw : 1;
  return Math.round(
    company.sharesOutstanding * turnover * dailyFactor * burstFactor * resultFactor(result),
  );
}

/**
 * Returns the volume factor: two to six times the usual volume in the first session after a result,
 * and 1.4 times on the next days.
 */
function resultFactor(result: RecentResult | undefined): number {
  if (result === undefined || result.days > 3) return 1;
  return result.days === 0 ? 2 + 16 * Math.abs(result.move) : 1.4;
}
