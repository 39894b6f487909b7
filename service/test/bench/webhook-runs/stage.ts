import { devAllow } from '../../../src/webhooks/address/dev-allow.ts';
import { insertSecret } from '../../../src/webhooks/secret/secret-store.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../support/logs.ts';
import { systemRandom } from '../../../src/platform/random.ts';
import { createSecretCipher } from '../../../src/platform/encryption.ts';
import type { Db } from '../../../src/storage/db.ts';
import { createWebhookAgent } from '../../../src/delivery/send/webhook-agent.ts';
import { systemResolver } from '../../../src/delivery/send/resolver.ts';
import { template } from '../../../src/webhooks/templates/earnings-schedule.ts';
import { startWebhookWorker, type WebhookWorker } from '../../../src/delivery/worker/worker.ts';
import {
  addCompanies,
  addEndpoint,
  publish,
  subscribe,
  fanOutAll,
} from '../../support/webhook-world.ts';
import { type ClockedReceivers, startClockedReceivers } from './receivers.ts';

export const ENDPOINTS = 100;
const SYMBOLS = 100;
const clock = systemClock();
const random = systemRandom();

export interface DriveResult {
  changesPerSecond: number;
  /** Milliseconds per delivery, by path. */
  latencies: ReadonlyMap<string, number[]>;
}

/** A hundred endpoints that subscribe to a hundred companies each, and a worker in this process. */
export class Stage {
  readonly db: Db;
  readonly receivers: ClockedReceivers;
  readonly symbols: readonly string[];
  readonly #startWorker: () => WebhookWorker;
  readonly #changedAt = new Map<number, number>();
  #worker: WebhookWorker | null = null;
  #change = 0;

  constructor(
    db: Db,
    {
      receivers,
      startWorker,
      symbols,
    }: {
      receivers: ClockedReceivers;
      startWorker: () => WebhookWorker;
      symbols: readonly string[];
    },
  ) {
    this.db = db;
    this.receivers = receivers;
    this.symbols = symbols;
    this.#startWorker = startWorker;
  }

  startWorker(): void {
    this.#worker = this.#startWorker();
  }

  async stopWorker(): Promise<void> {
    await this.#worker?.stop();
    this.#worker = null;
  }

  readonly wake = (): void => this.#worker?.wakeFanOut();

  /**
   * Changes companies in turn at this rate. Returns the milliseconds from each change to each of
   * its POSTs.
   */
  async drive(changesPerSecond: number, seconds: number): Promise<DriveResult> {
    await this.receivers.report();
    const firstChange = this.#change + 1;
    const startedMs = clock.monotonicMs();
    const total = Math.ceil(changesPerSecond * seconds);
    for (let count = 0; count < total; count += 1) {
      const aheadMs = (count / changesPerSecond) * 1_000 - (clock.monotonicMs() - startedMs);
      if (aheadMs > 1) await clock.sleep(aheadMs);
      await this.#publishChange();
    }
    const tookSeconds = (clock.monotonicMs() - startedMs) / 1_000;
    await clock.sleep(3_000);
    const latencies = new Map<string, number[]>();
    for (const { change, path, at } of await this.receivers.report()) {
      const changedAt = this.#changedAt.get(change);
      if (changedAt === undefined || change < firstChange) continue;
      const list = latencies.get(path) ?? [];
      list.push(at - changedAt);
      latencies.set(path, list);
    }
    return { changesPerSecond: total / tookSeconds, latencies };
  }

  /** Returns the deliveries per second when a hundred changes are made together. */
  async burst(): Promise<number> {
    await this.receivers.report();
    const startedMs = clock.monotonicMs();
    for (let count = 0; count < SYMBOLS; count += 1) await this.#publishChange();
    let arrivals = 0;
    while (arrivals < SYMBOLS * ENDPOINTS) {
      await clock.sleep(20);
      arrivals += (await this.receivers.report()).length;
    }
    return (arrivals / (clock.monotonicMs() - startedMs)) * 1_000;
  }

  async close(): Promise<void> {
    await this.stopWorker();
    this.receivers.stop();
    await this.db.close();
  }

  /** Reads the clock before writing the change, so that the measured time includes the commit. */
  async #publishChange(): Promise<void> {
    this.#change += 1;
    this.#changedAt.set(this.#change, clock.now());
    const symbol = this.symbols[this.#change % SYMBOLS] ?? '';
    await publish({ db: this.db, clock }, symbol, { revenueEstimate: String(this.#change) });
    this.wake();
  }
}

/** Every endpoint subscribes to all companies, or to one company of its own. */
export async function openStage(
  db: Db,
  { subscribesTo = 'all' }: { subscribesTo?: 'all' | 'one' } = {},
): Promise<Stage> {
  const receivers = await startClockedReceivers();
  const deps = { db, clock, random, templates: [template] };
  const symbols = Array.from({ length: SYMBOLS }, (_, i) => `S${i}`);
  await addCompanies(db, symbols);
  const cipher = createSecretCipher([new Uint8Array(32).fill(7)], random);
  for (let index = 0; index < ENDPOINTS; index += 1) {
    const endpointId = `ep${index}`;
    await addEndpoint(db, endpointId, { url: `http://127.0.0.1:${receivers.port}/${endpointId}` });
    const secret = { endpointId, role: 'current' as const, secret: 'whsec_bench' };
    await db.transaction((tx) => insertSecret(tx, cipher, { ...secret, now: clock.now() }));
    const watched = subscribesTo === 'all' ? symbols : symbols.slice(index, index + 1);
    await subscribe(deps, endpointId, watched);
  }
  await fanOutAll(deps);
  const rules = { ports: [443], devAllow: devAllow([`127.0.0.1:${receivers.port}`]) };
  const startWorker = () =>
    startWebhookWorker({
      ...deps,
      log: silentLog,
      agent: createWebhookAgent({ clock, resolver: systemResolver(), rules }),
      cipher,
      brand: 'Service',
      checksClock: false,
    });
  const stage = new Stage(db, { receivers, startWorker, symbols });
  stage.startWorker();
  return stage;
}

/** Returns the percentile at `share`, which ranges from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
