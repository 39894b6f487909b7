import type { Plan } from '../../src/domain/plan.ts';
import type { Cost } from '../../src/domain/quota-window.ts';

/**
 * A slow reference implementation: it keeps every admission and recounts them for every request,
 * and derives New York days from Intl. It shares no code with the meter.
 */
export interface QuotaModel {
  consume(request: {
    customerId: string;
    plan: Plan;
    cost: Cost;
    wallMs: number;
    monotonicMs: number;
  }): ExpectedResult;
}

export interface ExpectedResult {
  kind: 'admitted' | 'refused';
  violated: string[];
  /** Remaining requests and seconds to wait per window, after the request. */
  states: Record<string, { r: number; t: number }>;
  /** The window that the X-RateLimit headers show. */
  tightest: { limit: number; remaining: number; resetSeconds: number };
  retryAfterSeconds: number;
  resetAt: number;
  limit: number;
  /** Refunds day and month. */
  refund(): void;
}

interface Admission {
  monotonicMs: number;
  cost: Cost;
  /** The New York day and month it counts in, such as `2026-11-20` and `2026-11`. */
  day: string;
  month: string;
  plan: Plan;
  isRefunded: boolean;
}

export function quotaModel(): QuotaModel {
  const history = new Map<string, Admission[]>();
  return {
    consume({ customerId, plan, cost, wallMs, monotonicMs }) {
      const admissions = history.get(customerId) ?? [];
      history.set(customerId, admissions);
      const counted = admissions.filter((admission) => admission.cost === 'all');
      const inDays = counted.filter((admission) => admission.plan.perDay !== null);
      const inMonths = counted.filter((admission) => admission.plan.perMonth !== null);
      const today = newYorkDay(wallMs);
      const day = latest([today, ...inDays.map((admission) => admission.day)]);
      const month = latest([today.slice(0, 7), ...inMonths.map((admission) => admission.month)]);
      const limits = limitsOf(plan);

      function usage(): Record<string, { used: number; waitMs: number }> {
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

      const before = usage();
      const costs = cost === 'all' ? Object.keys(limits) : ['minute'];
      const violated = costs.filter((name) => (before[name]?.used ?? 0) >= (limits[name] ?? 0));
      let admission: Admission | undefined;
      if (violated.length === 0) {
        admission = { monotonicMs, cost, day, month, plan, isRefunded: false };
        admissions.push(admission);
      }
      const after = usage();
      const waits = violated.map((name) => ({ name, waitMs: after[name]?.waitMs ?? 0 }));
      const longest = waits.toSorted((a, b) => b.waitMs - a.waitMs)[0];
      const states = Object.entries(limits).map(([name, limit]) => {
        const { used, waitMs } = after[name] ?? { used: 0, waitMs: 0 };
        return {
          name,
          limit,
          remaining: limit - used,
          resetSeconds: roundUp(wallMs + waitMs),
          waitMs,
        };
      });
      const [tightest] = states.toSorted(
        (a, b) => a.remaining - b.remaining || b.waitMs - a.waitMs,
      );
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
        refund() {
          if (admission !== undefined) admission.isRefunded = true;
        },
      };
    },
  };
}

function limitsOf(plan: Plan): Record<string, number> {
  return {
    minute: plan.perMinute,
    ...(plan.perDay === null ? {} : { day: plan.perDay }),
    ...(plan.perMonth === null ? {} : { month: plan.perMonth }),
  };
}

/**
 * The admissions since the limit was last lowered, or introduced; none if the current plan lowers
 * it.
 */
function sinceLowered(
  admissions: readonly Admission[],
  plan: Plan,
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
  // Clocks, and so dates, change only on quarter hours.
  const quarter = Math.floor(wallMs / 900_000);
  let day = days.get(quarter);
  if (day === undefined) days.set(quarter, (day = format.format(quarter * 900_000)));
  return day;
}

const ends = new Map<string, number>();

/** The first instant after a day (`2026-11-20`) or month (`2026-11`), found by stepping. */
function endOf(id: string): number {
  let end = ends.get(id);
  if (end !== undefined) return end;
  end = Date.parse(id.length === 7 ? `${id}-01T00:00:00Z` : `${id}T00:00:00Z`);
  while (newYorkDay(end).slice(0, id.length) < id) end += 900_000;
  while (newYorkDay(end).slice(0, id.length) === id) end += 900_000;
  ends.set(id, end);
  return end;
}
