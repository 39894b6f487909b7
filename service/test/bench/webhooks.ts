import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Agent } from 'undici';
import { deliveryHeaders } from '../../src/webhooks/message/delivery-headers.ts';
import { devAllow } from '../../src/webhooks/address/dev-allow.ts';
import { insertSecret } from '../../src/webhooks/secret/secret-store.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../support/logs.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { createSecretCipher } from '../../src/platform/encryption.ts';
import type { Db } from '../../src/storage/db.ts';
import { createWebhookAgent } from '../../src/delivery/send/webhook-agent.ts';
import { systemResolver } from '../../src/delivery/send/resolver.ts';
import type { EngineDeps } from '../../src/delivery/engine.ts';
import { template } from '../../src/webhooks/templates/earnings-schedule.ts';
import { startWebhookWorker } from '../../src/delivery/worker/worker.ts';
import { postgresStore } from '../support/stores.ts';
import { embeddedStore } from './embedded-store.ts';
import {
  addCompanies,
  addCustomer,
  addEndpoint,
  publish,
  subscribe,
  fanOutAll,
} from '../support/webhook-world.ts';
import type { Bench } from './bench.ts';

const ENDPOINTS = 100;
const SYMBOLS = 100;
const SUBSCRIBERS = 100_000;
const SLOTS = 512;
/**
 * Number of warm-up rounds for the engine and the bare loop. The engine has more code to compile.
 */
const WARMING_ROUNDS = 4;
const ROUNDS = 9;
const SECRET = 'whsec_bench';
const clock = systemClock();
const random = systemRandom();

/**
 * Compares deliveries per second to a receiver that responds immediately with a loop that only
 * signs and posts.
 */
export const bench: Bench = {
  name: 'webhooks',
  target: 'at least half the rate of a bare loop on PostgreSQL, a quarter embedded',
  async run() {
    const receiver = await startReceiver();
    try {
      const embedded = await embeddedStore();
      const figures = await measure(embedded, receiver, 'embedded');
      await embedded.close();
      const server = await postgresStore();
      if (!('missing' in server)) {
        Object.assign(figures, await measure(server.db, receiver, 'postgres'));
        figures['postgresVersion'] = await versionOf(server.db);
        await server.db.close();
      }
      const passed =
        Number(figures['embeddedRatio']) >= 0.25 && Number(figures['postgresRatio'] ?? 1) >= 0.5;
      return { passed, figures };
    } finally {
      receiver.stop();
    }
  },
};

/** Returns the version and distribution of the server. */
async function versionOf(db: Db): Promise<string> {
  const [row] = await db.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  );
  return row?.version ?? '';
}

type Figures = Record<string, string | number>;

async function measure(db: Db, receiver: Receiver, name: string): Promise<Figures> {
  const deps: EngineDeps = { db, clock, random, templates: [template] };
  const symbols = Array.from({ length: SYMBOLS }, (_, i) => `S${i}`);
  await addCompanies(db, symbols);
  const cipher = createSecretCipher([new Uint8Array(32).fill(7)], random);
  const url = `http://127.0.0.1:${receiver.port}/`;
  for (let index = 0; index < ENDPOINTS; index += 1) {
    const endpointId = `ep${index}`;
    await addEndpoint(db, endpointId, { url });
    await db.transaction((tx) =>
      insertSecret(tx, cipher, { endpointId, role: 'current', secret: SECRET, now: clock.now() }),
    );
    await subscribe(deps, endpointId, symbols);
  }
  await fanOutAll(deps);
  // Alternates between the engine and the bare loop, so that each engine round has a bare round
  // within seconds of it: the machine's speed may change by half within a minute. The reported
  // figure is the median of the round ratios.
  const ours: Pace[] = [];
  const bare: Pace[] = [];
  for (let round = 1; round <= WARMING_ROUNDS + ROUNDS; round += 1) {
    // Each round changes every company.
    const delivered = await deliver(deps, cipher, receiver, symbols, `1.${round + 10}`);
    const posted = await postBare(receiver, url, await storedBodies(db));
    if (round <= WARMING_ROUNDS) continue;
    ours.push(delivered);
    bare.push(posted);
  }
  const perSecond = Math.max(...ours.map((pace) => pace.perSecond));
  const barePerSecond = Math.max(...bare.map((pace) => pace.perSecond));
  const ratios = ours.map((pace, round) => pace.perSecond / (bare[round]?.perSecond ?? Infinity));
  const middle = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0;
  const fanOut = await fanOutWide(deps);
  return {
    [`${name}PerSecond`]: Math.round(perSecond),
    [`${name}BarePerSecond`]: Math.round(barePerSecond),
    [`${name}Ratio`]: Number(middle.toFixed(2)),
    [`${name}RatioOfBest`]: Number((perSecond / barePerSecond).toFixed(2)),
    [`${name}Micros`]: Math.round(Math.min(...ours.map((pace) => pace.microsEach))),
    [`${name}BareMicros`]: Math.round(Math.min(...bare.map((pace) => pace.microsEach))),
    [`${name}FanOutPerSecond`]: Math.round(fanOut),
  };
}

/** Speed of a round, and the CPU time of this process, which includes an embedded store. */
interface Pace {
  perSecond: number;
  microsEach: number;
}

function startPace(): (count: number) => Pace {
  const startedMs = clock.monotonicMs();
  const before = process.cpuUsage();
  return (count) => {
    const tookMs = clock.monotonicMs() - startedMs;
    const { user, system } = process.cpuUsage(before);
    return { perSecond: (count / tookMs) * 1000, microsEach: (user + system) / count };
  };
}

/**
 * Changes every company, then lets a worker send everything. Returns the unique ids per second at
 * the receiver.
 */
async function deliver(
  deps: EngineDeps,
  cipher: ReturnType<typeof createSecretCipher>,
  receiver: Receiver,
  symbols: readonly string[],
  epsEstimate: string,
): Promise<Pace> {
  await receiver.forget();
  for (const symbol of symbols) await publish(deps, symbol, { epsEstimate });
  await fanOutAll(deps);
  const rules = { ports: [443], devAllow: devAllow([`127.0.0.1:${receiver.port}`]) };
  const agent = createWebhookAgent({ clock, resolver: systemResolver(), rules });
  const paceOf = startPace();
  const worker = startWebhookWorker({
    ...deps,
    log: silentLog,
    agent,
    cipher,
    brand: 'Service',
    slots: SLOTS,
    checksClock: false,
  });
  const expectedCount = ENDPOINTS * symbols.length;
  while ((worker.metrics.attempts['delivered'] ?? 0) < expectedCount) await clock.sleep(5);
  const pace = paceOf(expectedCount);
  await worker.stop();
  const unique = await receiver.count();
  if (unique !== expectedCount) throw new Error(`${unique} ids arrived, not ${expectedCount}`);
  return pace;
}

async function storedBodies(db: Db): Promise<{ id: string; body: string }[]> {
  return db.query<{ id: string; body: string }>(
    `select delivery_id as id, request_body as body from delivery_attempt
      order by delivery_id desc limit ${ENDPOINTS * SYMBOLS}`,
  );
}

/** Only signs and posts the same bodies with undici, at the same concurrency. */
async function postBare(
  receiver: Receiver,
  url: string,
  bodies: readonly { id: string; body: string }[],
): Promise<Pace> {
  await receiver.forget();
  const agent = new Agent({ connections: SLOTS, pipelining: 1 });
  const queue = [...bodies];
  const paceOf = startPace();
  await Promise.all(
    Array.from({ length: SLOTS }, async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        const body = new TextEncoder().encode(next.body);
        const secrets = { current: SECRET, next: null, previous: null };
        const message = { brand: 'Service', deliveryId: next.id, now: clock.now(), body, secrets };
        const headers = deliveryHeaders(message).flat();
        const origin = new URL(url).origin;
        const response = await agent.request({ origin, path: '/', method: 'POST', headers, body });
        await response.body.dump();
      }
    }),
  );
  const pace = paceOf(bodies.length);
  await agent.close();
  const unique = await receiver.count();
  if (unique !== bodies.length) throw new Error(`${unique} ids arrived, not ${bodies.length}`);
  return pace;
}

/** Changes a company with very many subscribers. Returns the new deliveries per second. */
async function fanOutWide(deps: EngineDeps): Promise<number> {
  const { db } = deps;
  await addCompanies(db, ['WIDE']);
  await addCustomer(db, 'cus_wide');
  await db.query(
    `insert into webhook_endpoint (id, customer_id, url, created_at, updated_at)
     select 'wide' || n, 'cus_wide', 'https://wide.example/', now(), now()
       from generate_series(1, ${SUBSCRIBERS}) as n`,
  );
  await subscribe(deps, 'wide1', ['WIDE']);
  await db.query(
    `insert into webhook_subscription (template_id, symbol, endpoint_id, created_at, answered_data)
     select s.template_id, s.symbol, 'wide' || n, now(), s.answered_data
       from webhook_subscription s, generate_series(2, ${SUBSCRIBERS}) as n
      where s.endpoint_id = 'wide1'`,
  );
  await fanOutAll(deps);
  await publish(deps, 'WIDE', { epsEstimate: '1.3' });
  const startedMs = clock.monotonicMs();
  await fanOutAll(deps);
  return (SUBSCRIBERS / (clock.monotonicMs() - startedMs)) * 1000;
}

interface Receiver {
  port: number;
  count(): Promise<number>;
  forget(): Promise<void>;
  stop(): void;
}

async function startReceiver(): Promise<Receiver> {
  const script = fileURLToPath(new URL('webhook-receiver.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line = ''] = await firstLine(createInterface({ input: child.stdout }));
  const port = Number(line);
  const origin = `http://127.0.0.1:${port}`;
  const agent = new Agent();
  return {
    port,
    async count() {
      const response = await agent.request({ origin, path: '/', method: 'GET' });
      return Number(await response.body.text());
    },
    async forget() {
      const response = await agent.request({ origin, path: '/', method: 'DELETE' });
      await response.body.dump();
    },
    stop() {
      void agent.destroy();
      child.kill();
    },
  };
}

async function firstLine(lines: AsyncIterable<string>): Promise<string[]> {
  for await (const line of lines) return [line];
  return [];
}
