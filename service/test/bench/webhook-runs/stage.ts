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
import { startWebhookWorker } from '../../../src/delivery/worker/worker.ts';
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

/**
 * A hundred endpoints with subscriptions to a hundred companies each, and a worker in this process.
 */
export interface Stage {
  db: Db;
  receivers: ClockedReceivers;
  /**
   * Changes companies in turn at this rate. Returns the milliseconds from each change to each of
   * its POSTs.
   */
  drive(changesPerSecond: number, seconds: number): Promise<Driven>;
  /** Deliveries per second when a hundred changes are made together. */
  burst(): Promise<number>;
  close(): Promise<void>;
}

export interface Driven {
  changesPerSecond: number;
  /** Milliseconds by path. */
  latencies: ReadonlyMap<string, number[]>;
}

export async function openStage(db: Db): Promise<Stage> {
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
    await subscribe(deps, endpointId, symbols);
  }
  await fanOutAll(deps);
  const rules = { ports: [443], devAllow: devAllow([`127.0.0.1:${receivers.port}`]) };
  const agent = createWebhookAgent({ clock, resolver: systemResolver(), rules });
  const worker = startWebhookWorker({
    ...deps,
    log: silentLog,
    agent,
    cipher,
    brand: 'Service',
    checksClock: false,
  });
  const changedAt = new Map<number, number>();
  let change = 0;

  /** Takes the time before the change is written, so that the commit counts too. */
  async function makeChange(): Promise<void> {
    change += 1;
    changedAt.set(change, clock.now());
    const symbol = symbols[change % SYMBOLS] ?? '';
    await publish(deps, symbol, { revenueEstimate: String(change) });
    worker.wake();
  }

  async function drive(changesPerSecond: number, seconds: number): Promise<Driven> {
    await receivers.report();
    const first = change + 1;
    const startedMs = clock.monotonicMs();
    const total = Math.ceil(changesPerSecond * seconds);
    for (let made = 0; made < total; made += 1) {
      const aheadMs = (made / changesPerSecond) * 1_000 - (clock.monotonicMs() - startedMs);
      if (aheadMs > 1) await clock.sleep(aheadMs);
      await makeChange();
    }
    const tookSeconds = (clock.monotonicMs() - startedMs) / 1_000;
    await clock.sleep(3_000);
    const latencies = new Map<string, number[]>();
    for (const arrival of await receivers.report()) {
      const since = changedAt.get(arrival.change);
      if (since === undefined || arrival.change < first) continue;
      const list = latencies.get(arrival.path) ?? [];
      list.push(arrival.at - since);
      latencies.set(arrival.path, list);
    }
    return { changesPerSecond: total / tookSeconds, latencies };
  }

  async function burst(): Promise<number> {
    await receivers.report();
    const startedMs = clock.monotonicMs();
    for (let made = 0; made < SYMBOLS; made += 1) await makeChange();
    let arrived = 0;
    while (arrived < SYMBOLS * ENDPOINTS) {
      await clock.sleep(20);
      arrived += (await receivers.report()).length;
    }
    return (arrived / (clock.monotonicMs() - startedMs)) * 1_000;
  }

  return {
    db,
    receivers,
    drive,
    burst,
    async close() {
      await worker.stop();
      receivers.stop();
      await db.close();
    },
  };
}

/** The percentile at `share`, from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
