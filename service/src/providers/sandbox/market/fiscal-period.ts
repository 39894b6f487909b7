import {
  fromEpochDay,
  lastDayOfMonth,
  type LocalDate,
  toEpochDay,
  weekdayOf,
} from '../../../domain/local-date.ts';
import { draws, randomUnit } from './random.ts';
import { periodOffset, type Slot } from './report-schedule.ts';
import type { Company } from './company.ts';
import type { Cycle } from './trading-days.ts';

export interface FiscalPeriod {
  end: LocalDate;
  /** The year in which the fiscal year ends. */
  year: number;
  quarter: 1 | 2 | 3 | 4;
}

/** Returns the fiscal period that a company reports in the given calendar quarter. */
export function fiscalPeriod(
  seed: number,
  company: Company,
  slot: Slot,
  cycle: Cycle,
): FiscalPeriod {
  const monthIndex = cycle * 3 - 1 + periodOffset(slot);
  const year = Math.floor(monthIndex / 12);
  const month = (monthIndex % 12) + 1;
  const closing = closingMonth(seed, company, month);
  const sinceClosing = (month - closing + 12) % 12;
  return {
    end: periodEnd(year, month, company.endsOnSaturday),
    year: month > closing ? year + 1 : year,
    quarter: sinceClosing === 0 ? 4 : quarterAt(sinceClosing / 3),
  };
}

function quarterAt(index: number): 1 | 2 | 3 {
  if (index === 1) return 1;
  return index === 2 ? 2 : 3;
}

/**
 * Returns the last month of the fiscal year: one of the four months that are a multiple of three
 * months away from `month`. For most companies it is the one nearest the turn of the year, as in
 * reality.
 */
function closingMonth(seed: number, company: Company, month: number): number {
  const residue = month % 3;
  const usual = residue === 0 ? 12 : residue;
  const draw = randomUnit(seed, draws.fiscalYear, company.index);
  const quartersOff = [0.76, 0.86, 0.94, 1].findIndex((bound) => draw < bound);
  return ((usual + quartersOff * 3 - 1) % 12) + 1;
}

/** Returns the last day of the month or, for a 52/53-week year, its last Saturday. */
function periodEnd(year: number, month: number, endsOnSaturday: boolean): LocalDate {
  const last = lastDayOfMonth(year, month);
  if (!endsOnSaturday) return last;
  return fromEpochDay(toEpochDay(last) - ((weekdayOf(last) + 1) % 7));
}

/** Returns the `MM-DD` of the last fiscal year-end before the end of the given quarter. */
export function fiscalYearEnd(seed: number, company: Company, slot: Slot, cycle: Cycle): string {
  for (let offset = 0; offset < 4; offset++) {
    const period = fiscalPeriod(seed, company, slot, cycle - offset);
    if (period.quarter === 4) return period.end.slice(5);
  }
  throw new Error(`no fiscal year end for ${company.symbol}`);
}
