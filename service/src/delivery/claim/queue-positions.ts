import type { Clock } from '../../platform/clock.ts';
import type { Instant } from '../../platform/instant.ts';
import { CostBudget } from '../../platform/cost-budget.ts';
import { TUNING } from '../tuning.ts';

/**
 * Remembers where each endpoint's pending deliveries begin in their index. Searches that start there
 * skip the entries of finished deliveries. VACUUM cannot remove these while any session holds a
 * snapshot, and a search from the start visits all of them.
 *
 * Positions are hints: a delivery may become due earlier, for example if another process has a slower
 * clock. It is found by the next full search, at most five seconds after the last one. Full searches
 * are frequent unless a snapshot is held.
 */
export class QueuePositions {
  readonly #fullSearches: CostBudget;
  readonly #dueFrom = new Map<string, Instant>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#fullSearches = new CostBudget(clock, TUNING.fullSearches);
  }

  /** Runs a search of all endpoints from their first index entry. */
  searchFully<T>(search: () => Promise<T>): Promise<T> {
    return this.#fullSearches.spend(search);
  }

  /** Returns true if a search must be limited to known endpoints, starting at their positions. */
  isLimited(): boolean {
    return this.#dueFrom.size > 0 && !this.#fullSearches.isAvailable();
  }

  /** Returns where the search for due deliveries starts, or null to start at the first entry. */
  dueFrom(endpointId: string): Instant | null {
    return this.#dueFrom.get(endpointId) ?? null;
  }

  knownEndpoints(): string[] {
    return [...this.#dueFrom.keys()];
  }

  /** Adds endpoints with deliveries created since a time, so that limited searches find these. */
  deliveriesOpened(endpointIds: readonly string[], since: Instant): void {
    for (const id of endpointIds) {
      const from = this.#dueFrom.get(id);
      if (from === undefined || from > since - TUNING.positionMarginMs) this.#setDue(id, since);
    }
  }

  /** Records the earliest due delivery of each endpoint in which a search found one. */
  found(endpoints: readonly { endpointId: string; dueAt: Instant }[]): void {
    for (const { endpointId, dueAt } of endpoints) this.#setDue(endpointId, dueAt);
  }

  #setDue(endpointId: string, dueAt: Instant): void {
    if (this.#dueFrom.size >= TUNING.positionsMax && !this.#dueFrom.has(endpointId)) {
      this.#dueFrom.clear();
    }
    // Allows for transactions that create deliveries and commit after the search.
    this.#dueFrom.set(endpointId, dueAt - TUNING.positionMarginMs);
  }
}
