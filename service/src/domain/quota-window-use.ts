import type { Plan } from './plan.ts';
import { type Cost, MINUTE_MS, type QuotaPeriod, type QuotaWindow } from './quota-window.ts';
import { type MinuteLog, minuteLog } from './quota-window-minute.ts';

/**
 * What a customer has used. Only a request that is counted changes it: reading it in another
 * period or under another plan shows what would count, and leaves it as it is.
 *
 * The ids only move forward, so a wall clock that steps back goes on in the window it had reached
 * and never opens a fresh one. A window that the plan does not limit is not counted, and its id
 * stays. Each count remembers the limit it was last counted under: when the plan's is lower than
 * that, the window counts from zero; when it is higher, the count stays.
 */
export interface CustomerUse extends CountedUse {
  readonly minute: MinuteLog;
  /** The limit the last admission was under; null before the first. */
  perMinute: number | null;
}

/** The part that a restart must not lose. */
export interface CountedUse {
  dayId: number;
  dayCount: number;
  perDay: number | null;
  monthId: number;
  monthCount: number;
  perMonth: number | null;
  /** Counts up whenever a count goes to zero inside its window: older refunds are void then. */
  generation: number;
}

/** What counts at one moment, under one plan. */
export interface UseReading {
  minuteUsed: number;
  /** Until the oldest admission of the minute stops counting; 0 when there is none. */
  minuteFreeMs: number;
  dayId: number;
  dayUsed: number;
  monthId: number;
  monthUsed: number;
}

/** Of a customer that was never counted. */
export function noUse(): CustomerUse {
  return { minute: minuteLog(), perMinute: null, ...NOTHING_COUNTED };
}

/** Of one whose day and month were counted before a restart; the minute begins empty. */
export function useOf(counted: CountedUse): CustomerUse {
  return { minute: minuteLog(), perMinute: null, ...counted };
}

/** The moment of a request, by both clocks. */
export interface Moment {
  period: QuotaPeriod;
  /** Milliseconds of a clock that never steps back. */
  monotonicMs: number;
}

/** What counts at that moment under that plan; changes nothing. */
export function readUse(use: CustomerUse, plan: Plan, moment: Moment): UseReading {
  const { period, monotonicMs } = moment;
  const isMinuteNew = isLower(plan.perMinute, use.perMinute);
  return {
    minuteUsed: isMinuteNew ? 0 : use.minute.used(monotonicMs),
    minuteFreeMs: isMinuteNew ? 0 : use.minute.freeMs(monotonicMs),
    dayId: Math.max(use.dayId, period.dayId),
    dayUsed: use.dayId < period.dayId || isRestarted(plan.perDay, use.perDay) ? 0 : use.dayCount,
    monthId: Math.max(use.monthId, period.monthId),
    monthUsed:
      use.monthId < period.monthId || isRestarted(plan.perMonth, use.perMonth) ? 0 : use.monthCount,
  };
}

/** The windows that a request of this cost finds full, shortest first; empty: it is admitted. */
export function fullWindows(reading: UseReading, plan: Plan, cost: Cost): readonly QuotaWindow[] {
  const isMinuteFull = reading.minuteUsed >= plan.perMinute;
  const isDayFull = cost === 'all' && isReached(reading.dayUsed, plan.perDay);
  const isMonthFull = cost === 'all' && isReached(reading.monthUsed, plan.perMonth);
  if (!isMinuteFull && !isDayFull && !isMonthFull) return NONE;
  const full: QuotaWindow[] = [];
  if (isMinuteFull) full.push('minute');
  if (isDayFull) full.push('day');
  if (isMonthFull) full.push('month');
  return full;
}

/**
 * Counts an admitted request in every window it costs; `reading` is of the same moment and becomes
 * what stands afterwards. True when the part to be kept has changed.
 */
export function countRequest(
  use: CustomerUse,
  reading: UseReading,
  request: { plan: Plan; cost: Cost; monotonicMs: number },
): boolean {
  const { plan, cost, monotonicMs } = request;
  if (isLower(plan.perMinute, use.perMinute)) use.minute.clear();
  use.perMinute = plan.perMinute;
  use.minute.add(monotonicMs);
  if (reading.minuteUsed === 0) reading.minuteFreeMs = MINUTE_MS;
  reading.minuteUsed += 1;
  if (cost === 'minute') return false;
  const { perDay, perMonth } = plan;
  if (isUnlimited(plan) && use.perDay === null && use.perMonth === null) return false;
  if (isRestarted(perDay, use.perDay) || isRestarted(perMonth, use.perMonth)) use.generation += 1;
  if (perDay !== null) {
    reading.dayUsed += 1;
    use.dayId = reading.dayId;
  }
  if (perMonth !== null) {
    reading.monthUsed += 1;
    use.monthId = reading.monthId;
  }
  use.dayCount = reading.dayUsed;
  use.perDay = perDay;
  use.monthCount = reading.monthUsed;
  use.perMonth = perMonth;
  return true;
}

/** What a refund needs to find its windows again. */
export interface Receipt {
  dayId: number;
  monthId: number;
  generation: number;
}

/** Gives one back in the windows of the receipt that still stand; never below zero. */
export function refundRequest(use: CountedUse, receipt: Receipt): void {
  if (use.generation !== receipt.generation) return;
  if (use.dayId === receipt.dayId) use.dayCount = Math.max(0, use.dayCount - 1);
  if (use.monthId === receipt.monthId) use.monthCount = Math.max(0, use.monthCount - 1);
}

/** What stands once an admission is refunded in day and month; its minute stays used. */
export function oneLess(reading: UseReading): UseReading {
  const dayUsed = Math.max(0, reading.dayUsed - 1);
  return { ...reading, dayUsed, monthUsed: Math.max(0, reading.monthUsed - 1) };
}

export function isUnlimited(plan: Plan): boolean {
  return plan.perDay === null && plan.perMonth === null;
}

function isReached(used: number, limit: number | null): boolean {
  return limit !== null && used >= limit;
}

/** Whether a window that was counted under `before` starts again under `limit`. */
function isRestarted(limit: number | null, before: number | null): boolean {
  return limit === null ? before !== null : isLower(limit, before);
}

function isLower(limit: number, before: number | null): boolean {
  return before !== null && limit < before;
}

const NONE: readonly QuotaWindow[] = [];

const NOTHING_COUNTED: CountedUse = {
  dayId: 0,
  dayCount: 0,
  perDay: null,
  monthId: 0,
  monthCount: 0,
  perMonth: null,
  generation: 0,
};
