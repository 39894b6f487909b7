import type { LocalDate } from '../../../domain/local-date.ts';
import { newYorkInstant } from '../../../domain/new-york.ts';
import type { Instant } from '../../../platform/instant.ts';
import type { Company } from './company.ts';
import { type Figures, figuresOf } from './figures.ts';
import { type FiscalPeriod, fiscalPeriod } from './fiscal-period.ts';
import { aspect, noise, noiseInt } from './random.ts';
import { type Group, reportDay, type Slot } from './report-schedule.ts';
import type { Cycle, TradingDays } from './trading-days.ts';

/** The whole fate of one report, fixed from the beginning; what is seen of it depends on when. */
export interface Report {
  company: Company;
  group: Group;
  cycle: Cycle;
  period: FiscalPeriod;
  /** The day on which the results really come. */
  date: LocalDate;
  releaseAt: Instant;
  /** No revision after this: the consensus on the eve is clear. */
  freezeAt: Instant;
  /** When a projected date that wandered settles near the right one, and there. */
  redateAt: Instant;
  redate: LocalDate;
  confirmAt: Instant;
  confirmedDate: LocalDate;
  /** When a confirmed date is moved to the final one; null when it was right. */
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
  const draw = (kind: number): number => noise(seed, kind, company.index, cycle);
  const releaseAt = newYorkInstant(date, 0) + releaseSecond(seed, company, cycle) * 1000;
  const confirmAt = wholeSecond(releaseAt - (14 + 14 * draw(aspect.confirm)) * DAY_MS);
  const steady = slot.group === 'anchor';
  const nudge = steady ? 0 : noiseInt(3, seed, aspect.redate, company.index, cycle, 1) - 1;
  const moved = !steady && draw(aspect.reschedule) < 0.12;
  const by = moved ? rescheduleBy(noiseInt(8, seed, aspect.rescheduleBy, company.index, cycle)) : 0;
  const confirmedDate = days.shift(date, by);
  const sooner = by < 0 ? confirmedDate : date;
  const wanted = newYorkInstant(sooner, 0) - (2 + 6 * draw(aspect.rescheduleBy)) * DAY_MS;
  return {
    company,
    group: slot.group,
    cycle,
    period,
    date,
    releaseAt,
    freezeAt: releaseAt - HOUR_MS,
    redateAt: wholeSecond(releaseAt - (35 + 20 * draw(aspect.redate)) * DAY_MS),
    redate: days.shift(date, nudge),
    confirmAt,
    confirmedDate,
    rescheduleAt: moved ? wholeSecond(Math.max(wanted, confirmAt + HOUR_MS)) : null,
    figures: figuresOf(seed, company, cycle, period),
  };
}

/** Four to one trading days early, or one to four late. */
function rescheduleBy(draw: number): number {
  return draw < 4 ? draw - 4 : draw - 3;
}

/** Seconds after midnight: the company's usual minute, a few seconds on; any hour for a few. */
function releaseSecond(seed: number, company: Company, cycle: Cycle): number {
  const seconds = noiseInt(150, seed, aspect.minute, company.index, cycle);
  if (company.session !== 'unknown') return company.minute * 60 + seconds;
  return (10 + noiseInt(1420, seed, aspect.minute, company.index, cycle, 1)) * 60 + (seconds % 60);
}

function wholeSecond(at: number): Instant {
  return Math.floor(at / 1000) * 1000;
}
