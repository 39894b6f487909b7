import { simulatedAgent } from './world/network.ts';
import { createProcess, type SimulatedProcess } from './world/process.ts';
import { between, pick } from './world/draws.ts';
import { type Gathering, startGatherer } from './parts/gatherer.ts';
import { type Reading, startReader } from './parts/reader.ts';
import { type Sending, startSender } from './parts/sender.ts';
import { joinAlways, type PlantedBug, resetByClock, withoutFence } from './planted-bugs.ts';
import type { Checks } from './checks.ts';
import type { Stage } from './stage.ts';

/** The processes of the service that currently run. */
export interface SimulatedService {
  gatherers: Gathering[];
  senders: Sending[];
  /** Null while no process serves reads. */
  reader: Reading | null;
  startGatherer(): void;
  startSender(): void;
  startReader(): Promise<void>;
  /** Removes dead processes from the lists. Call after any possible kill. */
  bury(): void;
}

/** Maximum error of a machine's wall clock while it counts as correct. */
const SKEW_MS = 2_000;

export function createService(
  stage: Stage,
  checks: Checks,
  bug: PlantedBug | null,
): SimulatedService {
  const { random, timeline, store, counts } = stage;
  let number = 0;

  function newProcess(kind: string, offsetMs = between(random, -SKEW_MS, SKEW_MS)) {
    number += 1;
    return createProcess(`${kind} ${number}`, { timeline, db: store, offsetMs });
  }

  function onCommit(): void {
    // A worker in the same process is notified immediately, others poll within a second.
    if (service.senders.length === 0) return;
    const { worker, process } = pick(random, service.senders);
    const isTold = random.int(2) === 0 && process.isAlive() && !process.isFrozen();
    if (isTold) worker.wake();
    else stage.wakeIn(1_000, process.name);
  }

  function openAgent(process: SimulatedProcess) {
    return simulatedAgent(process, {
      timeline,
      random,
      counts,
      receivers: stage.receivers,
      isFenced: bug !== 'no-fence',
      onPost: checks.schedule.onPost,
      onDelivered(id, endpointId) {
        checks.delivered.add(id);
        checks.schedule.excuse(endpointId);
      },
    });
  }

  const service: SimulatedService = {
    gatherers: [],
    senders: [],
    reader: null,
    startGatherer() {
      const process = newProcess('gatherer');
      const { track, sources } = stage;
      const onIngested = checks.rows.accepted;
      service.gatherers.push(
        startGatherer(process, {
          random,
          sources,
          onIngested,
          onCommit,
          track,
        }),
      );
      stage.wake(process.name);
    },
    startSender() {
      const process = newProcess('sender');
      const db = bug === 'no-fence' ? withoutFence(process.db) : process.db;
      const rule = bug === 'no-supersede' ? joinAlways : undefined;
      const { cipher } = stage.accounts;
      service.senders.push(
        startSender(process, {
          random,
          agent: openAgent(process),
          cipher,
          rule,
          db,
        }),
      );
      stage.senders.add(process.name);
      stage.wake(process.name);
    },
    async startReader() {
      const process = newProcess('reader', 0);
      const plantMeter = bug === 'quota-by-clock' ? resetByClock : undefined;
      service.reader = await startReader(process, {
        random,
        track: stage.track,
        plantMeter,
      });
    },
    bury() {
      for (const { process } of service.senders) {
        if (!process.isAlive()) stage.senders.delete(process.name);
      }
      service.gatherers = service.gatherers.filter(({ process }) => process.isAlive());
      service.senders = service.senders.filter(({ process }) => process.isAlive());
      if (service.reader?.process.isAlive() === false) {
        service.reader = null;
        checks.quotas.forgetMinutes();
      }
    },
  };
  return service;
}
