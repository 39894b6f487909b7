import { loadTail, newestChangeId } from '../../datasets/changes/tail.ts';
import { HIDDEN_FIELDS } from '../../endpoints/rows/change-row.ts';
import { createBackoff } from '../../platform/backoff.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { throttle, type ThrottledTask } from '../../platform/throttle.ts';
import type { Queryable } from '../../storage/db.ts';
import { StreamedChange } from './change-event.ts';

const BATCH_MAX = 500;
/** Minimum interval between two reads while changes keep coming. */
const READ_INTERVAL_MS = 25;
const RETRY_MS = { minMs: 1_000, maxMs: 10_000 };

export interface ChangeTailDeps {
  db: Queryable;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  /** Receives all changes after the position `before`, in order. The position is already moved. */
  onChanges: (changes: readonly StreamedChange[], before: number) => void;
}

/**
 * The end of the change log, read once for all streams of the process. Reads nothing while no
 * stream is open.
 */
export class ChangeTail {
  readonly #deps: ChangeTailDeps;
  readonly #reading: ThrottledTask;
  readonly #backoff: ReturnType<typeof createBackoff>;
  #position: number | null = null;
  #starting: Promise<number> | null = null;
  #retry: Timer | null = null;

  constructor(deps: ChangeTailDeps) {
    const { clock, log } = deps;
    this.#deps = deps;
    this.#reading = throttle(clock, READ_INTERVAL_MS, () => this.#read());
    this.#backoff = createBackoff({
      clock,
      ...RETRY_MS,
      log: (failure) =>
        log.warn(
          { event: 'stream.read_failed', ...failure },
          'cannot read changes, streams are paused',
        ),
    });
  }

  /** Id of the last change that was passed on; null while no stream is open. */
  get position(): number | null {
    return this.#position;
  }

  /** Starts reading after the newest change, unless it has started, and returns the position. */
  follow(): Promise<number> {
    if (this.#position !== null) return Promise.resolve(this.#position);
    this.#starting ??= newestChangeId(this.#deps.db)
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
      this.#backoff.succeeded();
    } catch (error) {
      this.#retry?.cancel();
      this.#retry = this.#deps.clock.setTimer(this.#backoff.failed(error), () => this.wake());
    }
  }

  /** Returns true if more changes may follow. */
  async #readBatch(): Promise<boolean> {
    const afterId = this.#position;
    if (afterId === null) return false;
    const options = { hiddenFields: HIDDEN_FIELDS, limit: BATCH_MAX };
    const records = await loadTail(this.#deps.db, afterId, options);
    // Paused and started again meanwhile, from another position.
    if (this.#position !== afterId) return this.#position !== null;
    const last = records.at(-1);
    if (last === undefined) return false;
    this.#position = last.id;
    this.#deps.onChanges(
      records.map((record) => new StreamedChange(record)),
      afterId,
    );
    return records.length === BATCH_MAX;
  }
}
