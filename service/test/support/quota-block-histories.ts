import { expect } from 'vitest';
import type { ReadLimits } from '../../src/domain/plan.ts';
import { quotaPeriodOf } from '../../src/domain/quota-window.ts';
import type { MeterResult, RunningQuotaMeter } from '../../src/metering/quota-meter.ts';
import { loadUse } from '../../src/metering/quota-store.ts';
import { startSharedMeter } from '../../src/metering/shared-quota-meter.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Db, Queryable, Row } from '../../src/storage/db.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';
import { silentLog } from './logs.ts';
import { BURST_MAX, NODES, type Step } from './quota-block-steps.ts';

/** Blocks have up to a quarter of the remaining units, so that few requests meet every border. */
const PERCENT = 25;
const HOUR_MS = 3_600_000;
/** A minute before midnight in New York, at the end of a month. */
const START = Date.parse('2026-12-01T04:59:00Z');

/** One customer meets its minute first, the other its day. */
const PLANS: readonly ReadLimits[] = [
  { name: 'slow', perMinute: 120, perDay: 200, perMonth: 300, historyMonths: null },
  { name: 'scarce', perMinute: 1_000, perDay: 100, perMonth: 160, historyMonths: null },
];

interface Node {
  meter: RunningQuotaMeter;
  clock: Clock;
  wallOffsetMs: number;
  isDead: boolean;
  losesReply: boolean;
  losesRenewal: boolean;
}

interface Admission {
  customer: number;
  node: Node;
  atMs: number;
  costsMinute: boolean;
  /** Ends of the day and month that the response names. */
  day: number;
  month: number;
  result: Extract<MeterResult, { kind: 'admitted' }>;
  isRefunded: boolean;
}

/** Returns what a history exercised, so that a test can require it. */
export interface Exercised {
  leases: number;
  renewals: number;
  refusals: number;
  early: number;
}

/**
 * Plays one history of processes that lease blocks of the same quotas, and checks after every step:
 * no window above its limit, no count below what was served, refusals and remaining requests within
 * the blocks that other processes hold. At the end, the counts are exact up to the blocks of crashes.
 */
export async function playBlocks(options: {
  db: Db;
  prefix: string;
  history: readonly Step[];
}): Promise<Exercised> {
  const world = new BlockWorld(options.db, options.prefix);
  await world.start();
  for (const step of options.history) {
    await world.play(step);
    await world.checkCounts();
  }
  await world.checkAtRest();
  return world.exercised;
}

class BlockWorld {
  readonly #db: Db;
  readonly #prefix: string;
  readonly #clock: FakeClock = fakeClock(START);
  readonly #nodes: Node[] = [];
  readonly #admissions: Admission[] = [];
  readonly #pending = new Set<Promise<unknown>>();
  /** Units of crashed processes and of lost leases, which count as used. */
  readonly #lost = [0, 0];
  readonly exercised: Exercised = { leases: 0, renewals: 0, refusals: 0, early: 0 };

  constructor(db: Db, prefix: string) {
    this.#db = db;
    this.#prefix = prefix;
  }

  async start(): Promise<void> {
    for (let index = 0; index < NODES; index += 1) this.#nodes.push(await this.#startNode(0));
  }

  async play(step: Step): Promise<void> {
    if (step.kind === 'advance') await this.#advance(step.ms);
    else if (step.kind === 'refund') await this.#refund();
    else if (step.kind === 'burst') {
      const requests = Array.from({ length: step.count }, () => this.#consume(step, false));
      await Promise.all(requests);
    } else if (step.kind === 'race') {
      const nodes = this.#nodes.keys();
      await Promise.all(Array.from(nodes, (index) => this.#race({ ...step, node: index })));
    } else if (step.kind === 'sequence') {
      for (let count = 0; count < step.count; count += 1) {
        await this.#consume(step, step.costsMinute && count % 3 === 0);
      }
    } else await this.#disturb(step);
    await this.#settled();
  }

  /** Checks that no window holds more than its limit, and that the store counts all that is served. */
  async checkCounts(): Promise<void> {
    for (const number of this.#lost.keys()) {
      const plan = PLANS[number] as ReadLimits;
      const served = this.#admissions.filter((one) => one.customer === number);
      for (const { atMs } of served) {
        const minute = served.filter((one) => one.atMs <= atMs && one.atMs > atMs - 60_000);
        mustBeAtMost(minute.length, plan.perMinute);
      }
      for (const window of ['day', 'month'] as const) {
        const limit = (window === 'day' ? plan.perDay : plan.perMonth) ?? 0;
        for (const counted of this.#countByWindow(number, window).values()) {
          mustBeAtMost(counted, limit);
        }
      }
      const use = await loadUse(this.#db, this.#id(number));
      if (use === null) continue;
      mustBeAtMost(this.#served(number, 'day', use.dayId), use.dayCount);
      mustBeAtMost(this.#served(number, 'month', use.monthId), use.monthCount);
    }
  }

  /** Returns all blocks, and checks that the stored counts are those of the served requests. */
  async checkAtRest(): Promise<void> {
    for (const node of this.#nodes) {
      node.losesReply = false;
      await node.meter.stop();
    }
    await this.#settled();
    for (const [number, lost] of this.#lost.entries()) {
      const use = await loadUse(this.#db, this.#id(number));
      if (use === null) continue;
      const excess = use.monthCount - this.#served(number, 'month', use.monthId);
      mustBeAtMost(0, excess);
      mustBeAtMost(excess, lost);
      const dayExcess = use.dayCount - this.#served(number, 'day', use.dayId);
      mustBeAtMost(dayExcess, lost);
    }
  }

  /** Sends the requests of one process while other processes send theirs. */
  async #race(step: { node: number; customer: number; count: number }): Promise<void> {
    for (let count = 0; count < step.count; count += 1) await this.#consume(step, false, true);
  }

  async #disturb(step: Extract<Step, { node: number }>): Promise<void> {
    const node = this.#nodes[step.node] as Node;
    if (step.kind === 'step wall') node.wallOffsetMs += step.hours * HOUR_MS;
    else if (step.kind === 'lose reply') node.losesReply = true;
    else if (step.kind === 'lose renewal') node.losesRenewal = true;
    else {
      if (step.kind === 'restart') {
        node.losesReply = false;
        await node.meter.stop();
      } else {
        for (const number of this.#lost.keys()) {
          this.#lost[number] = (this.#lost[number] ?? 0) + (await this.#held(number)).quota;
        }
      }
      node.isDead = true;
      this.#nodes[step.node] = await this.#startNode(node.wallOffsetMs);
    }
  }

  async #consume(
    { node: index, customer: number }: { node: number; customer: number },
    costsMinute: boolean,
    isRacing = false,
  ): Promise<void> {
    const node = this.#nodes[index] as Node;
    const now = node.clock.now();
    const cost = costsMinute ? 'minute' : 'all';
    const customerId = this.#id(number);
    const plan = PLANS[number] as ReadLimits;
    const result = await node.meter.consume({ customerId, plan, cost, now });
    if (result.kind === 'unavailable') return;
    const [, day, month] = readStates(result.headers, now);
    if (result.kind === 'refused') {
      // In a race, the blocks of other processes may have ended since.
      return isRacing ? undefined : this.#checkRefusal(number, result.violated);
    }
    const atMs = this.#clock.monotonicMs();
    const windows = { day: day?.endsAt ?? 0, month: month?.endsAt ?? 0 };
    const admission = { customer: number, node, atMs, costsMinute, ...windows };
    this.#admissions.push({ ...admission, result, isRefunded: false });
    const remaining = day?.remaining ?? 0;
    // Other processes may have counted requests since this process leased its block.
    const recent = this.#admissions.filter(
      (one) => one.customer === number && one.node !== node && one.atMs > atMs - 5_000,
    );
    const inWindow = this.#countByWindow(number, 'day').get(windows.day) ?? 0;
    const isRefunded = this.#admissions.some((one) => one.isRefunded);
    if (!isRefunded) {
      mustBeAtMost(remaining, (plan.perDay ?? 0) - inWindow + recent.length + BURST_MAX);
    }
  }

  /** Checks that a refused day is full, or would be if other processes used their blocks. */
  async #checkRefusal(number: number, violated: readonly string[]): Promise<void> {
    this.exercised.refusals += 1;
    const plan = PLANS[number] as ReadLimits;
    const held = await this.#held(number);
    let room: number;
    if (violated.includes('month') || violated.includes('day')) {
      const use = await loadUse(this.#db, this.#id(number));
      if (use === null) throw new Error('a quota is full that was never counted');
      room = Math.min(
        (plan.perDay ?? 0) - this.#served(number, 'day', use.dayId),
        (plan.perMonth ?? 0) - this.#served(number, 'month', use.monthId),
      );
      mustBeAtMost(room, held.quota + (this.#lost[number] ?? 0));
    } else {
      const sinceMs = this.#clock.monotonicMs() - 60_000;
      const inMinute = this.#admissions.filter(
        ({ customer: id, atMs }) => id === number && atMs > sinceMs,
      );
      room = plan.perMinute - inMinute.length;
      mustBeAtMost(room, held.minute);
    }
    if (room > 0) this.exercised.early += 1;
  }

  async #refund(): Promise<void> {
    const admission = this.#admissions.findLast((one) => !one.isRefunded && !one.costsMinute);
    if (admission === undefined || admission.node.isDead) return;
    admission.isRefunded = true;
    await admission.result.refund();
    await admission.result.refund();
  }

  async #advance(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1_000) {
      await this.#clock.advance(Math.min(left, 1_000));
      await this.#settled();
    }
  }

  async #settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
  }

  async #startNode(wallOffsetMs: number): Promise<Node> {
    const shared = this.#clock;
    const node: Omit<Node, 'meter'> = {
      wallOffsetMs,
      isDead: false,
      losesReply: false,
      losesRenewal: false,
      clock: {
        ...shared,
        now: () => shared.now() + node.wallOffsetMs,
        setTimer: (delayMs, run) => shared.setTimer(delayMs, () => void (node.isDead || run())),
      },
    };
    const meter = await startSharedMeter({
      db: this.#connectionOf(node),
      clock: node.clock,
      log: silentLog,
      blockPercent: PERCENT,
      refusalTtlMs: 0,
      isMinuteByClock: true,
    });
    return Object.assign(node, { meter });
  }

  /** Connects a process. It can lose the reply to a return that the store has committed. */
  #connectionOf(node: Omit<Node, 'meter'>): Queryable {
    const run = async <T extends Row>(sql: string, params: readonly unknown[]): Promise<T[]> => {
      const rows = await this.#db.query<T>(sql, params as never);
      if (sql.includes('take_quota')) {
        this.exercised.leases += rows.filter((row) => Number(row['leased']) > 0).length;
        if (this.#countRenewals(params, rows, node)) throw new Error('the reply was lost');
      } else if (sql.includes('return_quota_block') && node.losesReply) {
        node.losesReply = false;
        throw new Error('the reply was lost');
      }
      return rows;
    };
    return {
      query: <T extends Row>(sql: string, params: readonly unknown[] = []) => {
        const pending = run<T>(sql, params);
        this.#pending.add(pending);
        return pending.finally(() => this.#pending.delete(pending));
      },
    };
  }

  /** Returns true if the reply to a renewal is to be lost. The units of its block count as used. */
  #countRenewals(
    params: readonly unknown[],
    rows: readonly Row[],
    node: { losesRenewal: boolean },
  ) {
    const calls = JSON.parse(String(params[0])) as { customer: string; units: number }[];
    const renewals = rows.filter((row) => Number(row['leased']) > 0 && isRenewal(calls, row));
    this.exercised.renewals += renewals.length;
    // A reply that also decides about requests is not lost: they would count without being served.
    if (!node.losesRenewal || renewals.length === 0 || renewals.length < calls.length) return false;
    node.losesRenewal = false;
    for (const row of renewals) {
      const number = Number(calls[Number(row['index'])]?.customer.slice(this.#prefix.length));
      this.#lost[number] = (this.#lost[number] ?? 0) + Number(row['leased']);
    }
    return true;
  }

  async #held(number: number): Promise<{ quota: number; minute: number }> {
    // Returns one row for the blocks in use, through an index that starts with the customer.
    const [row] = await this.#db.query<{ quota: number; minute: number }>(
      `select coalesce(sum(quota_units), 0)::int4 as quota,
         coalesce(sum(minute_units), 0)::int4 as minute
       from quota_block where customer_id = $1 and used_ms is null`,
      [this.#id(number)],
    );
    return row ?? { quota: 0, minute: 0 };
  }

  #id(number: number): string {
    return `${this.#prefix}${number}`;
  }

  #countByWindow(number: number, window: 'day' | 'month'): Map<number, number> {
    const counts = new Map<number, number>();
    for (const one of this.#admissions) {
      if (one.customer !== number || one.costsMinute || one.isRefunded) continue;
      counts.set(one[window], (counts.get(one[window]) ?? 0) + 1);
    }
    return counts;
  }

  #served(number: number, window: 'day' | 'month', id: number): number {
    let count = 0;
    for (const [endsAt, served] of this.#countByWindow(number, window)) {
      const period = quotaPeriodOf(endsAt - HOUR_MS);
      if ((window === 'day' ? period.dayId : period.monthId) === id) count += served;
    }
    return count;
  }
}

function isRenewal(calls: readonly { units: number }[], row: Row): boolean {
  return calls[Number(row['index'])]?.units === 0;
}

function mustBeAtMost(actual: number, max: number): void {
  expect(actual).toBeLessThanOrEqual(max);
}

/** Reads the remaining requests and the end of each window from the headers. */
function readStates(headers: readonly string[], now: number) {
  const text = headers[headers.indexOf('RateLimit') + 1] ?? '';
  return Array.from(text.matchAll(/;r=(\d+);t=(\d+)/g), ([, r, t]) => ({
    remaining: Number(r),
    // The header rounds up to a second, and windows end at a full hour.
    endsAt: Math.floor((now + Number(t) * 1_000) / HOUR_MS) * HOUR_MS,
  }));
}
