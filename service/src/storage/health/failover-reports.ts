import type { Instant } from '../../platform/instant.ts';
import type { CommittedEntry, JournalKind } from '../commit-journal.ts';
import type { Queryable, Row } from '../db.ts';

/** Number of lost commits by kind. */
export type LostCounts = Partial<Record<JournalKind, number>>;

/** The result of one process's comparison after a failover. */
export interface FailoverReport {
  /** Host name and process id. */
  process: string;
  comparedAt: Instant;
  /** Number of entries in the journal of the process. */
  compared: number;
  /** False if the journal did not reach back to the first lost commit. */
  isComplete: boolean;
  lost: LostCounts;
  /** Descriptions of lost commits, oldest first, a few hundred of each kind at most. */
  entries: readonly LostEntry[];
}

export type LostEntry = CommittedEntry;

/** Says in a few words what was lost: what, which, and who. */
export function describeLost(entry: LostEntry): string {
  switch (entry.kind) {
    case 'response':
      return `response of ${entry.provider}/${entry.feed}: ${entry.url}`;
    case 'change':
      return `change ${entry.id} of ${entry.symbol} in ${entry.dataset}`;
    case 'attempt':
      return `result ${entry.status ?? 'without a status'} of ${entry.deliveryId} to ${entry.endpointId} for ${entry.symbol}`;
    case 'action':
      return `${entry.action} ${entry.subject ?? ''} by ${entry.actor}`.replace(/ {2,}/g, ' ');
    case 'count':
      return `${entry.units} requests of ${entry.customerId}, counted again`;
  }
}

/**
 * Saves a report. Returns false if this process has already reported on this history, because the
 * reply to an earlier call was lost.
 */
export async function saveFailoverReport(
  db: Queryable,
  { process, history, ...report }: FailoverReport & { history: string },
): Promise<boolean> {
  const { comparedAt, compared, isComplete, lost, entries } = report;
  // Returns one row unless there is one already. Deletes reports of past quarters.
  const inserted = await db.query(
    `with old as (delete from failover_report where compared_at < now() - interval '90 days')
     insert into failover_report
       (process, history, compared_at, compared, is_complete, lost, entries)
     values ($1, $2, to_timestamp($3 / 1000.0), $4, $5, $6::jsonb, $7::jsonb)
     on conflict (process, history) do nothing returning process`,
    [
      process,
      history,
      comparedAt,
      compared,
      isComplete,
      JSON.stringify(lost),
      JSON.stringify(entries),
    ],
  );
  return inserted.length > 0;
}

/** Returns the reports since an instant, newest first. */
export async function loadFailoverReports(
  db: Queryable,
  since: Instant,
): Promise<FailoverReport[]> {
  // Returns one row per process and failover. Scans the table, which has a few rows.
  return db.query<FailoverReport & Row>(
    `select (regexp_match(process, '^\\S+ \\S+'))[1] as process, compared_at as "comparedAt",
            compared, is_complete as "isComplete", lost, entries
       from failover_report
      where compared_at >= to_timestamp($1 / 1000.0)
      order by compared_at desc, process limit 100`,
    [since],
  );
}
