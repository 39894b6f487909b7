import type { Clock, Timer } from '../../platform/clock.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';

const MINUTE_MS = 60_000;
/** Whoever made a key and tries it looks soon whether that is seen. */
const WRITE_EVERY_MS = 5_000;
/** Rows of one statement. */
const BATCH_MAX = 5_000;

/** Remembers when keys were last used, to the minute. */
export interface KeyUse {
  /** Costs a look into a map; the store hears of it within seconds. */
  note(keyId: string, now: Instant): void;
  /** Writes what is not written yet, and writes no more by itself. */
  stop(): Promise<void>;
}

/**
 * Last use is written behind, each key at most once a minute: after a crash the last seconds of it
 * are missing, which nobody is promised.
 */
export function startKeyUse(deps: {
  db: Queryable;
  clock: Clock;
  log: { warn(fields: object, message: string): void };
}): KeyUse {
  const { db, clock, log } = deps;
  /** The minute each key was last seen in, of those seen since the last change of minute. */
  let seen = new Map<string, number>();
  let seenMinute = Math.floor(clock.now() / MINUTE_MS);
  let unwritten = new Map<string, number>();
  let writing: Promise<void> = Promise.resolve();
  let timer: Timer | null = schedule();

  function note(keyId: string, now: Instant): void {
    const minute = Math.floor(now / MINUTE_MS);
    if (seen.get(keyId) === minute) return;
    seen.set(keyId, minute);
    unwritten.set(keyId, minute);
  }

  function schedule(): Timer {
    return clock.setTimer(WRITE_EVERY_MS, () => void tick());
  }

  async function tick(): Promise<void> {
    const minute = Math.floor(clock.now() / MINUTE_MS);
    // Keys that are used no more are forgotten.
    if (minute !== seenMinute) seen = new Map(unwritten);
    seenMinute = minute;
    if (unwritten.size > 0) await flush();
    if (timer !== null) timer = schedule();
  }

  /** One after the other, so that who stops has waited for a write that was under way. */
  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  async function write(): Promise<void> {
    const batch = unwritten;
    unwritten = new Map();
    const entries = [...batch];
    try {
      for (let at = 0; at < entries.length; at += BATCH_MAX) {
        await writeKeyUse(db, entries.slice(at, at + BATCH_MAX));
      }
    } catch (error) {
      for (const [key, minute] of batch) if (!unwritten.has(key)) unwritten.set(key, minute);
      log.warn({ err: error }, 'the last use of keys could not be written; it is tried again');
    }
  }

  return {
    note,
    async stop() {
      timer?.cancel();
      timer = null;
      await flush();
    },
  };
}

async function writeKeyUse(db: Queryable, entries: readonly [string, number][]): Promise<void> {
  // Adds or moves forward one row a key, by the primary keys; keys that are gone are left out.
  await db.query(
    `insert into api_key_use (key_id, last_used_at)
     select use.id, to_timestamp(use.minute * 60)
       from unnest($1::text[], $2::text[]::float8[]) as use(id, minute)
       join api_key on api_key.id = use.id
     on conflict (key_id) do update
        set last_used_at = greatest(api_key_use.last_used_at, excluded.last_used_at)`,
    [entries.map(([id]) => id), entries.map(([, minute]) => String(minute))],
  );
}
