import type { Plan } from '../../domain/plan.ts';
import type { ApiKey } from './api-key.ts';
import { hashKey, isWellFormedKey } from './key-format.ts';

/** Keys seen lately, by their text, so that a busy one is hashed once; texts stay in memory only. */
const RECENT_MAX = 10_000;

/** Keys by their hash. */
export interface KeyMap {
  find(text: string): ApiKey | null;
  /** Adds keys, in place of those of the same hash; revoked ones are taken out. */
  put(keys: Iterable<ApiKey>): void;
  /** Gives every key of a plan among these, by name, the plan as it is now. */
  replacePlans(plans: ReadonlyMap<string, Plan>): void;
}

export function createKeyMap(): KeyMap {
  const byHash = new Map<string, ApiKey>();
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

  function put(keys: Iterable<ApiKey>): void {
    for (const key of keys) {
      if (key.revokedAt === null) byHash.set(key.hash, key);
      else byHash.delete(key.hash);
    }
    recent.clear();
  }

  function replacePlans(plans: ReadonlyMap<string, Plan>): void {
    for (const [hash, key] of byHash) {
      const plan = plans.get(key.plan.name);
      if (plan !== undefined) byHash.set(hash, { ...key, plan });
    }
    recent.clear();
  }

  return { find, put, replacePlans };
}
