import { expect } from 'vitest';
import type { ReadLimits } from '../../src/domain/plan.ts';
import type { Cost } from '../../src/domain/quota-window.ts';
import type { QuotaMeter, MeterResult } from '../../src/metering/quota-meter.ts';
import { type Clock, sleepWith } from '../../src/platform/clock.ts';
import { type Random, seededRandom } from '../../src/platform/random.ts';
import { quotaModel, type QuotaModel } from './quota-model.ts';

/**
 * A manually advanced clock whose wall time can step. Only timers that are already due can fire.
 */
export interface ManualClock extends Clock {
  advance(durationMs: number): void;
  stepWall(byMs: number): void;
}

export function manualClock(startAt: number): ManualClock {
  let monotonicMs = 0;
  let wallMs = startAt;
  const setTimer = () => ({ cancel: () => undefined });
  return {
    now: () => wallMs,
    monotonicMs: () => monotonicMs,
    setTimer,
    sleep: (delayMs, signal) => sleepWith(setTimer, delayMs, signal),
    advance(durationMs) {
      monotonicMs += durationMs;
      wallMs += durationMs;
    },
    stepWall(byMs) {
      wallMs += byMs;
    },
  };
}

/** Small limits, so that short histories exhaust them. */
const PLANS: readonly ReadLimits[] = [
  planOf('small', 4, 6, 15),
  planOf('large', 7, 12, 25),
  planOf('days', 5, 9, null),
  planOf('months', 3, null, 20),
  planOf('free-running', 6, null, null),
  planOf('fast', 9, null, null),
];

/**
 * Times around both daylight saving changes, the leap day, the end of a year, and the ends of short
 * and long months.
 */
const STARTS = [
  '2026-03-08T04:58:30Z',
  '2026-03-09T03:58:30Z',
  '2026-11-01T03:59:00Z',
  '2026-11-02T04:58:30Z',
  '2026-12-31T04:59:00Z',
  '2027-01-01T04:59:00Z',
  '2028-02-29T04:59:00Z',
  '2028-03-01T04:59:00Z',
  '2026-06-01T03:59:30Z',
  '2026-07-15T16:00:00Z',
].map((text) => Date.parse(text));

interface Customer {
  id: string;
  plan: ReadLimits;
}

interface World {
  meters: readonly QuotaMeter[];
  clock: ManualClock;
  model: QuotaModel;
  random: Random;
  customers: Customer[];
  log: string[];
  /** Every admission, for checks that do not use the model. */
  admitted: { id: string; monotonicMs: number; limit: number; era: number }[];
  era: number;
}

export function startOfHistory(seed: number): number {
  return STARTS[seed % STARTS.length] ?? 0;
}

/**
 * Plays one random history, reproducible by seed: requests of both costs, refunds, bursts, waits up
 * to the requested time, wall clock steps of up to 26 hours, and plan changes. Every result must
 * match the model and satisfy the invariants that need no model. The `meters` share a store, and
 * each request uses one of them.
 */
export async function playHistory(options: {
  seed: number;
  steps: number;
  clock: ManualClock;
  meters: readonly QuotaMeter[];
  /** Prefix that keeps the customers of different histories on one store apart. */
  prefix?: string;
}): Promise<void> {
  const { seed, steps, clock, meters, prefix = '' } = options;
  const random = seededRandom(seed);
  const customers = ['a', 'b'].map((name) => ({
    id: `${prefix}${name}`,
    plan: pick(random, PLANS),
  }));
  const world: World = {
    meters,
    clock,
    random,
    customers,
    model: quotaModel(),
    log: [],
    admitted: [],
    era: 0,
  };
  try {
    for (let step = 0; step < steps; step += 1) await playStep(world);
    checkMinutes(world);
  } catch (error) {
    const history = world.log.join('\n');
    throw new Error(`history of seed ${seed}:\n${history}`, { cause: error });
  }
}

async function playStep(world: World): Promise<void> {
  const { clock, random } = world;
  const customer = pick(random, world.customers);
  const draw = random.int(100);
  if (draw < 45) await consumeOne(world, customer, { isRefunded: random.int(8) === 0 });
  else if (draw < 58) await burst(world, customer);
  else if (draw < 72) advance(world, random.int(20_000));
  else if (draw < 82) advance(world, random.int(90_000));
  else if (draw < 87) advance(world, random.int(26 * 3_600_000));
  else if (draw < 91) await waitUntilReset(world, customer);
  else if (draw < 97) {
    const byMs = (random.int(2 * 26 * 3_600) - 26 * 3_600) * 1_000;
    world.log.push(`wall clock steps by ${byMs} ms`);
    clock.stepWall(byMs);
  } else {
    customer.plan = pick(random, PLANS);
    world.era += 1;
    world.log.push(`${customer.id} is put on ${customer.plan.name}`);
  }
}

function advance(world: World, durationMs: number): void {
  world.log.push(`${durationMs} ms pass`);
  world.clock.advance(durationMs);
}

async function consumeOne(
  world: World,
  customer: Customer,
  options: { cost?: Cost; isRefunded?: boolean } = {},
): Promise<MeterResult> {
  const { clock, random, model } = world;
  const cost = options.cost ?? (random.int(4) === 0 ? 'minute' : 'all');
  const { id, plan } = customer;
  const node = random.int(world.meters.length);
  const now = clock.now();
  const monotonicMs = clock.monotonicMs();
  world.log.push(`${id} (${plan.name}) takes ${cost} at ${new Date(now).toISOString()} of ${node}`);
  const expected = model.consume({ customerId: id, plan, cost, wallMs: now, monotonicMs });
  const result = await world.meters[node]?.consume({ customerId: id, plan, cost, now });
  if (result === undefined || result.kind === 'unavailable') throw new Error('unavailable');
  const { kind, states, tightest } = expected;
  mustEqual({ kind: result.kind, ...readHeaders(result.headers) }, { kind, states, tightest });
  if (result.kind === 'refused') {
    const { violated, retryAfterSeconds, resetAt, limit } = expected;
    const isQuota = violated.some((window) => window !== 'minute');
    const code = isQuota ? 'quota-exceeded' : 'rate-limited';
    const { headers: _headers, window: _window, ...refused } = result;
    mustEqual(refused, {
      kind: 'refused',
      code,
      violated,
      limit,
      resetAt,
      retryAfterSeconds,
    });
    return result;
  }
  world.admitted.push({ id, monotonicMs, limit: plan.perMinute, era: world.era });
  if (options.isRefunded === true) {
    world.log.push('refunded, twice');
    await result.refund();
    await result.refund();
    expected.refund();
    // A different node may keep refusing requests for a moment after the refund.
    advance(world, 1_000);
  }
  return result;
}

/**
 * Checks that the remaining count `r` is correct: exactly that many requests are admitted, and no
 * more.
 */
async function burst(world: World, customer: Customer): Promise<void> {
  const first = await consumeOne(world, customer, { cost: 'all' });
  if (first.kind !== 'admitted') return;
  const { tightest } = readHeaders(first.headers);
  for (let count = 0; count < tightest.remaining; count += 1) {
    expect((await consumeOne(world, customer, { cost: 'all' })).kind).toBe('admitted');
  }
  expect((await consumeOne(world, customer, { cost: 'all' })).kind).toBe('refused');
}

/**
 * Checks that the wait `t` is correct: a request one millisecond earlier is refused, and a request
 * at `t` is admitted.
 */
async function waitUntilReset(world: World, customer: Customer): Promise<void> {
  const refused = await consumeOne(world, customer, { cost: 'all' });
  if (refused.kind !== 'refused') return;
  const untilMs = refused.resetAt - world.clock.now();
  advance(world, untilMs - 1);
  expect((await consumeOne(world, customer, { cost: 'all' })).kind).toBe('refused');
  advance(world, refused.retryAfterSeconds * 1_000 - untilMs + 1);
  expect((await consumeOne(world, customer, { cost: 'all' })).kind).toBe('admitted');
}

/**
 * Checks that between two plan changes, no trailing minute contains more requests than the limit.
 */
function checkMinutes(world: World): void {
  for (const latest of world.admitted) {
    const inMinute = world.admitted.filter(
      ({ id, era, monotonicMs }) =>
        id === latest.id &&
        era === latest.era &&
        monotonicMs <= latest.monotonicMs &&
        latest.monotonicMs - monotonicMs < 60_000,
    );
    if (inMinute.length > latest.limit) expect(inMinute).toHaveLength(latest.limit);
  }
}

/** Works like `expect`, which is slow and is therefore called only to describe a difference. */
function mustEqual(actual: object, expected: object): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) expect(actual).toEqual(expected);
}

function readHeaders(headers: readonly string[]): {
  states: Record<string, { r: number; t: number }>;
  tightest: { limit: number; remaining: number; resetSeconds: number };
} {
  const byName = new Map<string, string>();
  for (let index = 0; index < headers.length; index += 2) {
    byName.set(headers[index] ?? '', headers[index + 1] ?? '');
  }
  const states: Record<string, { r: number; t: number }> = {};
  for (const [, name, r, t] of (byName.get('RateLimit') ?? '').matchAll(
    /"(\w+)";r=(\d+);t=(\d+)/g,
  )) {
    states[name ?? ''] = { r: Number(r), t: Number(t) };
  }
  const number = (name: string): number => Number(byName.get(`X-RateLimit-${name}`));
  return {
    states,
    tightest: {
      limit: number('Limit'),
      remaining: number('Remaining'),
      resetSeconds: number('Reset'),
    },
  };
}

function planOf(
  name: string,
  perMinute: number,
  perDay: number | null,
  perMonth: number | null,
): ReadLimits {
  return { name, perMinute, perDay, perMonth, historyMonths: null };
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[random.int(values.length)] as T;
}
