import {
  addDays,
  fromEpochDay,
  localDate,
  type LocalDate,
  toEpochDay,
} from '../../../domain/local-date.ts';

/** A calendar quarter, counted from the year 0: four times the year plus 0 to 3. */
export type Cycle = number;

/** Returns true for a day on which the exchange opens. */
export type IsTradingDay = (date: LocalDate) => boolean;

export interface TradingDays {
  /** Returns the trading days in a calendar quarter, in order; never empty. */
  ofCycle(cycle: Cycle): readonly LocalDate[];
  /**
   * Returns the trading day `count` trading days after `date`, or before it if `count` is negative;
   * `date` itself for 0.
   */
  shift(date: LocalDate, count: number): LocalDate;
  /** Returns the last trading day on or before `date`. */
  atOrBefore(date: LocalDate): LocalDate;
}

export function cycleOf(date: LocalDate): Cycle {
  return Number(date.slice(0, 4)) * 4 + Math.floor((Number(date.slice(5, 7)) - 1) / 3);
}

function firstDayOf(cycle: Cycle): LocalDate {
  const month = String((cycle % 4) * 3 + 1).padStart(2, '0');
  return localDate(`${String(Math.floor(cycle / 4)).padStart(4, '0')}-${month}-01`);
}

export function tradingDays(isTradingDay: IsTradingDay): TradingDays {
  const daysByCycle = new Map<Cycle, readonly LocalDate[]>();

  function ofCycle(cycle: Cycle): readonly LocalDate[] {
    let days = daysByCycle.get(cycle);
    if (days === undefined) daysByCycle.set(cycle, (days = list(cycle)));
    return days;
  }

  function list(cycle: Cycle): LocalDate[] {
    const days: LocalDate[] = [];
    const end = toEpochDay(firstDayOf(cycle + 1));
    for (let day = toEpochDay(firstDayOf(cycle)); day < end; day++) {
      const date = fromEpochDay(day);
      if (isTradingDay(date)) days.push(date);
    }
    return days;
  }

  function shift(date: LocalDate, count: number): LocalDate {
    let at = date;
    for (let remaining = Math.abs(count); remaining > 0;) {
      at = addDays(at, Math.sign(count));
      if (isTradingDay(at)) remaining--;
    }
    return at;
  }

  function atOrBefore(date: LocalDate): LocalDate {
    let at = date;
    while (!isTradingDay(at)) at = addDays(at, -1);
    return at;
  }

  return { ofCycle, shift, atOrBefore };
}
