import { type LocalDate, weekdayOf } from '../../../domain/local-date.ts';
import { draws, randomInt } from './random.ts';
import type { Cycle, TradingDays } from './trading-days.ts';

/**
 * A company's group, which determines its report dates. Every company reports once per calendar
 * quarter:
 *
 * - `anchor`, 60 %: spread evenly over the trading days, so that every day has reports. Their dates
 *   never change, but their times, status and estimates do.
 * - `season`, 34 %: concentrated in the fourth to sixth week, like most real companies.
 * - `mover`, 6 %: spread evenly.
 *
 * Projected dates of `season` and `mover` companies change.
 */
export type Group = 'anchor' | 'season' | 'mover';

export interface Slot {
  group: Group;
  rank: number;
  /** Number of companies in the group. */
  size: number;
}

/** Returns the group and rank of company number `index` in a market with `companies` companies. */
export function slotOf(index: number, companies: number): Slot {
  const anchors = Math.round(companies * 0.6);
  const season = Math.round(companies * 0.34);
  if (index < anchors) return { group: 'anchor', rank: index, size: anchors };
  if (index < anchors + season) return { group: 'season', rank: index - anchors, size: season };
  const size = companies - anchors - season;
  return { group: 'mover', rank: index - anchors - season, size };
}

/** Returns the trading day on which the given slot reports in the given quarter. */
export function reportDay(seed: number, slot: Slot, cycle: Cycle, days: TradingDays): LocalDate {
  const tradingDays = days.ofCycle(cycle);
  const at = (shuffled(seed, slot, cycle) + 0.5) / slot.size;
  const index =
    slot.group === 'season' ? seasonIndex(tradingDays, at) : Math.floor(at * tradingDays.length);
  const day = tradingDays[Math.min(index, tradingDays.length - 1)];
  if (day === undefined) throw new RangeError(`no trading day in quarter ${cycle}`);
  return day;
}

/**
 * Returns the number of months from the month before the quarter to the end of the reported fiscal
 * period, chosen so that the report follows 18 to 60 days after the end of the period.
 */
export function periodOffset(slot: Slot): -1 | 0 | 1 | 2 {
  if (slot.group === 'season') return 0;
  const dayOfQuarter = ((slot.rank + 0.5) / slot.size) * 91;
  if (dayOfQuarter < 18) return -1;
  if (dayOfQuarter < 50) return 0;
  return dayOfQuarter < 78 ? 1 : 2;
}

const BLOCK = 20;
const COPRIME = [1, 3, 7, 9, 11, 13, 17, 19] as const;

/**
 * Minimum number of companies for shuffling. With fewer companies in a quarter, a block would span
 * weeks.
 */
const SHUFFLED_SIZE_MIN = 240;

/**
 * Shuffles neighboring companies within blocks of twenty, differently each quarter, without
 * changing the even spread.
 */
function shuffled(seed: number, slot: Slot, cycle: Cycle): number {
  if (slot.group !== 'season' && slot.size < SHUFFLED_SIZE_MIN) return slot.rank;
  const block = Math.floor(slot.rank / BLOCK);
  if ((block + 1) * BLOCK > slot.size) return slot.rank;
  const draw = randomInt(COPRIME.length * BLOCK, seed, draws.shuffle, cycle, block, slot.size);
  const factor = COPRIME[draw % COPRIME.length] ?? 1;
  const start = Math.floor(draw / COPRIME.length);
  return block * BLOCK + ((factor * (slot.rank % BLOCK) + start) % BLOCK);
}

/** Weights from Sunday to Saturday: most results are released in the middle of the week. */
const WEEKDAY_WEIGHT = [0, 0.6, 1.2, 1.6, 1.7, 0.5, 0];
const SEASON_FROM = 14;
const SEASON_LENGTH = 15;

function seasonIndex(days: readonly LocalDate[], at: number): number {
  const weights = days
    .slice(SEASON_FROM, SEASON_FROM + SEASON_LENGTH)
    .map((day, i) => (WEEKDAY_WEIGHT[weekdayOf(day)] ?? 0) * (1 - Math.abs(i - 7) / 9));
  let rest = at * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [i, weight] of weights.entries()) {
    if (rest < weight) return SEASON_FROM + i;
    rest -= weight;
  }
  return SEASON_FROM + SEASON_LENGTH - 1;
}
