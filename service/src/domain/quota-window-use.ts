import type { ReadLimits } from './plan.ts';
import { type Cost, MINUTE_MS, type QuotaPeriod, type QuotaWindow } from './quota-window.ts';
import { type MinuteLog, minuteLog } from './quota-window-minute.ts';

/**
 * A customer's usage. It changes only when a request is counted. Reading it in another period or
 * under another plan shows what would count, without changing it.
 *
 * The window IDs only increase, so a wall clock that moves back continues in the latest window and
 * never opens a new one. A window that the plan doesn't limit isn't counted and keeps its ID. Each
 * count is stored with the limit under which it was last counted. Under a lower limit the window
 * restarts at zero; under a higher limit the count is kept.
 */
export interface CustomerUse extends CountedUse {
  readonly minute: MinuteLog;
  /** The limit under which the last request was counted. Null before the first request. */
  perMinute: number | null;
}

/** The part of the usage that must survive a restart. */
export interface CountedUse {
  dayId: number;
  dayCount: number;
  perDay: number | null;
  monthId: number;
  monthCount: number;
  perMonth: number | null;
  /**
   * Increases whenever a count is reset within its window, which invalidates refunds for earlier
   * requests.
   */
  generation: number;
}

/** Usage at one instant under one plan. */
export interface UseReading {
  minuteUsed: number;
  /** Milliseconds until the oldest request in the minute stops counting. 0 if there is none. */
  minuteFreeMs: number;
  dayId: number;
  dayUsed: number;
  monthId: number;
  monthUsed: number;
}

/** Returns the usage for a new customer. */
export function noUse(): CustomerUse {
  return { minute: minuteLog(), perMinute: null, ...NOTHING_COUNTED };
}

/** Restores usage after a restart. The minute starts empty. */
export function useOf(counted: CountedUse): CustomerUse {
  return { minute: minuteLog(), perMinute: null, ...counted };
}

/** The time of a request on both clocks. */
export interface Moment {
  period: QuotaPeriod;
  /** Milliseconds on the monotonic clock. */
  monotonicMs: number;
}

/** Reads the usage at a given time under a plan without changing it. */
export function readUse(use: CustomerUse, plan: ReadLimits, moment: Moment): UseReading {
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

/**
 * Returns the windows without room for a request with this cost, shortest first. Returns an empty
 * list if the request is admitted.
 */
export function fullWindows(
  reading: UseReading,
  plan: ReadLimits,
  cost: Cost,
): readonly QuotaWindow[] {
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
 * Counts an admitted request in every window that its cost applies to. Updates `reading`, which
 * must have been taken at the same instant. Returns true if the part to persist has changed.
 */
export function countRequest(
  use: CustomerUse,
  reading: UseReading,
  request: { plan: ReadLimits; cost: Cost; monotonicMs: number },
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

/** Identifies the windows in which a request was counted, so that it can be refunded. */
export interface Receipt {
  dayId: number;
  monthId: number;
  generation: number;
}

/**
 * Refunds one request in the receipt's windows if they are still current. Counts never fall below
 * zero.
 */
export function refundRequest(use: CountedUse, receipt: Receipt): void {
  if (use.generation !== receipt.generation) return;
  if (use.dayId === receipt.dayId) use.dayCount = Math.max(0, use.dayCount - 1);
  if (use.monthId === receipt.monthId) use.monthCount = Math.max(0, use.monthCount - 1);
}

/**
 * Returns the reading after one request is refunded in the day and month. The minute isn't
 * refunded.
 */
export function oneLess(reading: UseReading): UseReading {
  const dayUsed = Math.max(0, reading.dayUsed - 1);
  return { ...reading, dayUsed, monthUsed: Math.max(0, reading.monthUsed - 1) };
}

/** Returns true if two plans limit requests in the same way. */
export function isSameQuota(a: ReadLimits, b: ReadLimits): boolean {
  if (a === b) return true;
  return a.perMinute === b.perMinute && a.perDay === b.perDay && a.perMonth === b.perMonth;
}

export function isUnlimited(plan: ReadLimits): boolean {
  return plan.perDay === null && plan.perMonth === null;
}

function isReached(used: number, limit: number | null): boolean {
  return limit !== null && used >= limit;
}

/** Returns true if a window counted under `previousLimit` restarts under `limit`. */
function isRestarted(limit: number | null, previousLimit: number | null): boolean {
  return limit === null ? previousLimit !== null : isLower(limit, previousLimit);
}

function isLower(limit: number, previousLimit: number | null): boolean {
  return previousLimit !== null && limit < previousLimit;
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
