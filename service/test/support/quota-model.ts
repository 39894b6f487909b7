import type { ReadLimits } from '../../src/domain/plan.ts';
import type { Cost } from '../../src/domain/quota-window.ts';

/**
 * A slow reference implementation. It keeps every admission, recounts all of them for every
 * request, and derives New York days from Intl. It shares no code with the meter.
 */
export interface QuotaModel {
  consume(request: {
    customerId: string;
    plan: ReadLimits;
    cost: Cost;
    wallMs: number;
    monotonicMs: number;
  }): ExpectedResult;
}

export interface ExpectedResult {
  kind: 'admitted' | 'refused';
  violated: string[];
  /** Remaining requests and seconds to wait in each window, after the request. */
  states: Record<string, { r: number; t: number }>;
  /** The window shown in the X-RateLimit headers. */
  tightest: { limit: number; remaining: number; resetSeconds: number };
  retryAfterSeconds: number;
  resetAt: number;
  limit: number;
  /** Refunds the request in the day and month windows. */
  refund(): void;
}

interface Admission {
  monotonicMs: number;
  cost: Cost;
  /**
   * The New York day and month in which the request is counted, such as `2026-11-20` and `2026-11`.
   */
  day: string;
  month: string;
  plan: ReadLimits;
  isRefunded: boolean;
}

interface Usage {
  used: number;
  waitMs: number;
}

type ModelRequest = Parameters<QuotaModel['consume']>[0];

export function quotaModel(): QuotaModel {
  const history = new Map<string, Admission[]>();
  return {
    consume(request) {
      const admissions = history.get(request.customerId) ?? [];
      history.set(request.customerId, admissions);
      const { plan, cost, monotonicMs } = request;
      const period = currentPeriod(admissions, request.wallMs);
      const limits = limitsOf(plan);

      const before = usageOf(admissions, request, period);
      const costs = cost === 'all' ? Object.keys(limits) : ['minute'];
      const violated = costs.filter((name) => (before[name]?.used ?? 0) >= (limits[name] ?? 0));
      let admission: Admission | undefined;
      if (violated.length === 0) {
        admission = { monotonicMs, cost, ...period, plan, isRefunded: false };
        admissions.push(admission);
      }
      return {
        ...describeResult(violated, limits, usageOf(admissions, request, period), request.wallMs),
        refund() {
          if (admission !== undefined) admission.isRefunded = true;
        },
      };
    },
  };
}

/** Returns the day and month for a request, which are never before those of earlier admissions. */
function currentPeriod(
  admissions: readonly Admission[],
  wallMs: number,
): { day: string; month: string } {
  const metered = admissions.filter((admission) => admission.cost === 'all');
  const inDays = metered.filter((admission) => admission.plan.perDay !== null);
  const inMonths = metered.filter((admission) => admission.plan.perMonth !== null);
  const today = newYorkDay(wallMs);
  return {
    day: latest([today, ...inDays.map((admission) => admission.day)]),
    month: latest([today.slice(0, 7), ...inMonths.map((admission) => admission.month)]),
  };
}

function usageOf(
  admissions: readonly Admission[],
  { plan, wallMs, monotonicMs }: ModelRequest,
  { day, month }: { day: string; month: string },
): Record<string, Usage> {
  const inMinute = sinceLowered(admissions, plan, 'perMinute').filter(
    (admission) => monotonicMs - admission.monotonicMs < 60_000,
  );
  const all = admissions.filter((admission) => admission.cost === 'all');
  const inDay = sinceLowered(all, plan, 'perDay').filter(
    (admission) => admission.day === day && !admission.isRefunded,
  );
  const inMonth = sinceLowered(all, plan, 'perMonth').filter(
    (admission) => admission.month === month && !admission.isRefunded,
  );
  const oldest = inMinute[0];
  const minuteWaitMs = oldest === undefined ? 0 : oldest.monotonicMs + 60_000 - monotonicMs;
  return {
    minute: { used: inMinute.length, waitMs: minuteWaitMs },
    day: { used: inDay.length, waitMs: endOf(day) - wallMs },
    month: { used: inMonth.length, waitMs: endOf(month) - wallMs },
  };
}

function describeResult(
  violated: string[],
  limits: Readonly<Record<string, number>>,
  usage: Readonly<Record<string, Usage>>,
  wallMs: number,
): Omit<ExpectedResult, 'refund'> {
  const waits = violated.map((name) => ({ name, waitMs: usage[name]?.waitMs ?? 0 }));
  const longest = waits.toSorted((a, b) => b.waitMs - a.waitMs)[0];
  const states = Object.entries(limits).map(([name, limit]) => {
    const { used, waitMs } = usage[name] ?? { used: 0, waitMs: 0 };
    const resetSeconds = roundUp(wallMs + waitMs);
    return { name, limit, remaining: limit - used, resetSeconds, waitMs };
  });
  const [tightest] = states.toSorted((a, b) => a.remaining - b.remaining || b.waitMs - a.waitMs);
  return {
    kind: violated.length === 0 ? 'admitted' : 'refused',
    violated,
    states: Object.fromEntries(
      states.map(({ name, remaining, waitMs }) => [name, { r: remaining, t: roundUp(waitMs) }]),
    ),
    tightest: {
      limit: tightest?.limit ?? 0,
      remaining: tightest?.remaining ?? 0,
      resetSeconds: tightest?.resetSeconds ?? 0,
    },
    retryAfterSeconds: roundUp(longest?.waitMs ?? 0),
    resetAt: wallMs + (longest?.waitMs ?? 0),
    limit: longest === undefined ? 0 : (limits[longest.name] ?? 0),
  };
}

function limitsOf(plan: ReadLimits): Record<string, number> {
  return {
    minute: plan.perMinute,
    ...(plan.perDay === null ? {} : { day: plan.perDay }),
    ...(plan.perMonth === null ? {} : { month: plan.perMonth }),
  };
}

/**
 * Returns the admissions since the limit was last lowered or introduced, or an empty list if the
 * current plan lowers it.
 */
function sinceLowered(
  admissions: readonly Admission[],
  plan: ReadLimits,
  limit: 'perMinute' | 'perDay' | 'perMonth',
): readonly Admission[] {
  const limits = [...admissions.map((admission) => admission.plan), plan].map(
    (eachPlan) => eachPlan[limit] ?? Infinity,
  );
  const lastLowered = limits.findLastIndex(
    (value, index) => index > 0 && value < (limits[index - 1] ?? 0),
  );
  return lastLowered < 0 ? admissions : admissions.slice(lastLowered);
}

function latest(texts: string[]): string {
  return texts.toSorted().at(-1) ?? '';
}

function roundUp(milliseconds: number): number {
  return Math.ceil(milliseconds / 1_000);
}

const format = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});
const days = new Map<number, string>();

function newYorkDay(wallMs: number): string {
  // UTC offsets, and therefore dates, change only on quarter hours.
  const quarter = Math.floor(wallMs / 900_000);
  let day = days.get(quarter);
  if (day === undefined) days.set(quarter, (day = format.format(quarter * 900_000)));
  return day;
}

const ends = new Map<string, number>();

/** Returns the first instant after a day (`2026-11-20`) or month (`2026-11`), found by stepping. */
function endOf(id: string): number {
  let end = ends.get(id);
  if (end !== undefined) return end;
  end = Date.parse(id.length === 7 ? `${id}-01T00:00:00Z` : `${id}T00:00:00Z`);
  while (newYorkDay(end).slice(0, id.length) < id) end += 900_000;
  while (newYorkDay(end).slice(0, id.length) === id) end += 900_000;
  ends.set(id, end);
  return end;
}
