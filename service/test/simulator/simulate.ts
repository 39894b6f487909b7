import { type Checks, createChecks } from './checks.ts';
import type { PlantedBug } from './planted-bugs.ts';
import { SimulatedService } from './service.ts';
import { openStage, type OptionalPart, type Stage } from './stage.ts';
import {
  type Fault,
  type Scene,
  FAULTS,
  followPower,
  injectPoolerFault,
  injectPowerCut,
} from './faults.ts';
import { resultUnlessDead } from './world/process.ts';
import { between, chance, pick } from './world/random-draws.ts';
import type { InlineStore } from './world/inline-store.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Times of scheduled ingestion, relative to noon UTC. */
const INGESTED_AT = [14.2 * HOUR, 22.5 * HOUR];

export interface Simulation {
  seed: number;
  days: number;
  /** Broken rules as sentences with the simulated time. Empty if no rule was broken. */
  violations: string[];
  /** Number of events by kind. */
  counts: Record<string, number>;
}

/** Runs the service for this many days on an empty store, or until a check fails. */
export async function simulate(
  store: InlineStore,
  options: {
    seed: number;
    days: number;
    bug?: PlantedBug | null;
    without?: readonly OptionalPart[] | undefined;
  },
): Promise<Simulation> {
  const { seed, days, bug = null, without = [] } = options;
  const stage = await openStage(store, { seed, without });
  const checks = createChecks(stage);
  const service = new SimulatedService(stage, checks, bug);
  const powerCutsPerDay = bug === 'sync-off' ? 0.8 : 0.15;
  const scene = { stage, service, checks, powerCutsPerDay };
  followPower(scene);
  if (bug === 'sync-off') store.stopSyncing();
  await service.replaceMissing();
  let day = 0;
  for (; day < days && stage.violations.length === 0; day += 1) await runDay(scene, day * DAY);
  const counts = { ...stage.counts.all(), ...figuresOf(checks) };
  return { seed, days: day, violations: stage.violations, counts };
}

async function runDay(scene: Scene, startMs: number): Promise<void> {
  const { stage } = scene;
  const events = planDay(scene).toSorted((a, b) => a.atMs - b.atMs);
  for (const { atMs, run } of events) {
    await stage.runUntil(startMs + atMs);
    if (stage.violations.length > 0) return;
    await run();
  }
  await stage.runUntil(startMs + DAY);
}

/** Some faults are drawn more often, since they only matter in combination. */
const WEIGHTED_FAULTS = Object.entries(FAULTS).flatMap((entry) =>
  ['worker frozen', 'receiver changes its mood'].includes(entry[0])
    ? [entry, entry, entry]
    : [entry],
);

const POOLER_FAULTS_PER_DAY = 0.6;

interface Event {
  atMs: number;
  run(): Promise<void> | void;
}

function planDay(scene: Scene): Event[] {
  const { stage, service } = scene;
  const { random } = stage;
  const anyTime = (): number => random.int(DAY - 10 * MINUTE);
  const events: Event[] = INGESTED_AT.map((atMs) => ({
    atMs: atMs + random.int(20 * MINUTE),
    run: () => ingest(service, stage),
  }));
  for (const { atMs } of events.slice()) {
    events.push({ atMs: atMs + 2 * MINUTE, run: () => check(scene) });
  }
  const faultCount = random.int(4) + random.int(2);
  const addFault = ([name, injectFault]: readonly [string, Fault]): void => {
    // Most faults occur close to other events, and the rest at any time.
    const atMs = chance(random, 0.6)
      ? pick(random, events).atMs + random.int(3 * MINUTE)
      : anyTime();
    const run = async (): Promise<void> => {
      stage.counts.add(`fault: ${name}`);
      await injectFault(scene);
    };
    events.push({ atMs, run });
  };
  for (let n = 0; n < faultCount; n += 1) addFault(pick(random, WEIGHTED_FAULTS));
  if (stage.pooler !== null && chance(random, POOLER_FAULTS_PER_DAY)) {
    addFault(['pooler', injectPoolerFault]);
  }
  events.push({ atMs: anyTime(), run: () => request(scene) });
  // Midnight in New York is at 04:00 or 05:00 UTC.
  const midnightMs = (random.int(2) === 0 ? 16 : 17) * HOUR;
  events.push({ atMs: midnightMs - random.int(30) * SECOND, run: () => request(scene) });
  if (stage.power !== null && chance(random, scene.powerCutsPerDay)) {
    const atMs = pick(random, events).atMs + random.int(20 * SECOND);
    events.push({ atMs, run: () => injectPowerCut(scene) });
  }
  return events;
}

function ingest(service: SimulatedService, stage: Stage): void {
  for (const { process } of service.ingesters) stage.wake(process.name);
  stage.wakeIn(0, service.ingesters[0]?.process.name ?? '');
}

/** Sends one customer's requests, sometimes in a burst. */
async function request({ stage, service, checks }: Scene): Promise<void> {
  const { random, timeline, accounts } = stage;
  const customer = pick(random, accounts.customers.slice(1));
  const rounds = between(random, 1, 4);
  for (let round = 0; round < rounds; round += 1) {
    const { reader } = service;
    if (reader === null) return;
    const { process } = reader;
    for (let n = between(random, 1, 7); n > 0 && process.isAlive(); n -= 1) {
      const at = { wallMs: process.clock.now(), ms: timeline.elapsedMs() };
      const response = reader.get('/v1/market-holidays', customer.key);
      const outcome = await resultUnlessDead(response, process);
      checks.quotas.add(customer, outcome, at);
    }
    service.removeDead();
    await stage.runFor(between(random, SECOND, 40 * SECOND));
  }
}

/** Lets every process poll twice, then runs all checks. */
async function check({ stage, service, checks }: Scene): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    const all = [...service.senders, ...(service.reader === null ? [] : [service.reader])];
    for (const { process } of all) stage.wakeIn(1_000, process.name);
    await stage.runFor(1_001);
  }
  service.removeDead();
  if (stage.violations.length === 0) await checks.all(service);
}

function figuresOf(checks: Checks): Record<string, number> {
  const prefixed = (prefix: string, counts: Record<string, number>) =>
    Object.fromEntries(Object.entries(counts).map(([name, n]) => [`${prefix}: ${name}`, n]));
  return {
    ...prefixed('delivery', checks.deliveries.countByState()),
    ...prefixed('request', checks.quotas.counted()),
    'ledger: rows ingested': checks.rows.count(),
    'ledger: changes': checks.changes.count(),
    'ledger: responses compared': checks.responses.count(),
    'ledger: full checks': checks.count(),
  };
}
