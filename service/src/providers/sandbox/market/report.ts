import type { LocalDate } from '../../../domain/local-date.ts';
import { newYorkInstant } from '../../../domain/new-york.ts';
import type { Instant } from '../../../platform/instant.ts';
import type { Company } from './company.ts';
import { type Figures, figuresOf } from './figures.ts';
import { type FiscalPeriod, fiscalPeriod } from './fiscal-period.ts';
import { draws, randomInt, randomUnit } from './random.ts';
import { type Group, reportDay, type Slot } from './report-schedule.ts';
import type { Cycle, TradingDays } from './trading-days.ts';

/**
 * The full timeline of one report, fixed from the start. The requested instant determines which
 * part of it is visible.
 */
export interface Report {
  company: Company;
  group: Group;
  cycle: Cycle;
  period: FiscalPeriod;
  /** The actual release date. */
  date: LocalDate;
  releaseAt: Instant;
  /** The instant after which no revisions follow, because the final consensus is settled. */
  freezeAt: Instant;
  /** The instant at which a changing projected date moves to `redate`, close to the actual date. */
  redateAt: Instant;
  redate: LocalDate;
  confirmAt: Instant;
  confirmedDate: LocalDate;
  /**
   * The instant at which a confirmed date moves to the final one; null if the confirmed date was
   * right.
   */
  rescheduleAt: Instant | null;
  figures: Figures;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export function makeReport(
  seed: number,
  company: Company,
  slot: Slot,
  cycle: Cycle,
  days: TradingDays,
): Report {
  const period = fiscalPeriod(seed, company, slot, cycle);
  const date = reportDay(seed, slot, cycle, days);
  const draw = (kind: number): number => randomUnit(seed, kind, company.index, cycle);
  const releaseAt = newYorkInstant(date, 0) + releaseSecond(seed, company, cycle) * 1000;
  const confirmAt = wholeSecond(releaseAt - (14 + 14 * draw(draws.confirm)) * DAY_MS);
  const steady = slot.group === 'anchor';
  const offset = steady ? 0 : randomInt(3, seed, draws.redate, company.index, cycle, 1) - 1;
  const isMoved = !steady && draw(draws.reschedule) < 0.12;
  const shift = isMoved
    ? rescheduleBy(randomInt(8, seed, draws.rescheduleBy, company.index, cycle))
    : 0;
  const confirmedDate = days.shift(date, shift);
  const earlierDate = shift < 0 ? confirmedDate : date;
  const rescheduledAt =
    newYorkInstant(earlierDate, 0) - (2 + 6 * draw(draws.rescheduleBy)) * DAY_MS;
  return {
    company,
    group: slot.group,
    cycle,
    period,
    date,
    releaseAt,
    freezeAt: releaseAt - HOUR_MS,
    redateAt: wholeSecond(releaseAt - (35 + 20 * draw(draws.redate)) * DAY_MS),
    redate: days.shift(date, offset),
    confirmAt,
    confirmedDate,
    rescheduleAt: isMoved ? wholeSecond(Math.max(rescheduledAt, confirmAt + HOUR_MS)) : null,
    figures: figuresOf(seed, company, cycle, period),
  };
}

/** Returns the number of trading days by which the date moves: one to four, earlier or later. */
function rescheduleBy(draw: number): number {
  return draw < 4 ? draw - 4 : draw - 3;
}

/**
 * Returns the release time in seconds after midnight: the company's usual minute plus a few seconds
 * or, for a few companies, any hour.
 */
function releaseSecond(seed: number, company: Company, cycle: Cycle): number {
  const seconds = randomInt(150, seed, draws.minute, company.index, cycle);
  if (company.session !== 'unknown') return company.minute * 60 + seconds;
  return (10 + randomInt(1420, seed, draws.minute, company.index, cycle, 1)) * 60 + (seconds % 60);
}

function wholeSecond(at: number): Instant {
  return Math.floor(at / 1000) * 1000;
}
