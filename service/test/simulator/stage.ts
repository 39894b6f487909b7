import { newYorkDate } from '../../src/domain/new-york.ts';
import { type Random, seededRandom } from '../../src/platform/random.ts';
import { type Accounts, addAccounts } from './world/customers.ts';
import { FIRST_DAY } from './world/companies.ts';
import { pick } from './world/draws.ts';
import { type Counts, createCounts } from './world/counts.ts';
import type { InlineStore } from './world/inline-store.ts';
import { createProcess, type SimulatedProcess } from './world/process.ts';
import { createReceiver, type Receiver } from './world/receiver.ts';
import { createSource, type SimulatedSource, SOURCE_NAMES } from './world/source.ts';
import { createTimeline, type Timeline } from './world/timeline.ts';
import { createStates, type States } from './checks/order.ts';

/** Idle turns of the event loop after which the world counts as idle. */
const IDLE_TURNS = 3;
/** Number of consecutive polls that may miss a due delivery before time advances anyway. */
const LOOKS_MAX = 3;

/** The world around the service: time, store, network, sources, receivers. */
export interface Stage {
  random: Random;
  timeline: Timeline;
  store: InlineStore;
  counts: Counts;
  sources: SimulatedSource[];
  accounts: Accounts;
  receivers: Map<string, Receiver>;
  states: States;
  wrong: string[];
  report(wrong: string): void;
  /** Tracks work of a process that also runs outside the store. Never ends if the process dies. */
  track<T>(process: SimulatedProcess, work: Promise<T>): Promise<T>;
  /** Lets this owner poll at the next step, or after the delay. */
  wake(owner: string): void;
  wakeIn(delayMs: number, owner: string): void;
  /** Names of the processes that poll for due deliveries. */
  senders: Set<string>;
  /** Advances the true time, from event to event. */
  runFor(durationMs: number): Promise<void>;
  runUntil(elapsedMs: number): Promise<void>;
}

export async function openStage(store: InlineStore, seed: number): Promise<Stage> {
  const random = seededRandom(seed);
  const work = { underWay: new Map<object, SimulatedProcess>(), noted: -1, day: '' };
  const startAt = Date.parse(`${FIRST_DAY}T12:00:00Z`) + random.int(1_000) * 86_400_000;
  const timeline = createTimeline(startAt, () => settle(store, work.underWay));
  const counts = createCounts();
  const wrong: string[] = [];
  const report = (sentence: string): void => {
    const at = new Date(timeline.now()).toISOString();
    if (wrong.length < 50) wrong.push(`${at}: ${sentence}`);
  };
  const states = createStates({ db: store, now: () => timeline.now() + 5_000 }, report);
  const setUp = createProcess('set-up', { timeline, db: store });
  const accounts = await addAccounts({ db: store, clock: setUp.clock, random });
  const receivers = new Map(
    accounts.endpoints.map(({ id, url, secret }) => [
      url,
      createReceiver({ endpointId: id, secret }, random, report, states.onFirst),
    ]),
  );
  let count = 0;
  const nextCount = () => (count += 1);
  const sources = SOURCE_NAMES.map((name) =>
    createSource(name, { timeline, random, counts, nextCount }),
  );
  const awake = new Set<string>();
  const senders = new Set<string>();
  const due = dueWork(store);

  async function step(toMs: number): Promise<void> {
    await timeline.moveTo(toMs, awake);
    awake.clear();
    const today = newYorkDate(timeline.now() + 5_000);
    // Reads the store, since a process may die in a commit without reporting it.
    if (store.changeWrites() !== work.noted || today !== work.day) await states.note();
    work.noted = store.changeWrites();
    work.day = today;
  }

  /** Wakes one sender or all of them. */
  function wakeSenders(): void {
    const names = [...senders];
    const woken = names.length < 2 || random.int(4) === 0 ? names : [pick(random, names)];
    for (const name of woken) awake.add(name);
  }

  async function runUntil(untilMs: number): Promise<void> {
    let looks = 0;
    while (timeline.elapsedMs() < untilMs && wrong.length === 0) {
      const exactMs = timeline.nextMs() ?? untilMs;
      const workAt = await due();
      let workMs = workAt === null ? untilMs : workAt - startAt;
      if (workMs <= timeline.elapsedMs()) {
        looks += 1;
        workMs = looks <= LOOKS_MAX ? (timeline.nextLookMs(senders) ?? untilMs) : untilMs;
      } else looks = 0;
      const nextMs = Math.min(exactMs, workMs, untilMs);
      if (nextMs === workMs) wakeSenders();
      await step(nextMs);
    }
  }

  return {
    random,
    timeline,
    store,
    counts,
    sources,
    accounts,
    receivers,
    states,
    wrong,
    report,
    async track(process, promise) {
      work.underWay.set(promise, process);
      try {
        return await promise;
      } finally {
        work.underWay.delete(promise);
      }
    },
    wake: (owner) => void awake.add(owner),
    wakeIn: (delayMs, owner) => void timeline.at(delayMs, () => awake.add(owner)),
    senders,
    runFor: (durationMs) => runUntil(timeline.elapsedMs() + durationMs),
    runUntil,
  };
}

async function settle(
  store: InlineStore,
  underWay: ReadonlyMap<object, SimulatedProcess>,
): Promise<void> {
  for (let idle = 0; idle < IDLE_TURNS; idle += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (store.isBusy() || isWorking(underWay)) idle = -1;
  }
}

function isWorking(underWay: ReadonlyMap<object, SimulatedProcess>): boolean {
  for (const process of underWay.values())
    if (process.isAlive() && !process.isFrozen()) return true;
  return false;
}

/** When the next delivery or lease is due. Queries again only after a delivery changed. */
function dueWork(store: InlineStore): () => Promise<number | null> {
  let askedAt = -1;
  let dueAt: number | null = null;
  return async () => {
    if (askedAt === store.deliveryWrites()) return dueAt;
    askedAt = store.deliveryWrites();
    const [row] = await store.query<{ at: number | null }>(
      `select min(case when state = 'in_progress' then lease_until else due_at end) as at
         from delivery where state in ('in_progress', 'pending', 'retrying')`,
    );
    dueAt = row?.at ?? null;
    return dueAt;
  };
}
