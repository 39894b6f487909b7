import { writeGatheringBeat } from '../datasets/versions/gathering-beat.ts';
import { createBackoff } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../storage/db.ts';
import { hasPublication } from '../storage/cells/publication.ts';

const BEAT_MS = 1_000;
/** A store without cells looks for the first one this often. */
const LOOK_MS = 10_000;

/**
 * Writes a beat every second for the cells that follow this store. Several processes may do so at
 * the same time. Without cells, it only looks for some.
 */
export function startGatheringBeat(deps: { db: Db; clock: Clock; log: Log }): {
  stop(): Promise<void>;
} {
  const { db, clock, log } = deps;
  const stopping = new AbortController();
  const backoff = createBackoff({
    clock,
    minMs: BEAT_MS,
    maxMs: BEAT_MS,
    log: (fields) =>
      log.warn({ ...fields, event: 'cell.beat_failed' }, 'cells get no sign of life'),
  });
  let hasCells = false;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let waitMs = BEAT_MS;
      try {
        hasCells ||= await hasPublication(db);
        if (hasCells) await writeGatheringBeat(db, clock.now());
        else waitMs = LOOK_MS;
        backoff.succeeded();
      } catch (error) {
        waitMs = backoff.failed(error);
      }
      await clock.sleep(waitMs, stopping.signal);
    }
  }

  const running = db.engine === 'postgres' ? run() : Promise.resolve();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
