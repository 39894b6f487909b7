import type { Clock } from '../../platform/clock.ts';

/** So many claims at most until every endpoint with due work had its turn, where that is possible. */
export const CLAIMS_PER_ROUND = 4;
const AGE_MS_MAX = 250;

/**
 * What a look for endpoints with due work found, kept for the claims of a round: to look through all of
 * them at each claim cost a tenth of what its deliveries cost the store. What became due since has its
 * turn in the next round, at most a quarter of a second later. What is claimed is asked of the store
 * under locks in any case.
 */
export interface DueEndpointCache<T> {
  /** Null: look again. */
  get(): T | null;
  set(found: T): void;
  /** Something became due, or what was found did not fill a claim. */
  clear(): void;
}

export function createDueEndpointCache<T>(clock: Clock): DueEndpointCache<T> {
  let kept: { found: T; untilMs: number; uses: number } | null = null;
  return {
    get() {
      if (kept === null) return null;
      if (kept.uses === 0 || clock.monotonicMs() >= kept.untilMs) return null;
      kept.uses -= 1;
      return kept.found;
    },
    set(found) {
      // The claim that looks is the first of the round.
      kept = { found, untilMs: clock.monotonicMs() + AGE_MS_MAX, uses: CLAIMS_PER_ROUND - 1 };
    },
    clear() {
      kept = null;
    },
  };
}
