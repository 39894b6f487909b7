import { isStoreTrouble } from '../../src/storage/errors.ts';
import { SimulatedAgent } from './world/network.ts';
import { createProcess, type SimulatedProcess } from './world/process.ts';
import { between, pick } from './world/random-draws.ts';
import { type SimulatedIngester, startIngester } from './parts/ingester.ts';
import { type SimulatedReader, startReader } from './parts/reader.ts';
import { type SimulatedSender, startSender } from './parts/sender.ts';
import {
  joinAlways,
  type PlantedBug,
  resetByClock,
  throughSession,
  withoutFence,
} from './planted-bugs.ts';
import type { Checks } from './checks.ts';
import type { Stage } from './stage.ts';

/** Maximum error of a machine's wall clock that is still considered correct. */
const SKEW_MS = 2_000;
const RESTART_MS = 10_000;

/** The service's processes that are currently running. */
export class SimulatedService {
  ingesters: SimulatedIngester[] = [];
  senders: SimulatedSender[] = [];
  /** Null while no process serves reads. */
  reader: SimulatedReader | null = null;
  readonly #stage: Stage;
  readonly #checks: Checks;
  readonly #bug: PlantedBug | null;
  #processCount = 0;

  constructor(stage: Stage, checks: Checks, bug: PlantedBug | null) {
    this.#stage = stage;
    this.#checks = checks;
    this.#bug = bug;
  }

  startIngester(): void {
    const { random, sources } = this.#stage;
    const process = this.#newProcess('ingester');
    this.ingesters.push(
      startIngester(process, {
        random,
        sources,
        onIngested: (response) => this.#checks.rows.addIngested(response),
        onCommit: () => this.#onCommit(),
        track: (owner, work) => this.#stage.track(owner, work),
      }),
    );
    this.#stage.wake(process.name);
  }

  startSender(): void {
    const { random, accounts, senders } = this.#stage;
    const process = this.#newProcess('sender');
    this.senders.push(
      startSender(process, {
        random,
        agent: this.#openAgent(process),
        cipher: accounts.cipher,
        rule: this.#bug === 'no-supersede' ? joinAlways : undefined,
        db: this.#bug === 'no-fence' ? withoutFence(process.db) : process.db,
      }),
    );
    senders.add(process.name);
    this.#stage.wake(process.name);
  }

  async startReader(): Promise<void> {
    const process = this.#newProcess('reader', 0);
    const starting = startReader(process, {
      random: this.#stage.random,
      track: (owner, work) => this.#stage.track(owner, work),
      plantMeter: this.#bug === 'quota-by-clock' ? resetByClock : undefined,
      db: this.#bug === 'session-state' ? throughSession(process.db) : undefined,
    });
    this.reader = await starting.catch((error: unknown) => {
      if (!isStoreTrouble(error)) throw error;
      // The process exits and is started again, as by systemd.
      process.kill();
      this.#stage.timeline.at(RESTART_MS, () => void this.replaceMissing());
      return null;
    });
  }

  /** Restarts the missing processes of each kind. */
  async replaceMissing(): Promise<void> {
    this.removeDead();
    if (this.ingesters.length === 0) this.startIngester();
    while (this.senders.length < 2) this.startSender();
    if (this.reader === null) await this.startReader();
  }

  /** Ends all processes at once, as a power failure does. */
  killAll(): void {
    for (const { process } of [...this.ingesters, ...this.senders]) process.kill();
    this.reader?.process.kill();
    this.removeDead();
  }

  /** Removes dead processes from the lists. Call it after any possible kill. */
  removeDead(): void {
    for (const { process } of this.senders) {
      if (!process.isAlive()) this.#stage.senders.delete(process.name);
    }
    this.ingesters = this.ingesters.filter(({ process }) => process.isAlive());
    this.senders = this.senders.filter(({ process }) => process.isAlive());
    if (this.reader?.process.isAlive() === false) {
      this.reader = null;
      this.#checks.quotas.forgetMinutes();
    }
  }

  #newProcess(
    kind: string,
    offsetMs = between(this.#stage.random, -SKEW_MS, SKEW_MS),
  ): SimulatedProcess {
    const { timeline, store, power, pooler } = this.#stage;
    this.#processCount += 1;
    const db = pooler ?? power ?? store;
    return createProcess(`${kind} ${this.#processCount}`, { timeline, db, offsetMs });
  }

  #onCommit(): void {
    const { random } = this.#stage;
    // A worker in the same process is notified immediately. Other workers poll within a second.
    if (this.senders.length === 0) return;
    const { worker, process } = pick(random, this.senders);
    const isNotified = random.int(2) === 0 && process.isAlive() && !process.isFrozen();
    if (isNotified) worker.wake();
    else this.#stage.wakeIn(1_000, process.name);
  }

  #openAgent(process: SimulatedProcess): SimulatedAgent {
    const { timeline, random, counts, receivers } = this.#stage;
    const { schedule, delivered } = this.#checks;
    return new SimulatedAgent(process, {
      timeline,
      random,
      counts,
      receivers,
      isFenced: this.#bug !== 'no-fence',
      onPost: schedule.onPost,
      onDelivered(id, endpointId) {
        delivered.add(id);
        schedule.allowEarly(endpointId);
      },
    });
  }
}
