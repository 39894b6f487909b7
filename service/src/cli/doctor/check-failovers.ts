import { formatInstant, type Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import {
  describeLost,
  type FailoverReport,
  loadFailoverReports,
} from '../../storage/health/failover-reports.ts';
import { type Check, ok, warning } from './check.ts';

/** An operator has repeated lost actions by then. */
const REPORTED_MS = 7 * 86_400_000;
const SHOWN_MAX = 20;

const KIND_NAMES = {
  response: 'responses of sources',
  change: 'changes',
  attempt: 'results of webhook attempts',
  action: 'actions',
  count: 'counted requests',
} as const;

/** Reports what failovers of PostgreSQL lost in the last seven days. */
export async function checkFailovers({
  db,
  now,
}: {
  db: Queryable;
  now: Instant;
}): Promise<Check[]> {
  const reports = await loadFailoverReports(db, now - REPORTED_MS);
  if (reports.length === 0) return [];
  const lossy = reports.filter(({ lost }) => Object.keys(lost).length > 0);
  if (lossy.length === 0) {
    return [
      ok(
        'failover',
        `${reports.length} processes compared their commits after it: nothing was lost`,
      ),
    ];
  }
  return lossy.flatMap((report) => [lossCheck(report), ...actionChecks(report)]);
}

function lossCheck({ process, comparedAt, isComplete, lost }: FailoverReport): Check {
  const counts = Object.entries(KIND_NAMES).flatMap(([kind, name]) => {
    const count = lost[kind as keyof typeof KIND_NAMES] ?? 0;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  const atLeast = isComplete ? '' : ' at least';
  return warning(
    'failover',
    `the failover before ${formatInstant(comparedAt)} lost${atLeast} ${counts.join(', ')} that had ` +
      `been acknowledged to process ${process}`,
    'sources are fetched again and requests are counted again by themselves; repeat the actions ' +
      'below, and set synchronous_mode to lose nothing next time',
  );
}

function actionChecks({ entries }: FailoverReport): Check[] {
  const actions = entries.filter(({ kind }) => kind === 'action');
  return actions
    .slice(0, SHOWN_MAX)
    .map((entry) =>
      warning(
        'failover',
        `lost at ${formatInstant(entry.committedAt)}: ${describeLost(entry)}`,
        'repeat it, unless somebody has',
      ),
    );
}
