import type { Clock } from '../../platform/clock.ts';
import { CostBudget } from '../../platform/cost-budget.ts';
import type { SecretCipher } from '../../platform/encryption.ts';
import type { Log } from '../../platform/log.ts';
import type { Transaction } from '../../storage/db.ts';
import { whenWritten } from '../../storage/when-written.ts';
import type { SigningSecrets } from '../../webhooks/message/delivery-headers.ts';
import { loadSigningSecrets } from '../../webhooks/secret/secret-store.ts';
import { claimDue, type ClaimDeps, claimOpened, type ClaimResult } from '../claim/claim.ts';
import type { AttemptResult, ClaimedDelivery } from '../claim/claimed-delivery.ts';
import { DueEndpointCache } from '../claim/due-endpoints.ts';
import type { Slots } from '../claim/scheduler.ts';
import type { EngineDeps } from '../engine.ts';
import type { OnOpened, Opened } from '../fan-out/fan-out.ts';
import { expireLeases, interruptAttempts } from '../record/expire-leases.ts';
import { outcomeOf } from '../record/next-state.ts';
import { releaseClaims } from '../record/release-claims.ts';
import type { WebhookAgent } from '../send/agent.ts';
import { TUNING } from '../tuning.ts';
import { InFlightLimit, slotsForClaim, waitForSlots } from './in-flight-limit.ts';
import { observe, type WebhookMetrics } from './metrics.ts';
import { loadSendWork } from './pending-work.ts';
import { reportAttempt } from './report.ts';
import { sendDelivery } from './send-delivery.ts';
import { ClockUntrustedError, type WorkerClock } from './worker-clock.ts';

const LEASE_CHECK_INTERVAL_MS = 1_000;

export interface SenderDeps {
  engine: EngineDeps;
  workerClock: WorkerClock;
  agent: WebhookAgent;
  brand: string;
  cipher: SecretCipher;
  log: Log;
  metrics: WebhookMetrics;
  slots: number;
  isStopping(): boolean;
  areClaimsHeld?: (() => boolean) | undefined;
  /** Resolves when the result has been stored. */
  record(result: AttemptResult): Promise<void>;
  /** Called when more deliveries may be claimed. */
  wake(): void;
}

/** Claims due deliveries and sends them. Each delivery in flight occupies one slot. */
export class Sender {
  readonly #deps: SenderDeps;
  readonly #clock: Clock;
  readonly #limit: InFlightLimit;
  readonly #dueEndpoints: DueEndpointCache;
  readonly #hasWork: () => Promise<boolean>;
  readonly #workChecks: CostBudget;
  readonly #leaseChecks: CostBudget;
  /** True if the last claim took deliveries, so the next one does not check for work first. */
  #isBusy = false;
  /** True while a transaction is claiming. Only one at a time, so that none takes another's slots. */
  #isClaiming = false;
  /** True if a claim must follow that transaction. */
  #isPostponed = false;
  /** False if nothing was pending at the last check, so that a free slot needs no claim. */
  #hasPending = true;
  readonly #attempts = new Set<Promise<void>>();
  /** Deliveries whose attempts have no outcome yet. */
  readonly #sending = new Set<ClaimedDelivery>();
  #isAbandoned = false;
  /**
   * Number of claimed deliveries whose attempts have not started. `#starting` resolves when the
   * last of them has.
   */
  #unstartedCount = 0;
  #starting: Promise<void> = Promise.resolve();
  #cursor = '';
  #leasesCheckedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#clock = deps.engine.clock;
    this.#limit = new InFlightLimit(deps.slots);
    this.#dueEndpoints = new DueEndpointCache(this.#clock);
    const { db } = deps.engine;
    this.#hasWork = whenWritten(db, async () => {
      const { hasPending, hasInProgress } = await loadSendWork(db);
      this.#hasPending = hasPending;
      return hasPending || hasInProgress;
    });
    this.#workChecks = new CostBudget(this.#clock, TUNING.fullSearches);
    this.#leaseChecks = new CostBudget(this.#clock, TUNING.fullSearches);
  }

  /**
   * Runs a transaction that opens deliveries. Claims them in it if enough slots are free, and sends
   * them once it has committed.
   */
  async claimFrom<T>(run: (onOpened: OnOpened) => Promise<T>): Promise<T> {
    const since = this.#clock.now();
    let hasOpened = false;
    let slots: Slots | null = null;
    const claims: ClaimResult[] = [];
    const onOpened: OnOpened = async (tx, opened) => {
      hasOpened = true;
      this.#dueEndpoints.clear();
      this.#dueEndpoints.positions.deliveriesOpened([...opened.endpoints.keys()], since);
      slots = this.#slotsForOpened(opened);
      if (slots === null) return;
      this.#isClaiming = true;
      claims.push(await claimOpened(this.#claimDeps(), tx, opened, slots));
    };
    try {
      const result = await run(onOpened);
      const [claim] = claims;
      if (claim !== undefined) await this.#startClaimed(claim);
      if (hasOpened && claim?.hasMore !== false) this.#wake();
      return result;
    } finally {
      if (slots !== null) this.#endClaim();
    }
  }

  /** Returns null if the deliveries must wait for their turn among all due ones. */
  #slotsForOpened({ deliveryIds }: Opened): Slots | null {
    if (this.#isBusy || this.#isClaiming || !this.#mayClaim()) return null;
    const slots = this.#slotsForClaim(TUNING.claimShare);
    return deliveryIds.length <= slots.free ? slots : null;
  }

  /** Runs one claim and starts sending. Returns true if more deliveries may be due. */
  async sendDue(): Promise<boolean> {
    const { workerClock, metrics, isStopping } = this.#deps;
    if (!workerClock.isTrusted()) throw new ClockUntrustedError();
    const checksWork = !this.#isBusy && this.#workChecks.isAvailable();
    if (checksWork && !(await this.#workChecks.spend(this.#hasWork))) return false;
    if (this.#deps.areClaimsHeld?.() === true) return false;
    if (this.#mayCheckLeases()) {
      const expired = await this.#leaseChecks.spend(() => expireLeases(this.#claimDeps()));
      metrics.leaseExpiries += expired;
      if (expired > 0) this.#hasPending = true;
      this.#leasesCheckedAtMs = this.#clock.monotonicMs();
    }
    if (checksWork && !this.#hasPending) return false;
    await waitForSlots({ clock: this.#clock, isStopping }, this.#limit);
    // The transaction that is claiming wakes this loop at its end.
    this.#isPostponed = this.#isClaiming;
    if (this.#isPostponed) return false;
    this.#isClaiming = true;
    try {
      return await this.#claimDue();
    } finally {
      this.#endClaim();
    }
  }

  async #claimDue(): Promise<boolean> {
    const slots = this.#slotsForClaim();
    if (slots.free <= 0) return false;
    this.#isBusy = false;
    const claim = await claimDue(this.#claimDeps(), slots, this.#cursor);
    this.#cursor = claim.cursor;
    this.#isBusy = claim.hasMore;
    return (await this.#startClaimed(claim)) && claim.hasMore;
  }

  #slotsForClaim(share?: number): Slots {
    return slotsForClaim(this.#limit.slots(), this.#attempts.size + this.#unstartedCount, share);
  }

  #mayClaim(): boolean {
    const { workerClock, areClaimsHeld, isStopping } = this.#deps;
    return workerClock.isTrusted() && areClaimsHeld?.() !== true && !isStopping();
  }

  #claimDeps(): ClaimDeps {
    const { engine, workerClock } = this.#deps;
    const dueEndpoints = this.#dueEndpoints;
    return { ...engine, clock: workerClock.strict, loadSecrets: this.#loadSecrets, dueEndpoints };
  }

  #endClaim(): void {
    this.#isClaiming = false;
    if (this.#isPostponed) this.#wake();
    this.#isPostponed = false;
  }

  /** Starts claimed deliveries, or releases them and returns false if the worker is stopping. */
  async #startClaimed(claim: ClaimResult): Promise<boolean> {
    const { engine, workerClock, metrics, isStopping } = this.#deps;
    if (isStopping()) {
      metrics.released += claim.deliveries.length;
      await releaseClaims({ ...engine, clock: workerClock.steady }, claim.deliveries);
      return false;
    }
    if (claim.deliveries.length > 0) this.#startAll(claim);
    return true;
  }

  #mayCheckLeases(): boolean {
    const elapsedMs = this.#clock.monotonicMs() - this.#leasesCheckedAtMs;
    return elapsedMs >= LEASE_CHECK_INTERVAL_MS && this.#leaseChecks.isAvailable();
  }

  /** Resolves when every claimed delivery has been started. */
  started(): Promise<void> {
    return this.#starting;
  }

  /** Resolves when every started attempt has been recorded. */
  async recorded(): Promise<void> {
    await Promise.all(this.#attempts);
  }

  /**
   * Gives up the attempts without an outcome. The receiver may have them, so they are recorded as
   * unknown, and sent again under their ids as soon as a worker runs.
   */
  async abandon(): Promise<void> {
    this.#isAbandoned = true;
    await interruptAttempts(this.#deps.engine, [...this.#sending]);
  }

  readonly #loadSecrets = (tx: Transaction, endpointIds: readonly string[]) => {
    const { cipher, workerClock } = this.#deps;
    return loadSigningSecrets({ db: tx, cipher }, endpointIds, workerClock.strict.now());
  };

  /**
   * Takes slots for all deliveries immediately, then starts their attempts a few at a time while
   * the next claim runs.
   */
  #startAll({ deliveries, secrets }: ClaimResult): void {
    for (const delivery of deliveries) this.#limit.acquire(delivery);
    this.#deps.metrics.inFlight = this.#limit.inFlight;
    this.#unstartedCount += deliveries.length;
    this.#starting = this.#starting.then(() =>
      startInTurns(deliveries, (delivery) => {
        this.#unstartedCount -= 1;
        this.#start(delivery, secrets.get(delivery.endpointId));
      }),
    );
  }

  #start(delivery: ClaimedDelivery, secrets: SigningSecrets | undefined): void {
    const { metrics } = this.#deps;
    if (delivery.isFirstAttempt) {
      observe(metrics.changeToPost, this.#clock.now() - delivery.changedAt);
    }
    const attempt = this.#attempt(delivery, secrets);
    this.#attempts.add(attempt);
    void attempt.finally(() => {
      this.#attempts.delete(attempt);
      // The result has been recorded, so the endpoint may get its next delivery for this symbol.
      this.#onCapacity();
    });
  }

  #onCapacity(): void {
    if (this.#hasPending) this.#deps.wake();
  }

  #wake(): void {
    this.#hasPending = true;
    this.#deps.wake();
  }

  async #attempt(delivery: ClaimedDelivery, secrets: SigningSecrets | undefined): Promise<void> {
    const { agent, brand, log, metrics, workerClock, areClaimsHeld, record } = this.#deps;
    const maySend = () => workerClock.isTrusted() && areClaimsHeld?.() !== true;
    const sending = { clock: this.#clock, agent, brand, maySend };
    this.#sending.add(delivery);
    const result = await sendDelivery(sending, delivery, secrets);
    if (this.#isAbandoned) return;
    this.#sending.delete(delivery);
    reportAttempt({ metrics, log }, result);
    // Frees the slot before the result is recorded, because the next attempt does not need to wait
    // for that.
    this.#limit.release(delivery);
    metrics.inFlight = this.#limit.inFlight;
    this.#onCapacity();
    await record(result);
    // The retry may be due, or those of an endpoint that has recovered.
    if (outcomeOf(result.outcome)?.kind !== 'delivered' || delivery.isSlow) this.#hasPending = true;
  }
}

/**
 * Starts items in order, a few per turn of the event loop, so that responses can be read in
 * between.
 */
export async function startInTurns<T>(
  items: readonly T[],
  start: (item: T) => void,
): Promise<void> {
  const { startsPerTurn } = TUNING;
  for (let first = 0; first < items.length; first += startsPerTurn) {
    if (first > 0) await new Promise((resolve) => setImmediate(resolve));
    for (const item of items.slice(first, first + startsPerTurn)) start(item);
  }
}
