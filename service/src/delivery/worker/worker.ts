import { keepAttemptHours } from '../../webhooks/stats/attempt-rollup.ts';
import type { SigningSecrets } from '../../webhooks/message/delivery-headers.ts';
import { loadSigningSecrets } from '../../webhooks/secret/secret-store.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretCipher } from '../../platform/encryption.ts';
import type { Transaction } from '../../storage/db.ts';
import { claimDue, type ClaimResult } from '../claim/claim.ts';
import type { ClaimedDelivery } from '../claim/claimed-delivery.ts';
import { createDueEndpointCache } from '../claim/lane-memory.ts';
import type { EndpointScan } from '../claim/due-endpoints.ts';
import type { WebhookAgent } from '../send/agent.ts';
import type { EngineDeps } from '../engine.ts';
import { fanOut } from '../fan-out/fan-out.ts';
import { queueDateRollover } from '../fan-out/date-rollover.ts';
import { readChanges } from '../fan-out/read-changes.ts';
import { queueSessionChanges } from '../fan-out/session-changes.ts';
import { expireLeases } from '../record/expire-leases.ts';
import { recordAttempts } from '../record/record.ts';
import { releaseClaims } from '../record/release-claims.ts';
import { claimSize } from './in-flight-limit.ts';
import { countAttempt } from './count-attempt.ts';
import { createResultWriter } from './result-writer.ts';
import { waitForSlots } from './gather-slots.ts';
import { newMetrics, observe, type WebhookMetrics } from './metrics.ts';
import { runLoop } from './loop.ts';
import { deleteExpired, RETENTION_DAYS, type RetentionDays } from './retention.ts';
import { alertSilentFailures } from './silent-failures.ts';
import { sayAlerts } from './say-alerts.ts';
import { sendDelivery } from './send.ts';
import { createInFlightLimit } from './slot-book.ts';
import { spread } from './spread.ts';
import { createWakeUp } from './wake.ts';
import { createWorkerClock, alwaysTrustedClock } from './worker-clock.ts';

export interface WebhookWorkerOptions extends EngineDeps {
  log: Log;
  agent: WebhookAgent;
  /** As `headerBrand` makes it. */
  brand: string;
  /** Opens the secrets that sign. */
  cipher: SecretCipher;
  /** Deliveries under way at a time; 512. */
  slots?: number;
  /** False under a clock that is set on purpose. */
  checksClock?: boolean;
  retention?: RetentionDays;
}

export interface WebhookWorker {
  /** Something was committed that may be told or sent: it is looked at now, not within a second. */
  wake(): void;
  readonly metrics: WebhookMetrics;
  /**
   * Claims nothing any more, gives back what was not started, waits for what is under way (20 s at
   * most), writes it down and closes the agent.
   */
  stop(): Promise<void>;
}

const SLOTS = 512;
const POLL_MS = 1_000;
const HOUSEKEEPING_MS = 20_000;
/** An attempt takes 15 s at most. */
const FLIGHT_MS_MAX = 20_000;

/** Tells subscribers of changes until it is stopped; several processes may run on one store. */
export function startWebhookWorker(options: WebhookWorkerOptions): WebhookWorker {
  const { db, clock, log, agent, retention = RETENTION_DAYS } = options;
  const metrics = newMetrics();
  const book = createInFlightLimit(options.slots ?? SLOTS);
  const toSend = createWakeUp(clock);
  const toTell = createWakeUp(clock);
  const toKeep = createWakeUp(clock);
  const flights = new Set<Promise<void>>();
  const watched =
    options.checksClock === false
      ? alwaysTrustedClock(clock)
      : createWorkerClock({ db, clock, log, onDistrust: () => toKeep.wake() });
  /** What is decided waits for a clock that is believed; what is written down cannot. */
  const deciding = { ...options, clock: watched.strict };
  const recording = { ...options, clock: watched.steady };
  const sending = { ...options, isClockBelieved: watched.isTrusted };
  // One: of two each wrote half as many at a time, and a delivery took a seventh more of the store.
  const finisher = createResultWriter({
    clock,
    log,
    write: async (batch) =>
      sayAlerts(
        {
          log,
          metrics,
        },
        await recordAttempts(recording, batch),
      ),
  });
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  let after = '';
  const lanes = createDueEndpointCache<EndpointScan>(clock);
  /** Claimed and not posted yet: how many, and when the last one is. */
  let toBegin = 0;
  let beginning: Promise<void> = Promise.resolve();
  let expiredAtMs = Number.NEGATIVE_INFINITY;

  const ground = { clock, log, stopping: stopping.signal };
  const loops = [
    runLoop(ground, {
      name: 'telling of changes',
      wakeUp: toTell,
      intervalMs: POLL_MS,
      step: tellChanges,
    }),
    runLoop(ground, { name: 'sending', wakeUp: toSend, intervalMs: POLL_MS, step: sendDue }),
    runLoop(ground, {
      name: 'keeping house',
      wakeUp: toKeep,
      intervalMs: HOUSEKEEPING_MS,
      step: keepHouse,
    }),
  ];

  async function tellChanges(): Promise<boolean> {
    if (!watched.isTrusted()) return false;
    const read = await readChanges(deciding);
    const hasTold = await fanOut(deciding);
    if (hasTold) {
      lanes.clear();
      toSend.wake();
    }
    return read > 0 || hasTold;
  }

  async function sendDue(): Promise<boolean> {
    if (!watched.isTrusted()) return false;
    if (clock.monotonicMs() - expiredAtMs >= POLL_MS) {
      metrics.leaseExpiries += await expireLeases(deciding);
      expiredAtMs = clock.monotonicMs();
    }
    await waitForSlots({ clock, isStopping }, book);
    const slots = claimSize(book.slots(), flights.size + toBegin);
    if (slots.free <= 0) return false;
    const result = await claimDue({ ...deciding, loadSecrets, dueEndpoints: lanes }, slots, after);
    after = result.cursor;
    if (result.deliveries.length === 0) return result.hasMore;
    if (isStopping()) {
      metrics.released += result.deliveries.length;
      await releaseClaims(recording, result.deliveries);
      return false;
    }
    begin(result);
    return true;
  }

  /** Takes slots for all of them now and posts them in turn, while the next claim is under way. */
  function begin({ deliveries: claims, secrets }: ClaimResult): void {
    for (const claimed of claims) book.take(claimed);
    metrics.inFlight = book.inFlight();
    toBegin += claims.length;
    beginning = beginning.then(() =>
      spread(claims, (claimed) => {
        toBegin -= 1;
        start(claimed, secrets.get(claimed.endpointId));
      }),
    );
  }

  function loadSecrets(tx: Transaction, endpointIds: readonly string[]) {
    return loadSigningSecrets(
      { db: tx, cipher: options.cipher },
      endpointIds,
      deciding.clock.now(),
    );
  }

  function start(claimed: ClaimedDelivery, secrets: SigningSecrets | undefined): void {
    if (claimed.isFirstAttempt) observe(metrics.changeToPost, clock.now() - claimed.changedAt);
    const flight = fly(claimed, secrets);
    flights.add(flight);
    void flight.finally(() => {
      flights.delete(flight);
      // Written down: its endpoint and company may have their next one.
      toSend.wake();
    });
  }

  async function fly(claimed: ClaimedDelivery, secrets: SigningSecrets | undefined): Promise<void> {
    const finished = await sendDelivery(sending, claimed, secrets);
    countAttempt({ metrics, log }, finished);
    // What is answered is in flight no more: the next one need not wait until it is written down.
    book.free(claimed);
    metrics.inFlight = book.inFlight();
    toSend.wake();
    await finisher.add(finished);
  }

  async function keepHouse(): Promise<boolean> {
    await checkClock();
    if (!watched.isTrusted()) return false;
    if ((await queueDateRollover(deciding)) || (await queueSessionChanges(deciding))) {
      toTell.wake();
      return true;
    }
    sayAlerts({ log, metrics }, await alertSilentFailures(deciding));
    const hasForgotten = (await deleteExpired(deciding, retention)) > 0;
    return (await keepAttemptHours(deciding)) || hasForgotten;
  }

  async function checkClock(): Promise<void> {
    const wasBelieved = watched.isTrusted();
    metrics.clockOffsetMs = await watched.compare();
    if (watched.isTrusted() && !wasBelieved) for (const hint of [toTell, toSend]) hint.wake();
  }

  async function stop(): Promise<void> {
    stopping.abort();
    for (const hint of [toSend, toTell, toKeep]) hint.wake();
    await Promise.all(loops);
    await beginning;
    const limit = new AbortController();
    const overdue = clock.sleep(FLIGHT_MS_MAX, limit.signal);
    await Promise.race([Promise.all(flights), overdue]);
    limit.abort();
    await agent.close();
    await Promise.all(flights);
  }

  return {
    wake() {
      toTell.wake();
      toSend.wake();
    },
    metrics,
    stop,
  };
}
