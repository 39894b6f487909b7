import { mayCrossEpoch } from '../../datasets/changes/epochs.ts';
import { loadTail, newestChangeId } from '../../datasets/changes/tail.ts';
import { HIDDEN_FIELDS } from '../../endpoints/rows/change-row.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import { throttle, type ThrottledTask } from '../../platform/throttle.ts';
import type { Queryable } from '../../storage/db.ts';
import { StreamedChange } from './change-event.ts';
import type { SharedReads } from './shared-reads.ts';

const BATCH_MAX = 500;
/** Minimum interval between two reads while changes keep coming. */
const READ_INTERVAL_MS = 25;

export interface ChangeTailDeps {
  db: Queryable;
  clock: Clock;
  reads: SharedReads;
  /** Receives all changes after the position `before`, in order. The position is already moved. */
  onChanges: (changes: readonly StreamedChange[], before: number) => void;
  /** Called if the store may have lost changes that were passed on. */
  onNewEpoch: () => void;
}

/**
 * The end of the change log, read once for all streams of the process. Reads nothing while no
 * stream is open.
 */
export class ChangeTail {
  readonly #deps: ChangeTailDeps;
  readonly #reading: ThrottledTask;
  #position: number | null = null;
  #starting: Promise<number> | null = null;
  #retry: Timer | null = null;

  constructor(deps: ChangeTailDeps) {
    this.#deps = deps;
    this.#reading = throttle(deps.clock, READ_INTERVAL_MS, () => this.#read());
  }

  /** Id of the last change that was passed on; null while no stream is open. */
  get position(): number | null {
    return this.#position;
  }

  /** Starts reading after the newest change, unless it has started, and returns the position. */
  follow(): Promise<number> {
    if (this.#position !== null) return Promise.resolve(this.#position);
    const { db, reads } = this.#deps;
    this.#starting ??= reads
      .run(() => newestChangeId(db))
      .then((id) => {
        const position = (this.#position ??= id);
        // A commit since the query may already have been announced.
        this.wake();
        return position;
      })
      .finally(() => (this.#starting = null));
    return this.#starting;
  }

  /** Stops reading until the next `follow`. */
  pause(): void {
    this.#position = null;
  }

  /** Reads the changes of a commit. Calls during a read cause one more. */
  wake(): void {
    if (this.#position !== null) this.#reading.trigger();
  }

  stop(): void {
    this.pause();
    this.#reading.stop();
    this.#retry?.cancel();
  }

  async #read(): Promise<void> {
    try {
      while (await this.#readBatch());
    } catch (error) {
      const { clock, reads } = this.#deps;
      this.#retry?.cancel();
      this.#retry = clock.setTimer(reads.failed(error), () => this.wake());
    }
  }

  /** Returns true if more changes may follow. */
  async #readBatch(): Promise<boolean> {
    const afterId = this.#position;
    if (afterId === null) return false;
    const options = { hiddenFields: HIDDEN_FIELDS, limit: BATCH_MAX };
    const { db, reads } = this.#deps;
    const records = await reads.run(() => loadTail(db, afterId, options));
    // Paused and started again meanwhile, from another position.
    if (this.#position !== afterId) return this.#position !== null;
    const last = records.at(-1);
    if (last === undefined) return false;
    // Clients reconnect with their position, which is then checked.
    if (mayCrossEpoch(afterId, last.id)) this.#deps.onNewEpoch();
    // Without an open stream, it has been paused.
    if (this.#position !== afterId) return false;
    this.#position = last.id;
    this.#deps.onChanges(
      records.map((record) => new StreamedChange(record)),
      afterId,
    );
    return records.length === BATCH_MAX;
  }
}
