import { NOT_IN_FLIGHT } from '../../src/webhooks/queue/in-flight.ts';
import { newYorkDate } from '../../src/domain/new-york.ts';
import type { Instant } from '../../src/platform/instant.ts';
import { type Random, seededRandom } from '../../src/platform/random.ts';
import { type Accounts, addAccounts } from './world/customers.ts';
import { FIRST_DAY } from './world/companies.ts';
import { pick } from './world/random-draws.ts';
import { createCounts } from './world/counts.ts';
import type { InlineStore } from './world/inline-store.ts';
import { SimulatedPooler } from './world/pooler.ts';
import { PoweredStore } from './world/power.ts';
import { createProcess, type SimulatedProcess } from './world/process.ts';
import { createReceiver, type Receiver } from './world/receiver.ts';
import { createSource, type SimulatedSource, SOURCE_NAMES } from './world/source.ts';
import { createTimeline, type Timeline } from './world/timeline.ts';
import { StoreHistory } from './checks/store-history.ts';

/** Number of idle event loop turns after which the simulated world is considered idle. */
const IDLE_TURNS = 3;
/** Number of consecutive polls that may miss a due delivery before time advances anyway. */
const POLLS_MAX = 3;
const SKEW_MS = 5_000;
const VIOLATIONS_MAX = 50;

/** Parts of the world that a run may do without, as the first recorded seeds did. */
export type OptionalPart = 'pooler' | 'power cuts';

interface StageParts {
  random: Random;
  without: readonly OptionalPart[];
  timeline: Timeline;
  store: InlineStore;
  accounts: Accounts;
  inProgress: Map<object, SimulatedProcess>;
}

/** The world around the service: time, store, network, sources and receivers. */
export class Stage {
  readonly random: Random;
  readonly timeline: Timeline;
  readonly store: InlineStore;
  /** Null if the machine of the store never loses power. */
  readonly power: PoweredStore | null;
  /** Null if the processes are connected to the store directly. */
  readonly pooler: SimulatedPooler | null;
  readonly accounts: Accounts;
  readonly counts = createCounts();
  readonly sources: readonly SimulatedSource[];
  readonly receivers: ReadonlyMap<string, Receiver>;
  readonly history: StoreHistory;
  readonly violations: string[] = [];
  /** Names of the processes that poll for due deliveries. */
  readonly senders = new Set<string>();
  readonly #inProgress: Map<object, SimulatedProcess>;
  readonly #startAt: Instant;
  readonly #awake = new Set<string>();
  readonly #nextDueAt: () => Promise<number | null>;
  #recorded = { changeWrites: -1, day: '' };

  constructor({ random, timeline, store, accounts, inProgress, without }: StageParts) {
    this.random = random;
    this.timeline = timeline;
    this.store = store;
    this.accounts = accounts;
    this.#inProgress = inProgress;
    this.#startAt = timeline.now();
    const deps = { random, counts: this.counts, now: () => timeline.now() };
    this.power = without.includes('power cuts') ? null : new PoweredStore(store, deps);
    this.pooler = without.includes('pooler')
      ? null
      : new SimulatedPooler(this.power ?? store, deps);
    this.#nextDueAt = dueDeliveries(store);
    const report = (violation: string): void => this.report(violation);
    const history = new StoreHistory({ db: store, now: () => timeline.now() + SKEW_MS }, report);
    this.history = history;
    this.receivers = new Map(
      accounts.endpoints.map(({ id, url, secret }) => [
        url,
        createReceiver({ endpointId: id, secret }, random, report, (...args) =>
          history.checkOrder(...args),
        ),
      ]),
    );
    let count = 0;
    const nextCount = () => (count += 1);
    this.sources = SOURCE_NAMES.map((name) =>
      createSource(name, { timeline, random, counts: this.counts, nextCount }),
    );
  }

  report(violation: string): void {
    const at = new Date(this.timeline.now()).toISOString();
    if (this.violations.length < VIOLATIONS_MAX) this.violations.push(`${at}: ${violation}`);
  }

  /**
   * Tracks a process's work that also runs outside the store. Never resolves if the process dies.
   */
  async track<T>(process: SimulatedProcess, work: Promise<T>): Promise<T> {
    this.#inProgress.set(work, process);
    try {
      return await work;
    } finally {
      this.#inProgress.delete(work);
    }
  }

  /** Lets this process poll in the next step. */
  wake(owner: string): void {
    this.#awake.add(owner);
  }

  wakeIn(delayMs: number, owner: string): void {
    this.timeline.at(delayMs, () => this.#awake.add(owner));
  }

  /** Advances the simulated true time from one event to the next. */
  runFor(durationMs: number): Promise<void> {
    return this.runUntil(this.timeline.elapsedMs() + durationMs);
  }

  async runUntil(untilMs: number): Promise<void> {
    const { timeline } = this;
    let polls = 0;
    while (timeline.elapsedMs() < untilMs && this.violations.length === 0) {
      const exactMs = timeline.nextMs() ?? untilMs;
      const dueAt = await this.#nextDueAt();
      let dueMs = dueAt === null ? untilMs : dueAt - this.#startAt;
      if (dueMs <= timeline.elapsedMs()) {
        polls += 1;
        dueMs = polls <= POLLS_MAX ? (timeline.nextPollMs(this.senders) ?? untilMs) : untilMs;
      } else polls = 0;
      const nextMs = Math.min(exactMs, dueMs, untilMs);
      if (nextMs === dueMs) this.#wakeSenders();
      await this.#step(nextMs);
    }
  }

  async #step(toMs: number): Promise<void> {
    await this.timeline.moveTo(toMs, this.#awake);
    this.#awake.clear();
    const day = newYorkDate(this.timeline.now() + SKEW_MS);
    const { changeWrites, day: recordedDay } = this.#recorded;
    // Reads the store directly, since a process may die during a commit without reporting it.
    if (this.store.changeWrites() !== changeWrites || day !== recordedDay) {
      await this.history.record();
    }
    this.#recorded = { changeWrites: this.store.changeWrites(), day };
  }

  /** Wakes one sender or all senders. */
  #wakeSenders(): void {
    const names = [...this.senders];
    const areAllWoken = names.length < 2 || this.random.int(4) === 0;
    for (const name of areAllWoken ? names : [pick(this.random, names)]) this.#awake.add(name);
  }
}

export async function openStage(
  store: InlineStore,
  { seed, without }: { seed: number; without: readonly OptionalPart[] },
): Promise<Stage> {
  const random = seededRandom(seed);
  const inProgress = new Map<object, SimulatedProcess>();
  const startAt = Date.parse(`${FIRST_DAY}T12:00:00Z`) + random.int(1_000) * 86_400_000;
  const timeline = createTimeline(startAt, () => waitUntilIdle(store, inProgress));
  const { clock } = createProcess('set-up', { timeline, db: store });
  const accounts = await addAccounts({ db: store, clock, random });
  return new Stage({ random, timeline, store, accounts, inProgress, without });
}

async function waitUntilIdle(
  store: InlineStore,
  inProgress: ReadonlyMap<object, SimulatedProcess>,
): Promise<void> {
  for (let idle = 0; idle < IDLE_TURNS; idle += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (store.isBusy() || isWorking(inProgress)) idle = -1;
  }
}

function isWorking(inProgress: ReadonlyMap<object, SimulatedProcess>): boolean {
  for (const process of inProgress.values())
    if (process.isAlive() && !process.isFrozen()) return true;
  return false;
}

/**
 * Returns when the next delivery or lease is due. Queries again only after a delivery has changed.
 */
function dueDeliveries(store: InlineStore): () => Promise<number | null> {
  let queriedWrites = -1;
  let dueAt: number | null = null;
  return async () => {
    if (queriedWrites === store.deliveryWrites()) return dueAt;
    queriedWrites = store.deliveryWrites();
    const [row] = await store.query<{ at: number | null }>(
      `select least((select min(lease_until) from delivery_claim),
                    (select min(due_at) from delivery
                      where state in ('pending', 'retrying') and id ${NOT_IN_FLIGHT})) as at`,
    );
    dueAt = row?.at ?? null;
    return dueAt;
  };
}
