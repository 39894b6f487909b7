import type { LocalDate } from '../../domain/local-date.ts';

/** One step of fetching the watched companies, for the operator. */
export type WatchProgress =
  | { kind: 'started'; symbols: readonly string[] }
  /** A document was ingested. `symbol` is null for the list of all companies. */
  | { kind: 'document'; symbol: string | null; title: string; rows: number | null }
  /** Everything about a company was fetched, in this run or shortly before it. */
  | ({ kind: 'company'; symbol: string } & CompanySummary)
  | { kind: 'unknown-symbol'; symbol: string; suggestions: readonly string[] }
  /** The first failure of an outage. Requests are repeated until they succeed. */
  | { kind: 'unavailable'; host: string; reason: string; isRefusal: boolean; advice: string | null }
  | { kind: 'available'; host: string }
  /** Nothing remains to be fetched. `symbols` are the known ones among the watched companies. */
  | { kind: 'finished'; symbols: readonly string[] };

export interface CompanySummary {
  /** Number of past reports. */
  reports: number;
  /** The next report; null if no source names it and none can be projected. */
  next: { date: LocalDate; dateStatus: string } | null;
}

export type OnWatchProgress = (progress: WatchProgress) => void;
