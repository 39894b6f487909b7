import type { Plan } from '../domain/plan.ts';
import type { QuotaPeriod } from '../domain/quota-window.ts';
import type { UseReading } from '../domain/quota-window-use.ts';

/**
 * Customers refused a moment ago, so that one who goes on asking costs the store one question per
 * `rememberMs`. Not longer, even where a window is known to be full for hours: a refund or an
 * operator's reset by another process is seen within that time.
 */
export interface RefusalMemory {
  /** What counts for this customer at that time, when it is still known; else null. */
  recall(customerId: string, at: MemoryMoment): UseReading | null;
  /** `askedAtMs` is from before the store was asked: so the minute is never held too long. */
  remember(customerId: string, reading: UseReading, at: MemoryMoment): void;
  forget(customerId: string): void;
}

export interface MemoryMoment {
  plan: Plan;
  period: QuotaPeriod;
  /** Milliseconds of a clock that never steps back, from before the store was asked. */
  monotonicMs: number;
}

const CUSTOMERS_MAX = 10_000;

export function refusalMemory(rememberMs: number): RefusalMemory {
  const known = new Map<string, { reading: UseReading; at: MemoryMoment }>();
  return {
    recall(customerId, at) {
      const entry = known.get(customerId);
      if (entry === undefined) return null;
      const { reading } = entry;
      const agoMs = at.monotonicMs - entry.at.monotonicMs;
      const isMinuteSame = reading.minuteUsed === 0 || agoMs < reading.minuteFreeMs;
      const isSame = isMinuteSame && isSamePlan(entry.at.plan, at.plan);
      if (isSame && agoMs < rememberMs && entry.at.period.dayId === at.period.dayId) {
        return { ...reading, minuteFreeMs: Math.max(0, reading.minuteFreeMs - agoMs) };
      }
      known.delete(customerId);
      return null;
    },
    remember(customerId, reading, at) {
      if (known.size >= CUSTOMERS_MAX) known.clear();
      known.set(customerId, { reading, at });
    },
    forget: (customerId) => void known.delete(customerId),
  };
}

function isSamePlan(a: Plan, b: Plan): boolean {
  if (a === b) return true;
  return a.perMinute === b.perMinute && a.perDay === b.perDay && a.perMonth === b.perMonth;
}
