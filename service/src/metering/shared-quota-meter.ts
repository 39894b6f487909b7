import { type QuotaPeriod, quotaPeriodOf, quotaPeriods } from '../domain/quota-window.ts';
import { fullWindows, isUnlimited, oneLess } from '../domain/quota-window-use.ts';
import { limitHeaders } from '../domain/quota-window-headers.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queryable } from '../storage/db.ts';
import { batches } from './batches.ts';
import { clockWatch, warnOfUsesAhead } from './clock-watch.ts';
import { localRings } from './local-rings.ts';
import type { StartedMeter, TakeRequest, Taken, Unavailable } from './quota-meter.ts';
import { loadUses } from './quota-store.ts';
import { createRefunds } from './refunds.ts';
import { refusal } from './refusal.ts';
import { refusalMemory } from './refusal-memory.ts';
import { refundShared, type SharedDecision, type SharedTake, takeShared } from './shared-quota-store.ts';
import { storeGate } from './store-guard.ts';

const REMEMBER_MS = 1_000;
/** How long a request waits for the store before it is answered without: with quotas, without. */
const LIMIT_MS = { quota: 4_000, unlimited: 500 };
const UNAVAILABLE: Unavailable = { kind: 'unavailable', retryAfterSeconds: 5 };

/**
 * The meter of several processes on one PostgreSQL: every decision is the store's, one round trip
 * for all who wait, and holds across all processes, the minute too. While the store does not answer,
 * plans with a day or month quota are not served, and those without go on under each process's own
 * minute.
 *
 * Processes learn of a changed plan a moment apart; until the last has, a count that a lower limit
 * starts from zero may start so again.
 */
export async function startSharedMeter(deps: {
  db: Queryable;
  clock: Clock;
  log: {
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  /** How long a refusal is repeated from memory; a second unless told. */
  rememberMs?: number;
  /** Measures the minute by this process's clock and not by the server's; for tests. */
  isMinuteByClock?: boolean;
}): Promise<StartedMeter> {
  const { db, clock, log } = deps;
  const uses = await loadUses(db);
  const dayIds = Array.from(uses.values(), ({ dayId }) => dayId);
  warnOfUsesAhead(dayIds, quotaPeriodOf(clock.now()).dayId, log);

  const periodOf = quotaPeriods();
  const watch = clockWatch({ clock, log });
  let lastPeriod: QuotaPeriod | null = null;
  const refusals = refusalMemory(deps.rememberMs ?? REMEMBER_MS);
  const rings = localRings();
  // Apart, since those with quotas wait for the store's disk and the others need not.
  const lanes = {
    quota: batches<SharedTake, SharedDecision>((takes) => takeShared(db, takes)),
    unlimited: batches<SharedTake, SharedDecision>((takes) => takeShared(db, takes)),
  };
  const refunds = createRefunds({
    write: (customerId, receipt) => refundShared(db, customerId, receipt),
    onWritten: (customerId) => refusals.forget(customerId),
    onLost: (error) => log.error({ err: error }, 'a refund could not be written'),
  });
  const gate = storeGate({
    clock,
    onFailure: (error) => log.error({ err: error }, 'the store does not count requests now'),
  });

  function take(request: TakeRequest): Taken | Promise<Taken> {
    const { customerId, plan, cost, now } = request;
    const period = periodOf(now);
    if (period !== lastPeriod) {
      lastPeriod = period;
      watch.check(now);
    }
    const monotonicMs = clock.monotonicMs();
    // What is being given back may open the window that a refusal of a moment ago found full.
    const isOwed = refunds.owed(customerId) !== undefined;
    const known = isOwed ? null : refusals.recall(customerId, { plan, period, monotonicMs });
    if (known !== null) {
      const violated = fullWindows(known, plan, cost);
      const moment = { now, period };
      if (violated.length > 0) return refusal({ plan, violated, reading: known, moment });
    }
    if (!gate.isOpen()) return without(request, { period, monotonicMs });
    return ask(request, { period, monotonicMs });
  }

  async function ask(
    request: TakeRequest,
    at: { period: QuotaPeriod; monotonicMs: number },
  ): Promise<Taken> {
    const { customerId, plan, cost } = request;
    const { period, monotonicMs } = at;
    const atMs = deps.isMinuteByClock === true ? monotonicMs : null;
    const lane = isUnlimited(plan) ? 'unlimited' : 'quota';
    const decide = () => lanes[lane].ask({ customerId, plan, cost, period, atMs });
    // An answer has told that this was given back, so the next one must not tell otherwise.
    const owed = refunds.owed(customerId);
    const decision = await gate.pass(
      () => (owed === undefined ? decide() : owed.then(decide)),
      LIMIT_MS[lane],
      // The answer came after the request had been turned away: it was never made.
      (late) => {
        const isOwed = late.isAdmitted && cost === 'all' && lane === 'quota';
        if (isOwed) void refunds.giveBack(customerId, late.receipt);
      },
    );
    return decision === null ? without(request, at) : judge(request, decision, at);
  }

  function judge(
    { customerId, plan, cost, now }: TakeRequest,
    { isAdmitted, reading, receipt }: SharedDecision,
    { period, monotonicMs }: { period: QuotaPeriod; monotonicMs: number },
  ): Taken {
    const moment = { now, period };
    if (!isAdmitted) {
      refusals.remember(customerId, reading, { plan, period, monotonicMs });
      return refusal({ plan, violated: fullWindows(reading, plan, cost), reading, moment });
    }
    refusals.forget(customerId);
    if (isUnlimited(plan)) rings.add(customerId, plan, monotonicMs);
    let isRefunded = cost === 'minute';
    return {
      kind: 'admitted',
      headers: limitHeaders(plan, reading, moment),
      ...(isRefunded
        ? {}
        : { refundedHeaders: () => limitHeaders(plan, oneLess(reading), moment) }),
      async refund() {
        if (isRefunded) return;
        isRefunded = true;
        await refunds.giveBack(customerId, receipt);
      },
    };
  }

  /** What remains possible while the store is away. */
  function without(request: TakeRequest, at: { period: QuotaPeriod; monotonicMs: number }): Taken {
    return isUnlimited(request.plan) ? rings.take(request, at) : UNAVAILABLE;
  }

  return {
    take,
    refresh: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  };
}
