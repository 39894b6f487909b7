import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FakeClock, fakeClock } from '../../test/support/fake-clock.ts';
import type { ExchangeResult } from './http-exchange.ts';
import { seededRandom } from './random.ts';
import { createSourceClient, type SourceClient, type SourceLimits } from './source-client.ts';
import type { SourceMemory, SourceState } from './source-memory.ts';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 10, 20, 15, 0, 0);
const LIMITS: SourceLimits = {
  intervalMsMin: 1000,
  timeoutMs: 10_000,
  bodyBytesMax: 1000,
  cooldownMs: 15 * MINUTE_MS,
};
const BUDGET = { requests: 12, windowMs: 10 * MINUTE_MS };

it('stays within the budget and the interval, whenever the process dies', async () => {
  const lifetimes = fc.array(fc.integer({ min: 1, max: 5 * MINUTE_MS }), {
    minLength: 5,
    maxLength: 15,
  });
  await fc.assert(
    fc.asyncProperty(lifetimes, async (lifetimesMs) => {
      const world = sourceWorld({ ...LIMITS, budget: BUDGET });
      for (const lifetimeMs of lifetimesMs) {
        const life = new AbortController();
        void requestWithoutEnd(world.start(), life.signal);
        await world.clock.advance(lifetimeMs);
        life.abort();
      }
      const { startsMs } = world;
      for (const [i, startMs] of startsMs.entries()) {
        expect(startMs - (startsMs[i - 1] ?? -Infinity)).toBeGreaterThanOrEqual(1000);
        const first = startsMs[i - BUDGET.requests] ?? -Infinity;
        expect(startMs - first).toBeGreaterThanOrEqual(BUDGET.windowMs);
      }
      // One write covers several requests.
      expect(world.saves()).toBeLessThanOrEqual(startsMs.length / 5 + lifetimesMs.length);
    }),
    { numRuns: 30 },
  );
});

it('uses the budget of a new window after a restart', async () => {
  const world = sourceWorld({ ...LIMITS, budget: BUDGET });
  void requestWithoutEnd(world.start(), new AbortController().signal);
  await world.clock.advance(MINUTE_MS);
  expect(world.startsMs).toHaveLength(12);
  const result = world.start().fetch(REQUEST);
  await world.clock.advance(12 * MINUTE_MS);
  expect((await result).kind).toBe('response');
});

it('continues a cooldown after a restart, and doubles the next one', async () => {
  const world = sourceWorld(LIMITS);
  world.reply.status = 403;
  const refusal = await world.fetch(world.start());
  const retryAt = world.clock.now() + 15 * MINUTE_MS;
  expect(refusal).toEqual({ kind: 'unavailable', reason: 'blocked', retryAt });
  await world.clock.advance(10 * MINUTE_MS);
  const restarted = world.start();
  expect(await world.fetch(restarted)).toEqual(refusal);
  expect(restarted.cooldown()).toEqual({ reason: 'blocked', retryAt });
  expect(world.startsMs).toHaveLength(1);
  await world.clock.advance(retryAt - world.clock.now());
  expect(await world.fetch(restarted)).toMatchObject({
    retryAt: retryAt + 30 * MINUTE_MS,
  });
  await world.clock.advance(30 * MINUTE_MS);
  world.reply.status = 200;
  expect((await world.fetch(world.start())).kind).toBe('response');
  world.reply.status = 403;
  // The first refusal after a response.
  expect(await world.fetch(world.start())).toMatchObject({
    retryAt: world.clock.now() + 15 * MINUTE_MS,
  });
});

it('ignores a cooldown that a clock in the future saved', async () => {
  const world = sourceWorld(LIMITS);
  const until = START + 400 * 24 * 60 * MINUTE_MS;
  world.save({
    requests: [{ minute: until, count: 2 }],
    reserved: 0,
    cooldown: { reason: 'blocked', until, refusals: 1 },
  });
  expect((await world.fetch(world.start())).kind).toBe('response');
});

it('records a cooldown before the next request if the store failed', async () => {
  const world = sourceWorld(LIMITS);
  world.reply.status = 403;
  world.faults.save = true;
  const source = world.start();
  await expect(world.fetch(source)).rejects.toThrow('no store');
  await expect(world.fetch(source)).rejects.toThrow('no store');
  world.faults.save = false;
  expect(await world.fetch(source)).toMatchObject({ reason: 'blocked' });
  expect(await world.fetch(world.start())).toMatchObject({ reason: 'blocked' });
  expect(world.startsMs).toHaveLength(1);
});

/** A source whose process can be restarted: only the memory outlasts it. */
function sourceWorld(limits: SourceLimits) {
  const clock = fakeClock(START);
  const startsMs: number[] = [];
  const reply = { status: 200 };
  const faults = { save: false };
  let state: SourceState | null = null;
  let saves = 0;
  const memory: SourceMemory = {
    load: () => Promise.resolve(state),
    save(newest) {
      if (faults.save) return Promise.reject(new Error('no store'));
      saves++;
      state = structuredClone(newest);
      return Promise.resolve();
    },
  };
  const exchange = (): Promise<ExchangeResult> => {
    startsMs.push(clock.monotonicMs());
    return Promise.resolve({ ...RESPONSE, ...reply });
  };
  const deps = { clock, random: seededRandom(1), exchange };
  const options = { name: 'script', hosts: ['a.example'], limits, memory: () => memory };
  return {
    clock,
    startsMs,
    reply,
    faults,
    saves: () => saves,
    save: (saved: SourceState) => void (state = saved),
    start: () => createSourceClient(deps, options),
    fetch: (source: SourceClient) => settleOn(clock, source.fetch(REQUEST)),
  };
}

const RESPONSE = {
  kind: 'response' as const,
  contentType: 'text/plain',
  location: undefined,
  retryAfter: undefined,
  date: undefined,
  cookies: [],
  text: '',
};

const REQUEST = { url: 'https://a.example/x', headers: {} };

async function requestWithoutEnd(source: SourceClient, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await source.fetch({ ...REQUEST, signal });
}

/** Waits for a promise whose only waits are those of the interval. */
async function settleOn<T>(clock: FakeClock, promise: Promise<T>): Promise<T> {
  await clock.advance(LIMITS.intervalMsMin);
  return promise;
}
