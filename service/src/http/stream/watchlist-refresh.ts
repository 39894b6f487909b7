import { changeFilterOf } from '../../endpoints/rows/change-query.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Queryable } from '../../storage/db.ts';
import { expandWatchlists } from '../request/expand-watchlists.ts';
import type { ResolvedQuery } from '../response/resolved-query.ts';
import type { ChangeStream } from './change-stream.ts';

/** A list is read again no sooner than this, and later if many are in use. */
const REFRESH_MS = 5_000;
const READS_PER_REFRESH = 20;

interface Subscription {
  streams: Set<ChangeStream>;
  query: ResolvedQuery;
  customerId: string;
  refreshedAtMs: number;
}

/**
 * Reads the watchlists of open streams again, so that a changed list applies to them. Streams with
 * the same lists share a read.
 */
export class WatchlistRefresh {
  readonly #db: Queryable;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #keys = new Map<ChangeStream, string>();
  #isRunning = false;

  constructor(db: Queryable, clock: Pick<Clock, 'monotonicMs'>) {
    this.#db = db;
    this.#clock = clock;
  }

  /** `query` names the watchlists, which have just been read. */
  add(stream: ChangeStream, query: ResolvedQuery, customerId: string): void {
    const key = `${customerId} ${query.location}`;
    const subscription = this.#subscriptions.get(key) ?? {
      streams: new Set(),
      query,
      customerId,
      refreshedAtMs: this.#clock.monotonicMs(),
    };
    subscription.streams.add(stream);
    this.#subscriptions.set(key, subscription);
    this.#keys.set(stream, key);
  }

  delete(stream: ChangeStream): void {
    const key = this.#keys.get(stream);
    if (key === undefined) return;
    this.#keys.delete(stream);
    const subscription = this.#subscriptions.get(key);
    subscription?.streams.delete(stream);
    if (subscription?.streams.size === 0) this.#subscriptions.delete(key);
  }

  /** Reads the lists that were read the longest ago. Never rejects; failures are retried. */
  async refresh(onFailed: (error: unknown) => void): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      const dueMs = this.#clock.monotonicMs() - REFRESH_MS;
      const due = [...this.#subscriptions]
        .filter(([, { refreshedAtMs }]) => refreshedAtMs <= dueMs)
        .slice(0, READS_PER_REFRESH);
      for (const [key, subscription] of due) await this.#refreshOne(key, subscription);
    } catch (error) {
      onFailed(error);
    } finally {
      this.#isRunning = false;
    }
  }

  async #refreshOne(key: string, subscription: Subscription): Promise<void> {
    const { query, customerId, streams } = subscription;
    const expanded = await expandWatchlists(this.#db, query, customerId);
    // Its last stream may have closed meanwhile, and another may have opened.
    if (this.#subscriptions.get(key) !== subscription) return;
    subscription.refreshedAtMs = this.#clock.monotonicMs();
    // Moves it to the end of the order.
    this.#subscriptions.delete(key);
    this.#subscriptions.set(key, subscription);
    // The client reconnects and learns from the response what is wrong with its lists.
    if ('refusal' in expanded) for (const stream of streams) stream.end();
    else for (const stream of streams) stream.select(changeFilterOf(expanded.values, null));
  }
}
