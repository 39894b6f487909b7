import type { Clock, Timer } from '../../platform/clock.ts';
import type { Queryable } from '../../storage/db.ts';
import type { ApiKey } from './api-key.ts';
import { hashKey, isWellFormedKey } from './key-format.ts';
import { loadKeyRingVersion, loadKeys } from './key-store.ts';

/** Other processes see a new or revoked key within this time. */
const POLL_MS = 1_000;
/** Keys seen lately, by their text, so that a busy one is hashed once; texts stay in memory only. */
const RECENT_MAX = 10_000;

/** The keys in memory: no request waits for the store. */
export interface KeyRing {
  /**
   * The key of that text. Null when the text is no key (its check is wrong: nothing is looked up),
   * is unknown, or was revoked. Expired, disabled and suspended keys are returned as such.
   */
  find(text: string): ApiKey | null;
}

export interface StoredKeyRing extends KeyRing {
  /** Loads again at once; call it after a change made in this process. */
  refresh(): Promise<void>;
  stop(): void;
}

/** A ring of fixed keys. */
export function keyRingOf(keys: Iterable<ApiKey>): KeyRing {
  const byHash = new Map<string, ApiKey>();
  for (const key of keys) if (key.revokedAt === null) byHash.set(key.hash, key);
  const recent = new Map<string, ApiKey>();

  function find(text: string): ApiKey | null {
    const known = recent.get(text);
    if (known !== undefined) return known;
    if (!isWellFormedKey(text)) return null;
    const key = byHash.get(hashKey(text));
    if (key === undefined) return null;
    if (recent.size >= RECENT_MAX) recent.clear();
    recent.set(text, key);
    return key;
  }
  return { find };
}

/** The ring of a store: loaded before this resolves, then kept up by polling its version. */
export async function startKeyRing(deps: {
  db: Queryable;
  clock: Clock;
  log: { warn(fields: object, message: string): void };
}): Promise<StoredKeyRing> {
  const { db, clock, log } = deps;
  let ring = keyRingOf([]);
  let loadedVersion = -1;
  let timer: Timer | null = null;
  let stopped = false;

  async function refresh(): Promise<void> {
    // The version first: keys that change between the two reads are loaded again at the next poll.
    const version = await loadKeyRingVersion(db);
    if (version <= loadedVersion) return;
    const loaded = keyRingOf(await loadKeys(db));
    if (version <= loadedVersion) return;
    ring = loaded;
    loadedVersion = version;
  }

  async function poll(): Promise<void> {
    try {
      await refresh();
    } catch (error) {
      log.warn({ err: error }, 'keys could not be read again; the last known ones stay in force');
    }
    schedule();
  }

  function schedule(): void {
    if (!stopped) timer = clock.setTimer(POLL_MS, () => void poll());
  }

  await refresh();
  schedule();
  return {
    find: (text) => ring.find(text),
    refresh,
    stop: () => {
      stopped = true;
      timer?.cancel();
    },
  };
}
