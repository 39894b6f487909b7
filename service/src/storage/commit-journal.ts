import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';

/** Describes a row that a transaction wrote, so that it can be looked up after a failover. */
export type JournalEntry =
  | {
      kind: 'response';
      id: number;
      provider: string;
      feed: string;
      url: string;
      observedAt: Instant;
    }
  | { kind: 'change'; id: number; dataset: string; symbol: string }
  | {
      kind: 'attempt';
      deliveryId: string;
      n: number;
      endpointId: string;
      symbol: string;
      status: number | null;
    }
  | {
      kind: 'action';
      id: number;
      at: Instant;
      action: string;
      actor: string;
      address: string | null;
      subject: string | null;
      customerId: string | null;
    }
  | {
      kind: 'count';
      mark: number;
      customerId: string;
      units: number;
      dayId: number;
      monthId: number;
      generation: number;
      perDay: number | null;
      perMonth: number | null;
    };

export type JournalKind = JournalEntry['kind'];
export type CommittedEntry = JournalEntry & { committedAt: Instant };

/** A standby that lags by more than this is not promoted by mistake. */
const KEPT_MS = 600_000;
const ENTRIES_MAX = 100_000;

/**
 * The commits that the database has acknowledged to this process in the last ten minutes, in memory.
 * After a failover to an asynchronous standby, some of them may be missing in the store.
 */
export class CommitJournal {
  /** Identifies this process among all that use the store. */
  readonly process: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #entriesMax: number;
  #entries: CommittedEntry[] = [];
  #evictedUntil: Instant | null = null;

  constructor(options: { process: string; clock: Pick<Clock, 'now'>; entriesMax?: number }) {
    this.process = options.process;
    this.#clock = options.clock;
    this.#entriesMax = options.entriesMax ?? ENTRIES_MAX;
  }

  add(entries: readonly JournalEntry[]): void {
    const committedAt = this.#clock.now();
    for (const entry of entries) this.#entries.push({ ...entry, committedAt });
    // Removes old entries rarely, because each removal copies the rest.
    if (this.#entries.length > this.#entriesMax * 1.25) this.#evict();
  }

  /** Returns the entries, oldest first. */
  entries(): readonly CommittedEntry[] {
    this.#evict();
    return this.#entries;
  }

  /** Returns true if commits after `at` may be missing, because there were too many. */
  hasEvictedSince(at: Instant): boolean {
    return this.#evictedUntil !== null && this.#evictedUntil >= at;
  }

  /** Drops entries that have been reported as lost. */
  remove(lost: ReadonlySet<CommittedEntry>): void {
    this.#entries = this.#entries.filter((entry) => !lost.has(entry));
  }

  #evict(): void {
    const oldestAt = this.#clock.now() - KEPT_MS;
    const expiredCount = this.#entries.findIndex(({ committedAt }) => committedAt >= oldestAt);
    const count = Math.max(
      expiredCount === -1 ? this.#entries.length : expiredCount,
      this.#entries.length - this.#entriesMax,
    );
    if (count <= 0) return;
    this.#evictedUntil = this.#entries[count - 1]?.committedAt ?? null;
    this.#entries = this.#entries.slice(count);
  }
}
