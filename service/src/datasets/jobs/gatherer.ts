import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import type { DatasetFreshness } from '../freshness/freshness.ts';

/** The gatherer of this process, for operators. */
export interface IngestionControl {
  /** When a source is asked next by its timetable; null when it has none. */
  nextRunAt(provider: string): Promise<Instant | null>;
  /** Why a source is not asked now, and until when, as far as this process knows; null: it is. */
  cooldown(provider: string): { reason: string; retryAt: Instant } | null;
  /** Names of settings that a source cannot be asked without, and that are not given. */
  missingSettings(provider: string): string[];
  freshness(): Promise<DatasetFreshness[]>;
  /** Has a source asked beyond its timetable; `also` is part of the same commit. */
  startBatch(wanted: BatchRequest, also: (tx: Transaction) => Promise<void>): Promise<BatchResult>;
}

/** Everything once, now; or days gone by, in idle time. */
export type BatchRequest = { provider: string; feed: string | null; requestedBy: string } & (
  | { kind: 'run' }
  | { kind: 'backfill'; from: LocalDate; to: LocalDate; isRefetch: boolean }
);

export type BatchResult =
  | { kind: 'started'; id: string; requests: number }
  /** There is no such source, or this store does not ask it. */
  | { kind: 'not-in-use' }
  | { kind: 'no-feed' }
  /** Nothing can be asked about it, or everything is in the store. */
  | { kind: 'nothing-to-ask' }
  /** One of this kind is under way. */
  | { kind: 'busy'; id: string };
