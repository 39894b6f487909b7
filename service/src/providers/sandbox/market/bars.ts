import { type LocalDate, toEpochDay } from '../../../domain/local-date.ts';
import { newYorkInstant } from '../../../domain/new-york.ts';
import type { Company } from './company.ts';
import type { Market } from './market.ts';
import { barAspect, noise, noiseNormal } from './random.ts';
import { closeCents } from './price.ts';
import type { Report } from './report.ts';
import { cycleOf } from './trading-days.ts';

/** One session of one company, in whole cents and shares. */
export interface SessionBar {
  openCents: number;
  highCents: number;
  lowCents: number;
  closeCents: number;
  volume: number;
}

/** Results after this minute of the New York day move the price on the next session. */
const CLOSE_MINUTE = 16 * 60;
/** Days after which results are forgotten. */
const MEMORY_DAYS = 80;
const GAP_SHARE = 0.7;
const CENTS_MIN = 20;

/** The close of that trading day: the waves of the price and what the last results did to it. */
export function closeOf(market: Market, seed: number, company: Company, date: LocalDate): number {
  const off = lastReactions(market, seed, company, date)
    .map(({ move, days }) => move * Math.max(0, 1 - days / MEMORY_DAYS))
    .reduce((sum, each) => sum + each, 0);
  return Math.max(CENTS_MIN, Math.round(closeCents(seed, company, date) * Math.exp(off)));
}

export function barOf(market: Market, seed: number, company: Company, date: LocalDate): SessionBar {
  const before = closeOf(market, seed, company, market.days.shift(date, -1));
  return barAfter(before, market, seed, company, date);
}

/** The bars of a span of days, both included, oldest first. */
export function barsBetween(
  market: Market,
  seed: number,
  company: Company,
  from: LocalDate,
  to: LocalDate,
): [LocalDate, SessionBar][] {
  const found: [LocalDate, SessionBar][] = [];
  let before: number | null = null;
  for (let cycle = cycleOf(from); cycle <= cycleOf(to); cycle++) {
    for (const date of market.days.ofCycle(cycle)) {
      if (date < from || date > to) continue;
      before ??= closeOf(market, seed, company, market.days.shift(date, -1));
      const bar = barAfter(before, market, seed, company, date);
      found.push([date, bar]);
      before = bar.closeCents;
    }
  }
  return found;
}

/** The bar of a session, given the close before. */
function barAfter(
  before: number,
  market: Market,
  seed: number,
  company: Company,
  date: LocalDate,
): SessionBar {
  const close = closeOf(market, seed, company, date);
  const draw = (kind: number): number => noise(seed, kind, company.index, toEpochDay(date));
  const [news] = lastReactions(market, seed, company, date);
  const isFirstDay = news?.days === 0;
  const gap = isFirstDay ? GAP_SHARE : 0.6 * draw(barAspect.gap);
  const open = Math.max(CENTS_MIN, Math.round(before + (close - before) * gap));
  const range = 0.004 + 0.012 * draw(barAspect.range);
  return {
    openCents: open,
    highCents: Math.round(Math.max(open, close) * (1 + range)),
    lowCents: Math.max(CENTS_MIN - 1, Math.round(Math.min(open, close) * (1 - range))),
    closeCents: close,
    volume: volumeOf(seed, company, date, news),
  };
}

interface News {
  /** Of the price, as a logarithm. */
  move: number;
  /** Calendar days since the first session that answered. */
  days: number;
}

/** The results that the price still remembers, newest first. */
function lastReactions(market: Market, seed: number, company: Company, date: LocalDate): News[] {
  const cycle = cycleOf(date);
  return [cycle, cycle - 1].flatMap((each) => {
    const { firstDay, move } = answerTo(market, seed, market.report(company.index, each));
    const days = toEpochDay(date) - firstDay;
    return days < 0 || days >= MEMORY_DAYS ? [] : [{ move, days }];
  });
}

interface Reply {
  /** The first session that answered, in days since 1970. */
  firstDay: number;
  move: number;
}

/** Every bar of a quarter asks for the same one. */
const replies = new WeakMap<Report, Reply>();

function answerTo(market: Market, seed: number, report: Report): Reply {
  let reply = replies.get(report);
  if (reply === undefined) {
    const firstDay = toEpochDay(firstSession(market, report));
    replies.set(report, (reply = { firstDay, move: moveOf(seed, report) }));
  }
  return reply;
}

/** About half of all results move the price by 4 % or more; good ones mostly upwards. */
function moveOf(seed: number, { company, cycle, figures }: Report): number {
  const surprise = Math.sign(figures.epsCents - figures.epsExpectedCents);
  const mood = 0.06 * noiseNormal(seed, barAspect.reaction, company.index, cycle);
  return Math.min(0.25, Math.max(-0.3, mood + 0.015 * surprise - 0.006));
}

function firstSession(market: Market, { date, releaseAt }: Report): LocalDate {
  const isAfterClose = releaseAt >= newYorkInstant(date, CLOSE_MINUTE);
  return isAfterClose ? market.days.shift(date, 1) : date;
}

function volumeOf(seed: number, company: Company, date: LocalDate, news: News | undefined): number {
  const day = toEpochDay(date);
  const turnover = 0.003 + 0.006 * noise(seed, barAspect.turnover, company.index);
  const usual = Math.exp(0.22 * noiseNormal(seed, barAspect.volume, company.index, day));
  const burst = noise(seed, barAspect.burst, company.index, day);
  const unusual = burst < 0.004 ? 2.5 + 700 * burst : 1;
  return Math.round(company.sharesOutstanding * turnover * usual * unusual * excitement(news));
}

/** Two to six times the usual volume on the first session, half as much again on the next days. */
function excitement(news: News | undefined): number {
  if (news === undefined || news.days > 3) return 1;
  return news.days === 0 ? 2 + 16 * Math.abs(news.move) : 1.4;
}
