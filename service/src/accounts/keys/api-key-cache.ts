import type { Clock, Timer } from '../../platform/clock.ts';
import { createBackoff } from '../../platform/backoff.ts';
import type { Queryable } from '../../storage/db.ts';
import { loadPlans } from '../plans/plan-store.ts';
import type { ApiKey } from './api-key.ts';
import { createKeyMap } from './key-map.ts';
import { loadChangedKeys, loadRing, loadRingVersion } from './ring-store.ts';
import { createSharedPlans } from './shared-plans.ts';

/** Other processes see a new or revoked key within this time. */
const POLL_MS = 1_000;
const POLL_MS_MAX = 10_000;

/** The keys in memory: no request waits for the store. */
export interface KeyRing {
  /**
   * The key of that text. Null when the text is no key (its check is wrong: nothing is looked up),
   * is unknown, or was revoked. Expired, disabled and suspended keys are returned as such:
   * `keyRefusal` decides.
   */
  find(text: string): ApiKey | null;
}

export interface StoredKeyRing extends KeyRing {
  /** Learns at once what changed; call it after a change made in this process. */
  refresh(): Promise<void>;
  stop(): void;
}

/** A ring of fixed keys. */
export function keyRingOf(keys: Iterable<ApiKey>): KeyRing {
  const map = createKeyMap();
  map.put(keys);
  return map;
}

/**
 * The ring of a store: loaded before this resolves, then kept up by polling its version. A change
 * costs as many rows as changed, however many keys there are.
 */
export async function startKeyRing(deps: {
  db: Queryable;
  clock: Clock;
  log: { warn(fields: object, message: string): void };
}): Promise<StoredKeyRing> {
  const { db, clock, log } = deps;
  const plans = createSharedPlans();
  let map = createKeyMap();
  let loadedVersion = -1;
  let latest: Promise<void> = Promise.resolve();
  let timer: Timer | null = null;
  let stopped = false;
  const trouble = createBackoff({
    clock,
    minMs: POLL_MS,
    maxMs: POLL_MS_MAX,
    log: (facts) =>
      log.warn(facts, 'keys could not be read again; the last known ones stay in force'),
  });

  /** One after the other: a load sees everything that was committed before it was asked for. */
  function refresh(): Promise<void> {
    const next = latest.then(load, load);
    latest = next;
    return next;
  }

  async function load(): Promise<void> {
    // The version first: what changes between the reads is read again at the next poll.
    const { version, reloadVersion } = await loadRingVersion(db);
    if (version === loadedVersion) return;
    const changedPlans = plans.replace(await loadPlans(db));
    if (loadedVersion < reloadVersion || version < loadedVersion) {
      const loaded = createKeyMap();
      for await (const keys of loadRing(db, plans.of)) loaded.put(keys);
      map = loaded;
    } else {
      const keys = await loadChangedKeys(db, loadedVersion, plans.of);
      if (changedPlans.size > 0) map.replacePlans(changedPlans);
      map.put(keys);
    }
    loadedVersion = version;
  }

  async function poll(): Promise<void> {
    try {
      await refresh();
      trouble.succeeded();
      schedule(POLL_MS);
    } catch (error) {
      schedule(trouble.failed(error));
    }
  }

  function schedule(delayMs: number): void {
    if (!stopped) timer = clock.setTimer(delayMs, () => void poll());
  }

  await refresh();
  schedule(POLL_MS);
  return {
    find: (text) => map.find(text),
    refresh,
    stop: () => {
      stopped = true;
      timer?.cancel();
    },
  };
}
