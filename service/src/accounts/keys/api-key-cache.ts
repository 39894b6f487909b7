import type { ReadLimits } from '../../domain/plan.ts';
import { createBackoff } from '../../platform/backoff.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Queryable } from '../../storage/db.ts';
import { whenWritten } from '../../storage/when-written.ts';
import { loadPlans, type PlanRow, toPlan } from '../plans/plan-store.ts';
import type { ApiKey } from './api-key.ts';
import { hashKey, isWellFormedKey } from './key-format.ts';
import { KEY_COLUMNS, KEY_TABLES, type KeyRow, toApiKey } from './key-store.ts';

/**
 * Polling intervals. Other processes see a new or revoked key within `min`, or within `max` after
 * the store has been failing.
 */
const POLL_MS = { min: 1_000, max: 10_000 };
/**
 * Maximum number of key texts whose hashes are remembered, so that a frequently used key is hashed
 * only once.
 */
const RECENT_MAX = 10_000;
/** Number of keys to load at once. Loading this many takes about 20 MB. */
const PAGE_ROWS = 20_000;

/** Keeps all keys in memory, so that no request waits for the store. */
export interface ApiKeyCache {
  /**
   * Returns the key with this text, or null if the text is malformed, unknown or revoked. The
   * checksum is verified first. Expired, disabled and suspended keys are returned; `keyRefusal`
   * rejects them.
   */
  find(text: string): ApiKey | null;
  /** Returns the present state of a key that was found before; null once it is revoked. */
  current(key: ApiKey): ApiKey | null;
}

export interface StoredApiKeyCache extends ApiKeyCache {
  /** Loads changes immediately. Call it after making a change in this process. */
  refresh(): Promise<void>;
  /** Makes the next refresh load all keys, after the store has lost its newest changes. */
  forget(): void;
  stop(): void;
}

interface CacheDeps {
  db: Queryable;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}

/** Returns a cache with a fixed set of keys. */
export function fixedApiKeyCache(keys: Iterable<ApiKey>): ApiKeyCache {
  const index = new KeyIndex();
  index.put(keys);
  return index;
}

/** Loads all keys from a store, then polls for changes. */
export async function startApiKeyCache(deps: CacheDeps): Promise<StoredApiKeyCache> {
  const cache = new PollingApiKeyCache(deps);
  await cache.refresh();
  cache.startPolling();
  return cache;
}

/**
 * Polls a single version number. After a change, only the changed rows are loaded, however many
 * keys exist.
 */
class PollingApiKeyCache implements StoredApiKeyCache {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #backoff: ReturnType<typeof createBackoff>;
  readonly #plans = new PlanPool();
  #index = new KeyIndex();
  readonly #hasChanged: () => Promise<boolean>;
  #newestVersion = { version: -1, reloadVersion: -1 };
  #loadedVersion = -1;
  #latestLoad: Promise<void> = Promise.resolve();
  #timer: Timer | null = null;
  #isStopped = false;

  constructor({ db, clock, log }: CacheDeps) {
    this.#db = db;
    // Reads the version before the keys, so that a change between the two reads is loaded again at
    // the next poll.
    this.#hasChanged = whenWritten(db, async () => {
      this.#newestVersion = await loadKeyVersion(db);
      return this.#newestVersion.version !== this.#loadedVersion;
    });
    this.#clock = clock;
    this.#backoff = createBackoff({
      clock,
      minMs: POLL_MS.min,
      maxMs: POLL_MS.max,
      log: (failure) =>
        log.warn(
          { event: 'key_cache.refresh_failed', ...failure },
          'API keys could not be refreshed; the last loaded keys stay valid',
        ),
    });
  }

  find(text: string): ApiKey | null {
    return this.#index.find(text);
  }

  current(key: ApiKey): ApiKey | null {
    return this.#index.current(key);
  }

  /** Loads run one at a time, so each sees everything committed before it was requested. */
  refresh(): Promise<void> {
    const load = () => this.#load();
    this.#latestLoad = this.#latestLoad.then(load, load);
    return this.#latestLoad;
  }

  forget(): void {
    this.#loadedVersion = -1;
  }

  startPolling(): void {
    this.#schedule(POLL_MS.min);
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  async #load(): Promise<void> {
    if (!(await this.#hasChanged())) return;
    const { version, reloadVersion } = this.#newestVersion;
    const loadedVersion = this.#loadedVersion;
    const changedPlans = this.#plans.replace(await loadPlans(this.#db));
    const planOf = (row: PlanRow) => this.#plans.planOf(row);
    if (loadedVersion < reloadVersion || version < loadedVersion) {
      const index = new KeyIndex();
      for await (const keys of loadAllKeys(this.#db, planOf)) index.put(keys);
      this.#index = index;
    } else {
      const keys = await loadChangedKeys(this.#db, loadedVersion, planOf);
      if (changedPlans.size > 0) this.#index.replacePlans(changedPlans);
      this.#index.put(keys);
    }
    this.#loadedVersion = version;
  }

  async #poll(): Promise<void> {
    try {
      await this.refresh();
      this.#backoff.succeeded();
      this.#schedule(POLL_MS.min);
    } catch (error) {
      this.#schedule(this.#backoff.failed(error));
    }
  }

  #schedule(delayMs: number): void {
    if (!this.#isStopped) this.#timer = this.#clock.setTimer(delayMs, () => void this.#poll());
  }
}

/**
 * Indexes keys by hash and remembers the texts of recently used keys. Key texts exist only in
 * memory.
 */
class KeyIndex implements ApiKeyCache {
  readonly #byHash = new Map<string, ApiKey>();
  readonly #recent = new Map<string, ApiKey>();

  find(text: string): ApiKey | null {
    const recent = this.#recent.get(text);
    if (recent !== undefined) return recent;
    if (!isWellFormedKey(text)) return null;
    const key = this.#byHash.get(hashKey(text));
    if (key === undefined) return null;
    if (this.#recent.size >= RECENT_MAX) this.#recent.clear();
    this.#recent.set(text, key);
    return key;
  }

  current({ hash }: ApiKey): ApiKey | null {
    return this.#byHash.get(hash) ?? null;
  }

  /** Adds or replaces keys, and removes revoked ones. */
  put(keys: Iterable<ApiKey>): void {
    for (const key of keys) {
      if (key.revokedAt === null) this.#byHash.set(key.hash, key);
      else this.#byHash.delete(key.hash);
    }
    this.#recent.clear();
  }

  /** Updates the plan of every key that is on one of the given plans. */
  replacePlans(plans: ReadonlyMap<string, ReadLimits>): void {
    for (const [hash, key] of this.#byHash) {
      const plan = plans.get(key.plan.name);
      if (plan !== undefined) this.#byHash.set(hash, { ...key, plan });
    }
    this.#recent.clear();
  }
}

/** Keeps one object per plan, which all keys on that plan share. */
class PlanPool {
  readonly #plans = new Map<string, ReadLimits>();

  /** Returns the plan in a row. Returns the pooled object instead if it is equal. */
  planOf(row: PlanRow): ReadLimits {
    const plan = toPlan(row);
    const pooled = this.#plans.get(plan.name);
    if (pooled === undefined) this.#plans.set(plan.name, plan);
    return pooled !== undefined && isSamePlan(pooled, plan) ? pooled : plan;
  }

  /** Replaces the plans and returns those that changed, keyed by name. */
  replace(plans: readonly ReadLimits[]): Map<string, ReadLimits> {
    const changedPlans = new Map<string, ReadLimits>();
    for (const plan of plans) {
      const pooled = this.#plans.get(plan.name);
      if (pooled !== undefined && isSamePlan(pooled, plan)) continue;
      this.#plans.set(plan.name, plan);
      changedPlans.set(plan.name, plan);
    }
    return changedPlans;
  }
}

function isSamePlan(left: ReadLimits, right: ReadLimits): boolean {
  return (
    left.perMinute === right.perMinute &&
    left.perDay === right.perDay &&
    left.perMonth === right.perMonth &&
    left.historyMonths === right.historyMonths &&
    left.computeMsPerMinute === right.computeMsPerMinute
  );
}

export interface KeyVersion {
  /** Increases with every change to a plan, customer or key. */
  version: number;
  /** Caches with an older version than this must reload all keys. */
  reloadVersion: number;
}

export async function loadKeyVersion(db: Queryable): Promise<KeyVersion> {
  // The table has a single row.
  const rows = await db.query<{ version: number; reload_version: number }>(
    'select version, reload_version from key_ring_version',
  );
  return { version: rows[0]?.version ?? 0, reloadVersion: rows[0]?.reload_version ?? 0 };
}

/** Yields all keys that are not revoked, in pages. */
async function* loadAllKeys(
  db: Queryable,
  planOf: (row: PlanRow) => ReadLimits,
): AsyncGenerator<ApiKey[]> {
  let lastId = '';
  for (;;) {
    // Returns one page of keys in primary key order. The page is materialized before the joins;
    // otherwise a store without statistics joins all remaining keys for every page.
    const rows = await db.query<KeyRow>(
      `with page as materialized (
         select id as page_id from api_key where id > $1 and revoked_at is null
          order by id limit ${PAGE_ROWS})
       select ${KEY_COLUMNS} from page join ${KEY_TABLES} on api_key.id = page_id
        order by page_id`,
      [lastId],
    );
    yield rows.map((row) => toApiKey(row, planOf));
    lastId = rows.at(-1)?.id ?? lastId;
    if (rows.length < PAGE_ROWS) return;
  }
}

/**
 * Returns the keys that have changed since the given version, or whose customer has, including
 * revoked keys.
 */
async function loadChangedKeys(
  db: Queryable,
  version: number,
  planOf: (row: PlanRow) => ReadLimits,
): Promise<ApiKey[]> {
  // Uses the version indexes of keys and customers.
  const rows = await db.query<KeyRow>(
    `select ${KEY_COLUMNS} from ${KEY_TABLES} where api_key.changed_version > $1
     union
     select ${KEY_COLUMNS} from ${KEY_TABLES} where customer.changed_version > $1`,
    [version],
  );
  return rows.map((row) => toApiKey(row, planOf));
}
