import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import type { DatasetFreshness } from '../freshness/freshness.ts';

/** Ingestion as operators see and control it. */
export interface IngestionControl {
  /** Returns a source's next scheduled run; null if it has no schedule. */
  nextRunAt(provider: string): Promise<Instant | null>;
  /**
   * Returns why a source is paused and until when, as far as this process knows; null if it is not
   * paused.
   */
  cooldown(provider: string): { reason: string; retryAt: Instant } | null;
  /** Returns the names of required settings that are missing for a source. */
  missingSettings(provider: string): string[];
  freshness(): Promise<DatasetFreshness[]>;
  /** Starts a batch of requests. `also` runs in the same transaction. */
  startBatch(request: BatchRequest, also: (tx: Transaction) => Promise<void>): Promise<BatchResult>;
}

/** A run fetches everything once, immediately. A backfill fetches past days in idle time. */
export type BatchRequest = { provider: string; feed: string | null; requestedBy: string } & (
  | { kind: 'run' }
  | { kind: 'backfill'; from: LocalDate; to: LocalDate; isRefetch: boolean }
);

export type BatchResult =
  | { kind: 'started'; id: string; requests: number }
  /** The source does not exist, or this store does not use it. */
  | { kind: 'not-in-use' }
  | { kind: 'no-feed' }
  /** The feed has nothing to fetch, or everything is stored already. */
  | { kind: 'nothing-to-ask' }
  /** A batch of this kind is already in progress. */
  | { kind: 'busy'; id: string };
