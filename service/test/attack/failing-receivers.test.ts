import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { insertSecret } from '../../src/webhooks/secret/secret-store.ts';
import { silentLog } from '../support/logs.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { createSecretCipher } from '../../src/platform/encryption.ts';
import { startWebhookWorker } from '../../src/delivery/worker/worker.ts';
import { agentWorld, requestTo, receiver, nextTurn } from '../support/agent-world.ts';
import { type Receiver, reply } from '../support/receiver.ts';
import { runSize } from '../support/run-size.ts';
import { memoryStore } from '../support/stores.ts';
import {
  addCompanies,
  addEndpoint,
  engineDeps,
  publish,
  subscribe,
  fanOutAll,
} from '../support/webhook-world.ts';

const EACH = runSize({ slice: 12, whole: 500 });
const TOTAL_MS = 15_000;
/** Step by which the clock advances per round while the store works. */
const STEP_MS = 100;
const HEAD = 'HTTP/1.1 200 OK\r\n';
const BODY = `${HEAD}Content-Length: 1000\r\n\r\nsome`;

/** Behavior of a receiver once the request has arrived, and the text that it sends every second. */
interface Failure {
  begin?(socket: Socket): void;
  drips?: string;
  /** Milliseconds until the attempt ends. `outcome` is its result. */
  endsMs: 0 | typeof TOTAL_MS;
  outcome: object;
}

const TIMEOUT = { kind: 'failed', code: 'timeout', maybeSent: true };
const RESET = { kind: 'failed', code: 'reset', maybeSent: true };
const CUT = { kind: 'responded', status: 200, truncated: true };

const FAILURES: Readonly<Record<string, Failure>> = {
  silent: { endsMs: TOTAL_MS, outcome: TIMEOUT },
  'drips-a-head': { drips: HEAD.padEnd(40, 'x'), endsMs: TOTAL_MS, outcome: TIMEOUT },
  'drips-a-body': {
    begin: (socket) => void socket.write(BODY),
    drips: 'body'.repeat(10),
    endsMs: TOTAL_MS,
    outcome: CUT,
  },
  'stalls-in-the-head': {
    begin: (socket) => void socket.write(`${HEAD}X-A`),
    endsMs: TOTAL_MS,
    outcome: TIMEOUT,
  },
  'half-closes': { begin: (socket) => void socket.end(), endsMs: 0, outcome: RESET },
  'half-closes-in-the-head': {
    begin: (socket) => void socket.end(HEAD),
    endsMs: 0,
    outcome: RESET,
  },
  'half-closes-in-the-body': { begin: (socket) => void socket.end(BODY), endsMs: 0, outcome: CUT },
  resets: { begin: (socket) => void socket.resetAndDestroy(), endsMs: 0, outcome: RESET },
  'resets-in-the-head': {
    begin: (socket) => void socket.write(HEAD, () => socket.resetAndDestroy()),
    endsMs: 0,
    outcome: RESET,
  },
};

test.each(Object.entries(FAILURES))(
  `ends deliveries to ${EACH} concurrent receivers with the failure %s in time, without delaying other receivers`,
  async (name, failure) => {
    const sockets: Socket[] = [];
    const failing = await receiver(
      (socket) => {
        sockets.push(socket);
        failure.begin?.(socket);
      },
      // Keeps the server's side of the connection open when the client closes its side.
      { allowHalfOpen: name.startsWith('half') },
    );
    const healthy = await receiver((socket) => void socket.write(reply(204)));
    const { agent, clock } = agentWorld({
      allow: [failing, healthy].map(({ port }) => `127.0.0.1:${port}`),
    });
    let finishedCount = 0;
    const posting = Array.from({ length: EACH }, () =>
      agent
        .post(requestTo(`http://127.0.0.1:${failing.port}/`))
        .finally(() => (finishedCount += 1)),
    );
    await failing.requests(EACH);
    let responseCount = 0;
    for (let second = 0; second < TOTAL_MS / 1_000; second += 1) {
      if (failure.endsMs > 0) expect(finishedCount).toBe(0);
      for (const socket of sockets) socket.write(failure.drips?.[second] ?? '');
      // The clock does not advance for the healthy receiver, so any wait would be noticed.
      const outcome = await agent.post(requestTo(`http://127.0.0.1:${healthy.port}/`));
      if (outcome.kind === 'responded' && outcome.timings.totalMs === 0) responseCount += 1;
      for (let i = 0; i < 3; i += 1) await nextTurn();
      if (failure.endsMs === 0) break;
      await clock.advance(1_000);
    }
    const outcomes = await Promise.all(posting);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject(failure.outcome);
      expect(outcome.timings.totalMs).toBe(failure.endsMs);
    }
    expect(responseCount).toBe(failure.endsMs === 0 ? 1 : TOTAL_MS / 1_000);
    await failing.closed();
  },
);

test('frees all slots used by hanging receivers after 15 s, and never assigns all slots to those receivers again', async () => {
  const stuck = await receiver(() => undefined);
  const healthy = await receiver((socket) => void socket.write(reply(204)));
  const db = await memoryStore();
  const { agent, clock } = agentWorld({
    allow: [stuck, healthy].map(({ port }) => `127.0.0.1:${port}`),
  });
  const deps = engineDeps(db, clock);
  const cipher = createSecretCipher([new Uint8Array(32).fill(7)], seededRandom(1));
  const symbols = Array.from({ length: 8 }, (_, n) => `ILL${n}`);
  await addCompanies(db, [...symbols, 'NRTH', 'VLY']);
  const add = async (
    id: string,
    { port }: Receiver,
    symbolsWatched: readonly string[],
  ): Promise<void> => {
    await addEndpoint(db, id, { url: `http://127.0.0.1:${port}/` });
    const secret = { endpointId: id, role: 'current' as const, secret: 'whsec_x' };
    await db.transaction((tx) => insertSecret(tx, cipher, { ...secret, now: clock.now() }));
    await subscribe(deps, id, symbolsWatched);
  };
  for (const id of ['ill0', 'ill1', 'ill2', 'ill3']) await add(id, stuck, symbols);
  await add('well', healthy, ['NRTH', 'VLY']);
  await fanOutAll(deps);
  const options = { log: silentLog, agent, cipher, brand: 'Service', checksClock: false };
  const worker = startWebhookWorker({ ...deps, ...options, slots: 16 });

  for (const symbol of symbols) await publish(deps, symbol, { epsEstimate: '9.9' });
  worker.wake();
  await until(() => worker.metrics.inFlight === 16, 1_000);
  await publish(deps, 'NRTH', { epsEstimate: '9.9' });
  worker.wake();
  // No slot is free until the first 15 seconds have passed. Then it is the healthy receiver's turn.
  await clock.advance(TOTAL_MS - 2_000);
  expect(worker.metrics.attempts).toEqual({});
  await until(() => worker.metrics.attempts['delivered'] === 1, 4_000);
  expect(worker.metrics.attempts['timeout']).toBeGreaterThanOrEqual(16 - 1);
  // Each endpoint that has failed now gets one slot, and all of them together get at most half of
  // the slots.
  await until(() => worker.metrics.inFlight === 4, 2_000);
  await publish(deps, 'VLY', { epsEstimate: '9.9' });
  worker.wake();
  await until(() => worker.metrics.attempts['delivered'] === 2, 1_100);
  expect(worker.metrics.inFlight).toBeLessThanOrEqual(8);
  const stopped = worker.stop();
  let isOver = false;
  void stopped.finally(() => (isOver = true));
  await clock.advance(TOTAL_MS);
  await until(() => isOver, 5_000);
  await db.close();

  /** Advances the clock while the store and the sockets work, because they take real time. */
  async function until(condition: () => boolean, withinMs: number): Promise<void> {
    for (let passedMs = 0; !condition(); passedMs += STEP_MS) {
      if (passedMs > withinMs) throw new Error(`condition not met within ${withinMs} ms`);
      for (let i = 0; i < 100 && !condition(); i += 1)
        await new Promise((done) => setTimeout(done, 2));
      await clock.advance(STEP_MS);
    }
  }
});
