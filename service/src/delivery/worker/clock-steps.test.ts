import { expect, test, vi } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import {
  addCompanies,
  addEndpoint,
  respondWith,
  claimAll,
  deliverAll,
  engineDeps,
  publish,
  subscribe,
  fanOutAll,
} from '../../../test/support/webhook-world.ts';
import { insertSecret } from '../../webhooks/secret/secret-store.ts';
import { fakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../../test/support/logs.ts';
import { seededRandom } from '../../platform/random.ts';
import { createSecretCipher } from '../../platform/encryption.ts';
import type { Db, Row } from '../../storage/db.ts';
import { forward } from '../../storage/forward.ts';
import type { WebhookAgent } from '../send/agent.ts';
import { sendDelivery } from './send-delivery.ts';
import { startWebhookWorker } from './worker.ts';
import { ClockUntrustedError, createWorkerClock } from './worker-clock.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const HOURS_26 = 26 * 3_600_000;

onEachEngine((db) => {
  test('neither creates nor sends deliveries after a clock step, and catches up once the clock is correct again', async () => {
    const { clock, deps, stepBy } = await world(db());
    const posted: string[] = [];
    const agent = agentOf(() => posted.push(''));
    const cipher = createSecretCipher([new Uint8Array(32).fill(7)], seededRandom(1));
    const worker = startWebhookWorker({
      ...deps,
      db: withClock(db(), clock),
      agent,
      cipher,
      log: silentLog,
      brand: 'Service',
    });
    await advanceUntil(clock, () => worker.metrics.clockOffsetMs !== null);
    // With the clock more than a day ahead, every change would be too old to send.
    stepBy(HOURS_26);
    await publish({ db: db(), clock }, 'NRTH', { epsEstimate: '1.3' });
    await advanceUntil(clock, () => (worker.metrics.clockOffsetMs ?? 0) > HOURS_26 / 2);
    expect(await changesRead(db())).toBe(0);
    expect(worker.metrics.released).toBe(0);
    stepBy(-HOURS_26);
    // The endpoint has no secret, so the delivery is attempted but not posted.
    await advanceUntil(clock, () => (worker.metrics.attempts['connect'] ?? 0) > 0);
    expect(await changesRead(db())).toBe(1);
    void worker.stop();
    await advanceUntil(clock, () => worker.metrics.inFlight === 0);
  });

  test('makes no decision based on a clock that is changed between two steps', async () => {
    const { clock, deps, stepBy } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    // Makes the first attempt, after which the next one is due in five seconds.
    await deliverAll(deps, () => respondWith(500));
    const posted: number[] = [];
    const agent = agentOf(() => posted.push(clock.now()));
    const cipher = createSecretCipher([new Uint8Array(32).fill(7)], seededRandom(1));
    await db().transaction((tx) =>
      insertSecret(tx, cipher, { endpointId: 'ep', role: 'current', secret: 'whsec_x', now: NOW }),
    );
    const store = withClock(db(), clock);
    let claims = 0;
    const worker = startWebhookWorker({
      ...deps,
      agent,
      cipher,
      log: silentLog,
      brand: 'Service',
      db: {
        ...store,
        async transaction(work, options) {
          if (options?.keepsPlans !== true) return store.transaction(work);
          claims += 1;
          stepBy(HOURS_26);
          try {
            return await store.transaction(work, options);
          } finally {
            stepBy(-HOURS_26);
          }
        },
      },
    });
    await advanceUntil(clock, () => claims > 3);
    expect(posted).toEqual([]);
    void worker.stop();
    await advanceUntil(clock, () => worker.metrics.inFlight === 0);
  });

  test('releases a delivery if the machine slept between the claim and the first byte', async () => {
    const { clock, deps, stepBy } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    const [claimed] = await claimAll(deps);
    if (claimed === undefined) throw new Error('nothing was claimed');
    const workerClock = createWorkerClock({
      db: withClock(db(), clock),
      clock: deps.clock,
      log: silentLog,
      onDistrust: () => undefined,
    });
    await workerClock.compare();
    const starts: boolean[] = [];
    const agent: WebhookAgent = {
      post({ beforeFirstByte }) {
        starts.push(beforeFirstByte?.() ?? true);
        // While the machine sleeps, the monotonic clock stops but the wall clock does not.
        stepBy(HOURS_26);
        starts.push(beforeFirstByte?.() ?? true);
        return Promise.resolve(respondWith(200));
      },
      close: () => Promise.resolve(),
    };
    const secrets = { current: 'whsec_x', next: null, previous: null };
    const { isTrusted: isClockBelieved } = workerClock;
    await sendDelivery(
      { clock: deps.clock, agent, brand: 'Service', maySend: isClockBelieved },
      claimed,
      secrets,
    );
    expect(starts).toEqual([true, false]);
    expect(workerClock.strict.now).toThrow(ClockUntrustedError);
    expect(workerClock.steady.now()).toBe(clock.now());
  });

  test('schedules a retry by the monotonic clock when the wall clock steps during an attempt', async () => {
    const { clock, deps, stepBy } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    const [claimed] = await claimAll(deps);
    if (claimed === undefined) throw new Error('nothing was claimed');
    const agent = agentOf(() => {
      stepBy(-HOURS_26);
      return clock.advance(2_000);
    });
    const secrets = { current: 'whsec_x', next: null, previous: null };
    const sent = await sendDelivery(
      { clock: deps.clock, agent, brand: 'Service', maySend: () => true },
      claimed,
      secrets,
    );
    expect(sent.at).toBe(NOW + 2_000);
  });
});

/** Sets up a world whose wall clock can be stepped. The fake clock advances automatically. */
async function world(db: Db) {
  const clock = fakeClock(NOW);
  const step = { ms: 0 };
  const deps = engineDeps(db, { ...clock, now: () => clock.now() + step.ms });
  await addEndpoint(db, 'ep');
  await addCompanies(db, ['NRTH']);
  await subscribe(deps, 'ep', ['NRTH']);
  await fanOutAll(deps);
  return { clock, deps, stepBy: (ms: number) => void (step.ms += ms) };
}

function agentOf(during: () => unknown): WebhookAgent {
  return {
    async post() {
      await during();
      return respondWith(500);
    },
    close: () => Promise.resolve(),
  };
}

/** Wraps the store so that it reports the correct time. */
function withClock(db: Db, clock: FakeClock): Db {
  return forward(db, {
    async query<T extends Row>(sql: string, params?: Parameters<Db['query']>[1]): Promise<T[]> {
      if (sql.includes('clock_timestamp()')) return [{ now: clock.now() } as unknown as T];
      return db.query<T>(sql, params);
    },
  });
}

async function changesRead(db: Db): Promise<number> {
  const [row] = await db.query<{ position: number }>(
    `select position from webhook_cursor where name = 'changes'`,
  );
  return row?.position ?? 0;
}

/**
 * Advances the clock until the condition is true. Yields between steps, because the store takes
 * real time.
 */
async function advanceUntil(clock: FakeClock, isSo: () => boolean): Promise<void> {
  await vi.waitFor(
    async () => {
      await clock.advance(100);
      if (!isSo()) throw new Error('not yet');
    },
    { timeout: 60_000, interval: 5 },
  );
}
