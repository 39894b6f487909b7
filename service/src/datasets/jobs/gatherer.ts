import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import type { DatasetFreshness } from '../freshness/freshness.ts';

/** The gatherer of this process, for operators. */
export interface Gatherer {
  /** When a source is asked next by its timetable; null when it has none. */
  nextRunAt(provider: string): Promise<Instant | null>;
  /** Why a source is not asked now, and until when, as far as this process knows; null: it is. */
  resting(provider: string): { reason: string; retryAt: Instant } | null;
  /** Names of settings that a source cannot be asked without, and that are not given. */
  lacks(provider: string): string[];
  freshness(): Promise<DatasetFreshness[]>;
  /** Has a source asked beyond its timetable; `also` is part of the same commit. */
  gather(wanted: WantedBatch, also: (tx: Transaction) => Promise<void>): Promise<Gathering>;
}

/** Everything once, now; or days gone by, in idle time. */
export type WantedBatch = { provider: string; feed: string | null; by: string } & (
  | { kind: 'run' }
  | { kind: 'backfill'; from: LocalDate; to: LocalDate; isAgain: boolean }
);

export type Gathering =
  | { kind: 'started'; id: string; requests: number }
  /** There is no such source, or this store does not ask it. */
  | { kind: 'not-in-use' }
  | { kind: 'no-feed' }
  /** Nothing can be asked about it, or everything is in the store. */
  | { kind: 'nothing-to-ask' }
  /** One of this kind is under way. */
  | { kind: 'busy'; id: string };
