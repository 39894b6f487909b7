import { Batcher } from '../../platform/batcher.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Log } from '../../platform/log.ts';
import type { Queryable } from '../../storage/db.ts';
import { Recordset, sql, statement } from '../../storage/sql.ts';

const MINUTE_MS = 60_000;
/**
 * Delay before key uses are written. It is short because people who create a key and use it soon
 * expect to see its last use.
 */
const WRITE_DELAY_MS = 5_000;
const BATCH_SIZE_MAX = 5_000;

interface KeyUseDeps {
  db: Queryable;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}

/** Records when keys were last used, to the minute. */
export interface KeyUseRecorder {
  /** Records a use in memory; the store is updated within seconds. */
  record(keyId: string, now: Instant): void;
  /** Writes all pending uses to the store. */
  stop(): Promise<void>;
}

export function startKeyUseRecorder(deps: KeyUseDeps): KeyUseRecorder {
  return new BatchedKeyUseRecorder(deps);
}

/**
 * Writes key uses in the background, at most once a minute per key. A crash loses the uses of the
 * last few seconds, which is acceptable because nothing relies on them.
 */
class BatchedKeyUseRecorder implements KeyUseRecorder {
  readonly #db: Queryable;
  readonly #batcher: Batcher<string>;
  /** Minute of the last use by key id, for keys used in the current minute. */
  #latest = new Map<string, number>();
  #minute = 0;
  /** Minute to write by key id, for keys waiting in the batcher. */
  readonly #unwritten = new Map<string, number>();

  constructor({ db, clock, log }: KeyUseDeps) {
    this.#db = db;
    this.#batcher = new Batcher({
      clock,
      run: (keyIds) => this.#write(keyIds),
      maxSize: BATCH_SIZE_MAX,
      maxWaitMs: WRITE_DELAY_MS,
      retry: { minMs: WRITE_DELAY_MS, maxMs: MINUTE_MS },
      onError: (failure) =>
        log.warn(
          { event: 'api_key.use_write_failed', ...failure },
          'the last use of keys could not be written, retrying',
        ),
    });
  }

  record(keyId: string, now: Instant): void {
    const minute = Math.floor(now / MINUTE_MS);
    if (this.#latest.get(keyId) === minute) return;
    // Drop keys that are no longer in use.
    if (minute !== this.#minute) this.#latest.clear();
    this.#minute = minute;
    this.#latest.set(keyId, minute);
    const isPending = this.#unwritten.has(keyId);
    this.#unwritten.set(keyId, minute);
    if (!isPending) this.#batcher.push(keyId);
  }

  stop(): Promise<void> {
    return this.#batcher.stop();
  }

  async #write(keyIds: readonly string[]): Promise<void> {
    const rows = keyIds.map((id) => ({ id, minute: this.#unwritten.get(id) ?? 0 }));
    await writeKeyUse(this.#db, rows);
    for (const { id, minute } of rows) {
      // Write the key again if it was used in a later minute during this write.
      if (this.#unwritten.get(id) === minute) this.#unwritten.delete(id);
      else this.#batcher.push(id);
    }
  }
}

async function writeKeyUse(
  db: Queryable,
  rows: readonly { id: string; minute: number }[],
): Promise<void> {
  const uses = new Recordset({ id: 'text', minute: 'float8' }, rows);
  // Inserts one row per key or moves its time forward, and skips deleted keys.
  await db.query(
    ...statement(sql`
    insert into api_key_use (key_id, last_used_at)
    select use.id, to_timestamp(use.minute * 60)
      from ${uses.as('use')}
      join api_key on api_key.id = use.id
    on conflict (key_id) do update
       set last_used_at = greatest(api_key_use.last_used_at, excluded.last_used_at)`),
  );
}
