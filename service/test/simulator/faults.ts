import { createSourceResponse } from '../../src/providers/source-response.ts';
import { enableEndpoint } from '../../src/webhooks/endpoint/endpoint-states.ts';
import type { Checks } from './checks.ts';
import type { SimulatedService } from './service.ts';
import type { Stage } from './stage.ts';
import { between, chance, pick } from './world/random-draws.ts';
import { STORE_FAULTS } from './world/faulty-db.ts';
import type { SimulatedProcess } from './world/process.ts';
import { MOODS } from './world/receiver.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

export interface Scene {
  stage: Stage;
  service: SimulatedService;
  checks: Checks;
  /** Probability that a day has a power cut. */
  powerCutsPerDay: number;
}

/** A fault to inject. Its effect may last long after the function returns. */
export type Fault = (scene: Scene) => Promise<void> | void;

export const FAULTS: Readonly<Record<string, Fault>> = {
  'process killed': ({ stage, service }) => {
    const { random, timeline } = stage;
    const victim = anyProcess(stage, service);
    victim?.kill();
    service.removeDead();
    timeline.at(between(random, SECOND, random.int(4) === 0 ? 5 * HOUR : 60 * SECOND), () => {
      void service.replaceMissing();
    });
  },
  'worker frozen': ({ stage, service }) => {
    const { random, timeline } = stage;
    const running = service.senders.filter(({ process }) => !process.isFrozen());
    if (running.length === 0) return;
    const { process } = pick(random, running);
    const longestMs = chance(random, 0.5) ? 300 * SECOND : 20 * HOUR;
    // Freezes the process while a post is in flight, when a freeze does the most harm.
    process.onNextPost = () => {
      stage.counts.add('worker frozen before the first byte');
      process.freeze();
      timeline.at(between(random, 30 * SECOND, longestMs), () => process.thaw());
    };
  },
  'ingester frozen, another one takes over': ({ stage, service }) => {
    const { random, timeline } = stage;
    const [old] = service.ingesters;
    if (old === undefined || service.ingesters.length > 1) return;
    old.process.freeze();
    service.startIngester();
    for (let at = 10; at <= 120; at += 10) {
      timeline.at(at * SECOND, () => {
        for (const { process } of service.ingesters) stage.wake(process.name);
      });
    }
    timeline.at(between(random, 60 * SECOND, 100 * SECOND), () => old.process.thaw());
    timeline.at(125 * SECOND, () => {
      old.process.kill();
      service.removeDead();
    });
  },
  'store fault': ({ stage, service }) => {
    const { random, timeline, counts } = stage;
    const process = anyProcess(stage, service);
    if (process === null) return;
    const anyFault = pick(random, STORE_FAULTS);
    // A statement rejected in the reader is a fault that the test injected, and 500 is the correct
    // response.
    const isReader = process === service.reader?.process;
    const fault = isReader && anyFault === 'statement-refused' ? 'store-away' : anyFault;
    process.faults.plan(fault, random.int(60));
    counts.add(`store: ${fault}`);
    timeline.at(between(random, 60 * SECOND, 4 * HOUR), () => {
      process.faults.clear();
      service.removeDead();
      void service.replaceMissing();
    });
  },
  'clock of the reader steps': ({ stage, service }) => {
    const { random, timeline } = stage;
    const { reader } = service;
    if (reader === null) return;
    const byMs = between(random, -26 * HOUR, 26 * HOUR);
    reader.process.stepClock(byMs);
    timeline.at(between(random, 60 * SECOND, 10 * HOUR), () => reader.process.stepClock(-byMs));
  },
  'clock of a worker steps': ({ stage, service }) => {
    const { random, timeline } = stage;
    if (service.senders.length === 0) return;
    const { process } = pick(random, service.senders);
    const byMs = between(random, -26 * HOUR, 26 * HOUR);
    process.stepClock(byMs);
    timeline.at(between(random, 60 * SECOND, 6 * HOUR), () => process.stepClock(-byMs));
  },
  'receiver changes its mood': ({ stage: { random, receivers } }) => {
    const receiver = pick(random, [...receivers.values()]);
    receiver.mood = chance(random, 0.05) ? 'gone' : pick(random, MOODS);
  },
  'owner enables': async ({ stage: { store, timeline, receivers }, checks }) => {
    const now = timeline.now();
    for (const receiver of receivers.values()) {
      const { endpointId } = receiver;
      const isNew = await store.transaction((tx) => enableEndpoint(tx, endpointId, now));
      if (!isNew) continue;
      receiver.mood = 'well';
      checks.schedule.allowEarly(endpointId);
    }
  },
  'source failing': ({ stage: { random, timeline, sources } }) => {
    const source = pick(random, sources);
    source.isFailing = true;
    timeline.at(between(random, HOUR, 60 * HOUR), () => {
      source.isFailing = false;
    });
  },
  'late response': async ({ stage: { random, timeline, sources }, service }) => {
    const source = pick(random, sources);
    const running = service.ingesters.filter(({ process }) => !process.isFrozen());
    if (source.validBodies.length === 0 || running.length === 0) return;
    const ageMs = chance(random, 0.5)
      ? between(random, 1, 10 * HOUR)
      : between(random, 30 * HOUR, 60 * HOUR);
    const response = createSourceResponse({
      url: `https://${source.provider.hosts[0] ?? ''}/calendar`,
      status: 200,
      contentType: 'application/json',
      observedAt: timeline.now() - ageMs,
      text: pick(random, source.validBodies),
    });
    void pick(random, running)
      .ingest(response)
      .catch(() => undefined);
    await Promise.resolve();
  },
};

/** Lets the pooler refuse calls for a while, lose its connections, or lose a prepared statement. */
export const injectPoolerFault: Fault = ({ stage, service }) => {
  const { random, timeline, pooler } = stage;
  const draw = random.int(5);
  if (draw < 2)
    return pooler?.refuse(between(random, SECOND, 600 * SECOND), pick(random, [0.3, 1]));
  if (draw < 4) return pooler?.crashAfter(random.int(60));
  const process = anyProcess(stage, service);
  // A statement rejected in the reader is a fault that the test injected.
  if (process === null || process === service.reader?.process) return;
  process.faults.plan('statement-unprepared', random.int(60));
  timeline.at(between(random, 60 * SECOND, 4 * HOUR), () => process.faults.clear());
};

/** Cuts the power, now or soon, and checks after the restart that no acknowledged work is lost. */
export const injectPowerCut: Fault = async ({ stage: { random, power }, checks }) => {
  if (power === null) return;
  // Records deliveries that have ended, which must not be open after the restart.
  await checks.deliveries.checkFinished();
  if (chance(random, 0.5)) power.cut();
  else power.cutAfter(random.int(60));
};

/** Ends all processes when the power is cut, and starts them again when it returns. */
export function followPower({ stage, service, checks }: Scene): void {
  const { random, timeline, counts, power } = stage;
  if (power === null) return;
  power.onCut = () => {
    counts.add('power cuts');
    service.killAll();
    timeline.at(between(random, 5 * SECOND, HOUR), () => void restart());
  };
  async function restart(): Promise<void> {
    await checks.acknowledged();
    await service.replaceMissing();
  }
}

function anyProcess({ random }: Stage, service: SimulatedService): SimulatedProcess | null {
  const reader = service.reader === null ? [] : [service.reader];
  const all = [...service.ingesters, ...service.senders, ...reader].map(({ process }) => process);
  return all.length === 0 ? null : pick(random, all);
}
