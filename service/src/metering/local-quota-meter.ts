import { type QuotaPeriod, quotaPeriodOf, quotaPeriods } from '../domain/quota-window.ts';
import {
  countRequest,
  type CustomerUse,
  fullWindows,
  isUnlimited,
  noUse,
  oneLess,
  readUse,
  type Receipt,
  refundRequest,
  useOf,
} from '../domain/quota-window-use.ts';
import { limitHeaders } from '../domain/quota-window-headers.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queryable } from '../storage/db.ts';
import { clockWatch, warnOfUsesAhead } from './clock-watch.ts';
import { groupCommit } from './count-writer.ts';
import type { StartedMeter, TakeRequest, Taken, Unavailable } from './quota-meter.ts';
import { saveMinutes, takeMinutes } from './minute-store.ts';
import { loadUses, saveUses } from './quota-store.ts';
import { refusal } from './refusal.ts';

/** What is not worth a wait is written within this time. */
const DELAY_MS = 250;
/** A request waits no longer than this for its count to be kept. */
const COMMIT_LIMIT_MS = 4_000;
const UNAVAILABLE: Unavailable = { kind: 'unavailable', retryAfterSeconds: 5 };

interface Entry {
  customerId: string;
  use: CustomerUse;
}

/**
 * The meter of the one process on a store. Decisions are made in memory without a wait. A request
 * that counts against a day or a month is admitted when its count is in the store, by one commit for
 * all that wait; when that fails, the count is taken back and the request was never made. So after
 * the process is killed, days and months hold exactly what was answered, and at most the requests
 * in flight besides. The minute is written at an orderly stop, and starts empty after any other.
 */
export async function startLocalMeter(deps: {
  db: Queryable;
  clock: Clock;
  log: {
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}): Promise<StartedMeter> {
  const { db, clock, log } = deps;
  const entries = new Map<string, Entry>();
  for (const [customerId, counted] of await loadUses(db)) {
    entries.set(customerId, { customerId, use: useOf(counted) });
  }
  await goOnWithMinutes();
  const dayIds = Array.from(entries.values(), ({ use }) => use.dayId);
  warnOfUsesAhead(dayIds, quotaPeriodOf(clock.now()).dayId, log);

  const periodOf = quotaPeriods();
  const watch = clockWatch({ clock, log });
  let lastPeriod: QuotaPeriod | null = null;
  const commits = groupCommit<Entry>({
    clock,
    write: (items) => saveUses(db, items),
    onFailure: (error) => log.error({ err: error }, 'quota counts could not be written'),
    delayMs: DELAY_MS,
    limitMs: COMMIT_LIMIT_MS,
  });

  function entryOf(customerId: string): Entry {
    let entry = entries.get(customerId);
    if (entry === undefined) {
      entry = { customerId, use: noUse() };
      entries.set(customerId, entry);
    }
    return entry;
  }

  /** Times of a wall clock that was set back since lie ahead: they count as of now, a minute long. */
  async function goOnWithMinutes(): Promise<void> {
    const now = clock.now();
    const monotonicMs = clock.monotonicMs();
    for (const { customerId, perMinute, admittedAt } of await takeMinutes(db)) {
      const { use } = entryOf(customerId);
      use.perMinute = perMinute;
      for (const at of admittedAt) use.minute.add(monotonicMs - Math.max(0, now - at));
    }
  }

  async function keepMinutes(): Promise<void> {
    const now = clock.now();
    const monotonicMs = clock.monotonicMs();
    const minutes = Array.from(entries.values(), ({ customerId, use }) => {
      const times = use.minute.times(monotonicMs);
      const admittedAt = times.map((ms) => now - (monotonicMs - ms));
      return { customerId, perMinute: use.perMinute ?? 0, admittedAt };
    }).filter(({ admittedAt }) => admittedAt.length > 0);
    await saveMinutes(db, minutes).catch((error: unknown) => {
      log.error({ err: error }, 'the last minute of requests could not be written');
    });
  }

  function take(request: TakeRequest): Taken | Promise<Taken> {
    const { customerId, plan, cost, now } = request;
    const period = periodOf(now);
    if (period !== lastPeriod) {
      lastPeriod = period;
      watch.check(now);
    }
    const monotonicMs = clock.monotonicMs();
    const entry = entryOf(customerId);
    const { use } = entry;
    const reading = readUse(use, plan, { period, monotonicMs });
    const full = fullWindows(reading, plan, cost);
    if (full.length > 0) return refusal({ plan, violated: full, reading, moment: { now, period } });
    const isChanged = countRequest(use, reading, { plan, cost, monotonicMs });
    const headers = limitHeaders(plan, reading, { now, period });
    if (!isChanged) return { kind: 'admitted', headers, refund: nothing };
    const refundedHeaders = () => limitHeaders(plan, oneLess(reading), { now, period });
    const refund = refundOf(entry, {
      dayId: use.dayId,
      monthId: use.monthId,
      generation: use.generation,
    });
    if (isUnlimited(plan)) {
      commits.joinLater(entry);
      return { kind: 'admitted', headers, refund, refundedHeaders };
    }
    return commits.join(entry).then((isKept) => {
      if (isKept) return { kind: 'admitted', headers, refund, refundedHeaders };
      use.minute.remove(monotonicMs);
      refund();
      return UNAVAILABLE;
    });
  }

  function refundOf(entry: Entry, receipt: Receipt): () => void {
    let isDone = false;
    return () => {
      if (isDone) return;
      isDone = true;
      refundRequest(entry.use, receipt);
      commits.joinLater(entry);
    };
  }

  return {
    take,
    async refresh() {
      for (const [customerId, counted] of await loadUses(db)) {
        const { use } = entryOf(customerId);
        if (counted.generation > use.generation) Object.assign(use, counted);
      }
    },
    async stop() {
      await commits.stop();
      await keepMinutes();
    },
  };
}

function nothing(): void {}
