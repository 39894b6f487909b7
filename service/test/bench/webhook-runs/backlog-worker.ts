import { devAllow } from '../../../src/webhooks/address/dev-allow.ts';
import { loadQueueStats } from '../../../src/webhooks/stats/queue-stats.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../support/logs.ts';
import { systemRandom } from '../../../src/platform/random.ts';
import { createSecretCipher } from '../../../src/platform/encryption.ts';
import { openPostgres } from '../../../src/storage/engines/postgres/postgres.ts';
import { claimDue } from '../../../src/delivery/claim/claim.ts';
import { createWebhookAgent } from '../../../src/delivery/send/webhook-agent.ts';
import { systemResolver } from '../../../src/delivery/send/resolver.ts';
import { releaseClaims } from '../../../src/delivery/record/release-claims.ts';
import { template } from '../../../src/webhooks/templates/earnings-schedule.ts';
import { startWebhookWorker } from '../../../src/delivery/worker/worker.ts';
import { percentile } from './stage.ts';

// A worker in a child process, called with `URL PORT SECONDS`. Measures how long claims take, then
// sends for the given time, and prints one line of JSON.
const [, , url = '', port = '', seconds = ''] = process.argv;
const clock = systemClock();
const random = systemRandom();
const db = openPostgres({ url });
const deps = { db, clock, random, templates: [template] };
const startRss = process.memoryUsage.rss();
const claimMs = await timeClaims();
const figuresMs = await timed(() => loadQueueStats(db, clock.now()));
const worker = startWebhookWorker({
  ...deps,
  log: silentLog,
  cipher: createSecretCipher([new Uint8Array(32).fill(7)], random),
  agent: createWebhookAgent({
    clock,
    resolver: systemResolver(),
    rules: {
      ports: [443],
      devAllow: devAllow([`127.0.0.1:${port}`]),
    },
  }),
  brand: 'Service',
  checksClock: false,
});
const sent = () => worker.metrics.attempts['delivered'] ?? 0;
const startedMs = clock.monotonicMs();
let peakRss = 0;
let sentAtTenth = 0;
while (clock.monotonicMs() - startedMs < Number(seconds) * 1_000) {
  await clock.sleep(100);
  peakRss = Math.max(peakRss, process.memoryUsage.rss());
  const isFirstTenth = clock.monotonicMs() - startedMs < Number(seconds) * 100;
  if (isFirstTenth) sentAtTenth = sent();
}
const tookSeconds = (clock.monotonicMs() - startedMs) / 1_000;
const delivered = sent();
await worker.stop();
await db.close();
process.stdout.write(
  `${JSON.stringify({
    claimP50Ms: round(percentile(claimMs, 0.5)),
    claimMaxMs: round(percentile(claimMs, 1)),
    figuresMs: round(figuresMs),
    delivered,
    perSecond: Math.round(delivered / tookSeconds),
    firstTenthPerSecond: Math.round(sentAtTenth / (tookSeconds / 10)),
    startMb: megabytes(startRss),
    peakMb: megabytes(peakRss),
  })}\n`,
);

/**
 * Returns the milliseconds taken by each of thirty claims for 512 free slots, without the first
 * ten. Each claim is released again.
 */
async function timeClaims(): Promise<number[]> {
  const times: number[] = [];
  let after = '';
  for (let round = 0; round < 30; round += 1) {
    const slots = { total: 512, free: 512, slowInFlight: 0, inFlightByCustomer: new Map() };
    const startedMs = clock.monotonicMs();
    const result = await claimDue(deps, slots, after);
    times.push(clock.monotonicMs() - startedMs);
    after = result.cursor;
    if (result.deliveries.length === 0) throw new Error('no delivery could be claimed');
    await releaseClaims(deps, result.deliveries);
  }
  return times.slice(10);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = clock.monotonicMs();
  await work();
  return clock.monotonicMs() - startedMs;
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}
