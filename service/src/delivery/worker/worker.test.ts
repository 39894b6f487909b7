import { expect, test, vi } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import {
  addCompanies,
  claimAll,
  addEndpoint,
  respondWith,
  deliveryRows,
  engineDeps,
  failWith,
  publish,
  subscribe,
  fanOutAll,
} from '../../../test/support/webhook-world.ts';
import { createTestDelivery } from '../../webhooks/queue/redeliver.ts';
import { insertSecret } from '../../webhooks/secret/secret-store.ts';
import { fakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { memoryLog } from '../../../test/support/logs.ts';
import { LoopHealth, type LoopState } from '../../platform/loop-health.ts';
import { seededRandom } from '../../platform/random.ts';
import { createSecretCipher } from '../../platform/encryption.ts';
import type { Db } from '../../storage/db.ts';
import type { PostOutcome, PostRequest, WebhookAgent } from '../send/agent.ts';
import type { EngineDeps } from '../engine.ts';
import { startWebhookWorker, type WebhookWorker } from './worker.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');

onEachEngine((db) => {
  test('sends a change right after a wake-up, or within a second without one, and counts the deliveries', async () => {
    const { deps, clock, agent, worker } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    worker.wake();
    await until(clock, () => worker.metrics.attempts['delivered'] === 1, 20);
    await publish(deps, 'NRTH', { epsEstimate: '1.4' });
    await until(clock, () => worker.metrics.attempts['delivered'] === 2, 1_100);
    await until(clock, () => worker.metrics.inFlight === 0, 100);
    expect(worker.metrics.changeToAck.counts.reduce((a, b) => a + b)).toBe(2);
    expect(agent.requests[0]?.headers.map(([name]) => name)).toEqual([
      'Content-Type',
      'User-Agent',
      'X-Service-Delivery-Id',
      'X-Service-Timestamp',
      'X-Service-Signature',
    ]);
    await stop(worker, clock);
  });

  test('sends the format and the headers that the endpoint has chosen, and marks a test', async () => {
    const { deps, clock, agent, worker } = await world(db());
    await db().query(
      `update webhook_endpoint set payload_format = 'cloudevents', standard_webhooks = true`,
    );
    await db().transaction((tx) =>
      createTestDelivery(
        { tx, random: deps.random, now: clock.now() },
        {
          endpointId: 'ep',
          templateId: 'earnings_schedule',
          eventType: 'earnings_schedule.changed',
          symbol: 'NRTH',
        },
      ),
    );
    worker.wake();
    await until(clock, () => worker.metrics.attempts['delivered'] === 1, 1_100);
    const [request] = agent.requests;
    const headers = new Map(request?.headers);
    const [row] = await deliveryRows(db());
    expect(headers.get('Content-Type')).toBe('application/cloudevents+json');
    expect(headers.get('X-Service-Test')).toBe('true');
    expect(headers.get('webhook-id')).toBe(row?.id);
    expect(headers.get('webhook-signature')).toMatch(/^v1,\S{44}$/);
    expect(JSON.parse(request?.body.toString() ?? '')).toMatchObject({
      specversion: '1.0',
      id: row?.id,
      source: '/account/v1/webhooks/ep',
      subject: 'NRTH',
    });
    await stop(worker, clock);
  });

  test('its loops succeed while nothing is due, and are failing after 30 seconds without the queue', async () => {
    const { clock, worker, loops } = await world(db());
    const failing = () => loops.states().flatMap((loop) => (loop.isFailing ? [loop.name] : []));
    const errors = () => loops.states().map(({ lastError }) => lastError ?? '');
    for (let seconds = 0; seconds < 40; seconds += 5) {
      await until(clock, () => loops.states().every((loop) => isRecent(loop, clock)), 1_100);
      await clock.advance(5_000);
    }
    expect([failing(), loops.areRequiredHealthy()]).toEqual([[], true]);
    await db().execute('alter table delivery rename to missing_delivery');
    try {
      await until(
        clock,
        () => errors().filter((text) => text.includes('delivery')).length > 1,
        9e4,
      );
      await clock.advance(30_000);
      expect(failing()).toContain('send');
      expect(loops.areRequiredHealthy()).toBe(false);
    } finally {
      await db().execute('alter table missing_delivery rename to delivery');
    }
    await until(clock, () => loops.areRequiredHealthy(), 60_000);
    await stop(worker, clock);
  });

  test('stops claiming when the worker is stopped, waits for attempts in flight and records their results', async () => {
    const { deps, clock, agent, worker } = await world(db());
    agent.hold();
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    worker.wake();
    await until(clock, () => agent.requests.length === 1, 20);
    await publish(deps, 'VLY', { epsEstimate: '1.3' });
    const stopped = worker.stop();
    agent.release(respondWith(200));
    await settle(clock, stopped);
    const rows = await deliveryRows(db());
    expect(rows.filter(({ state }) => state !== 'pending')).toMatchObject([
      { symbol: 'NRTH', state: 'delivered' },
    ]);
    expect(agent.isClosed()).toBe(true);
    expect(agent.requests).toHaveLength(1);
  });

  test('interrupts attempts that take longer than five seconds when it is stopped, and sends them again under their ids', async () => {
    const { deps, clock, agent, worker } = await world(db());
    agent.hold();
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    worker.wake();
    await until(clock, () => agent.requests.length === 1, 20);
    const stopped = worker.stop();
    await until(clock, () => agent.isClosed(), 5_500);
    agent.release(failWith('reset', true));
    await settle(clock, stopped);
    const [row] = await deliveryRows(db());
    expect(row).toMatchObject({ state: 'retrying', last_error_code: 'unknown' });
    const attempts = await db().query('select state from delivery_attempt');
    expect(attempts).toEqual([{ state: 'unknown' }]);
    const [again] = await claimAll(deps);
    expect(again?.id).toBe(row?.id);
  });

  test('never claims more deliveries than there are slots, including deliveries that have not been posted yet', async () => {
    const { deps, clock, agent, worker } = await world(db(), { slots: 4 });
    await db().query('update webhook_endpoint set is_slow = false');
    const symbols = Array.from({ length: 10 }, (_, i) => `CO${i}`);
    await addCompanies(db(), symbols);
    await subscribe(deps, 'ep', symbols);
    agent.hold();
    for (const symbol of symbols) await publish(deps, symbol, { epsEstimate: '1.3' });
    worker.wake();
    await until(clock, () => agent.requests.length === 4, 1_000);
    await clock.advance(2_000);
    const claimed = (await deliveryRows(db())).filter(({ state }) => state === 'in_progress');
    expect(claimed).toHaveLength(4);
    expect(worker.metrics.inFlight).toBe(4);
    agent.release(respondWith(200));
    await until(clock, () => worker.metrics.attempts['delivered'] === 10, 5_000);
    expect(agent.requests).toHaveLength(10);
    await stop(worker, clock);
  });

  test('counts blocked addresses by address class', async () => {
    const { deps, clock, agent, worker } = await world(db());
    agent.hold();
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    worker.wake();
    await until(clock, () => agent.requests.length === 1, 20);
    const blocked = failWith('blocked_address', false);
    agent.release(blocked.kind === 'failed' ? { ...blocked, addressClass: 'metadata' } : blocked);
    await until(clock, () => worker.metrics.attempts['blocked_address'] === 1, 100);
    expect(worker.metrics.blockedAddresses).toEqual({ metadata: 1 });
    await stop(worker, clock);
  });

  test('sends nothing if the lease is about to expire', async () => {
    const { deps, clock, agent, worker } = await world(db());
    agent.hold();
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    worker.wake();
    await until(clock, () => agent.requests.length === 1, 20);
    expect(agent.requests[0]?.beforeFirstByte?.()).toBe(true);
    await clock.advance(40_000);
    expect(agent.requests[0]?.beforeFirstByte?.()).toBe(false);
    agent.release(respondWith(200));
    await stop(worker, clock);
  });

  test('logs one complete line per attempt', async () => {
    const { deps, clock, agent, worker, log } = await world(db());
    agent.hold();
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    worker.wake();
    await until(clock, () => agent.requests.length === 1, 20);
    agent.release(respondWith(503));
    await until(clock, () => worker.metrics.attempts['http_5xx'] === 1, 100);
    const entries = log.entries.filter(({ fields }) => fields.event === 'delivery.attempted');
    const [row] = await deliveryRows(db());
    expect(entries).toEqual([
      {
        level: 'info',
        message: 'webhook delivery failed',
        fields: {
          event: 'delivery.attempted',
          delivery: row?.id,
          endpoint: 'ep',
          customer: 'cus_ep',
          template: 'earnings_schedule',
          symbol: 'NRTH',
          isTest: false,
          attempt: 1,
          outcome: 'http_5xx',
          status: 503,
          detail: null,
          remoteAddress: '203.0.113.7',
          dnsMs: 1,
          connectMs: 2,
          tlsMs: 3,
          firstByteMs: 4,
          totalMs: 9,
        },
      },
    ]);
    await stop(worker, clock);
  });

  test('logs and counts each endpoint alert once', async () => {
    const { deps, clock, agent, worker, log } = await world(db());
    agent.hold();
    agent.release(respondWith(410));
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    worker.wake();
    await until(clock, () => worker.metrics.alerts['disabled'] === 1, 1_100);
    const facts = { endpoint: 'ep', customer: 'cus_ep', alert: 'disabled' };
    const alertEntries = log.entries.filter(({ fields }) => 'alert' in fields);
    expect(alertEntries).toMatchObject([{ level: 'warn', fields: facts }]);
    await clock.advance(60_000);
    expect(worker.metrics.alerts).toEqual({ disabled: 1 });
    await stop(worker, clock);
  });

  test("sends nothing if the worker's clock differs from the database’s", async () => {
    const { deps, clock, agent, worker } = await world(db(), { checksClock: true });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await until(clock, () => worker.metrics.clockOffsetMs !== null, 2_000);
    await clock.advance(3_000);
    expect(agent.requests).toEqual([]);
    await stop(worker, clock);
  });
});

onEachEngine((db) => {
  test('repeats a delivery at once, as an attempt of its own, if an idle connection was lost', async () => {
    const { deps, clock, agent, worker } = await world(db());
    agent.hold();
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    worker.wake();
    await until(clock, () => agent.requests.length === 1, 20);
    await publish(deps, 'VLY', { epsEstimate: '1.4' });
    const lost = { ...failWith('reset', true), wasIdle: true };
    agent.release(lost);
    agent.hold();
    await until(clock, () => agent.requests.length === 2, 100);
    agent.release(respondWith(200));
    await until(clock, () => worker.metrics.attempts['delivered'] === 2, 3_000);
    const [first, second] = agent.requests.map(({ headers, body }) => ({
      id: new Map(headers).get('X-Service-Delivery-Id'),
      body: Buffer.from(body).toString(),
    }));
    expect(second).toEqual(first);
    await stop(worker, clock);
    const attempts = await db().query(
      `select n, error_code as code, response_status as status from delivery_attempt
        where delivery_id = $1 order by n`,
      [first?.id ?? ''],
    );
    expect(attempts).toEqual([
      { n: 1, code: 'reset', status: null },
      { n: 2, code: null, status: 200 },
    ]);
  });
});

interface FakeAgent extends WebhookAgent {
  requests: PostRequest[];
  hold(): void;
  release(outcome: PostOutcome): void;
  isClosed(): boolean;
}

function fakeAgent(): FakeAgent {
  const requests: PostRequest[] = [];
  let gate: PromiseWithResolvers<PostOutcome> | null = null;
  let isClosed = false;
  return {
    requests,
    post(request) {
      requests.push(request);
      return gate === null ? Promise.resolve(respondWith(200)) : gate.promise;
    },
    close() {
      isClosed = true;
      return Promise.resolve();
    },
    hold() {
      gate = Promise.withResolvers();
    },
    release: (outcome) => gate?.resolve(outcome),
    isClosed: () => isClosed,
  };
}

interface World {
  deps: EngineDeps;
  clock: FakeClock;
  agent: FakeAgent;
  worker: WebhookWorker;
  log: ReturnType<typeof memoryLog>;
  loops: LoopHealth;
}

async function world(db: Db, { checksClock = false, slots = 512 } = {}): Promise<World> {
  const clock = fakeClock(NOW);
  const loops = new LoopHealth(clock);
  const deps = engineDeps(db, clock);
  const cipher = createSecretCipher([new Uint8Array(32).fill(7)], seededRandom(1));
  await addEndpoint(db, 'ep');
  await db.transaction((tx) =>
    insertSecret(tx, cipher, { endpointId: 'ep', role: 'current', secret: 'whsec_x', now: NOW }),
  );
  await addCompanies(db, ['NRTH', 'VLY']);
  await subscribe(deps, 'ep', ['NRTH', 'VLY']);
  await fanOutAll(deps);
  const agent = fakeAgent();
  const log = memoryLog();
  const options = { ...deps, log, agent, cipher, brand: 'Service', checksClock, slots, loops };
  return { deps, clock, agent, worker: startWebhookWorker(options), log, loops };
}

/**
 * Advances the clock by up to `withinMs` in total until the condition is true. Yields between
 * steps, because the store takes real time.
 */
async function until(clock: FakeClock, isSo: () => boolean, withinMs: number): Promise<void> {
  let leftMs = withinMs;
  await vi.waitFor(
    async () => {
      if (leftMs > 0) await clock.advance(Math.min(10, leftMs));
      leftMs -= 10;
      if (!isSo()) throw new Error('not yet');
    },
    { timeout: 60_000, interval: 5 },
  );
}

/** Only the loops that run every second are expected to succeed within ten. */
function isRecent({ name, lastSuccessAt }: LoopState, clock: FakeClock): boolean {
  const isFrequent = name === 'fan-out' || name === 'send';
  return !isFrequent || (lastSuccessAt !== null && clock.now() - lastSuccessAt < 2_000);
}

async function stop(worker: WebhookWorker, clock: FakeClock): Promise<void> {
  await settle(clock, worker.stop());
}

/**
 * Advances the clock until the work is done, but not as far as the timeout for attempts in flight.
 */
async function settle(clock: FakeClock, work: Promise<void>): Promise<void> {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  await until(clock, () => isOver, 10_000);
}
