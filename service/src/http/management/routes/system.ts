import {
  choice,
  flag,
  instant,
  integer,
  list,
  named,
  nullable,
  number,
  text,
} from '../../../endpoints/schema/fields.ts';
import { readDiskSpace } from '../../../platform/disk-space.ts';
import { formatInstant } from '../../../platform/instant.ts';
import {
  describeLost,
  type FailoverReport,
  loadFailoverReports,
} from '../../../storage/health/failover-reports.ts';
import { loadLoopReports, type LoopReport } from '../../../storage/health/loop-reports.ts';
import type { Queryable } from '../../../storage/db.ts';
import {
  describeHolder,
  fixForHolder,
  isHeldTooLong,
  loadSnapshotHolder,
} from '../../../storage/health/snapshot-holder.ts';
import { readStoreInfo } from '../../../storage/health/store-info.ts';
import { formatOptional } from '../instants.ts';
import { resetFutureQuotas } from '../reset-future-quotas.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';

const FAILOVERS_MS = 7 * 86_400_000;
const LOST_SHOWN_MAX = 100;
const LOST_KINDS = ['response', 'change', 'attempt', 'action', 'count'] as const;

const readRoute = defineRoute({
  name: 'system-read',
  method: 'GET',
  path: '/operator/v1/system',
  summary: 'Retrieve system information',
  access: 'system.read',
  status: 200,
  response: named('System', {
    version: text('Version of the service.'),
    dataSource: text('Data source, as in the header `X-Data-Source`.'),
    startedAt: instant('Start time of this process.'),
    now: instant('Current time of this process.'),
    store: named('Store', {
      engine: choice(['pglite', 'postgres'], 'Database engine: embedded or a PostgreSQL server.'),
      schemaVersion: integer('Number of the latest migration.'),
      sizeBytes: number('Size of the store in bytes.'),
      lastBackupAt: nullable(instant('Time of the last `afterbell backup`; null if never.')),
      snapshot: nullable(
        named('Snapshot', {
          holder: text('Session, prepared transaction, replication slot or standby.'),
          ageSeconds: nullable(number('Age of its transaction; null for a slot or a standby.')),
          isOld: flag('True if it needs attention: it keeps VACUUM from removing dead rows.'),
          fix: text('How to end it.'),
        }),
      ),
    }),
    loops: list(
      named('Loop', {
        process: text('Host name and process ID.'),
        loop: text('Name of the background loop, such as `send`.'),
        lastSuccessAt: nullable(instant('Last success; null before the first one.')),
        isFailing: flag('True if the loop has not succeeded for 30 seconds. Idle loops succeed.'),
        lastError: nullable(text('Last error since the last success; null without one.')),
        reportedAt: instant('Last report of the process.'),
        isSilent: flag('True if the process has not reported for a minute.'),
      }),
      'Background loops of all processes, as they last reported them.',
    ),
    failovers: list(
      named('Failover', {
        process: text('Host name and process ID.'),
        comparedAt: instant('Time at which the process compared its commits with the store.'),
        isComplete: flag('False if the process may have lost more than it remembers.'),
        lostCount: integer('Acknowledged commits that the failover lost.'),
        lost: list(
          named('LostCommit', {
            kind: choice(LOST_KINDS, 'What was lost. Only actions have to be repeated.'),
            committedAt: instant('Time at which the lost server acknowledged it.'),
            text: text('What was lost and, for an action, who did it.'),
          }),
          `Up to ${LOST_SHOWN_MAX} lost commits, actions first.`,
        ),
      }),
      'Failovers of PostgreSQL in the last 7 days, one entry per process, newest first.',
    ),
    disk: nullable(
      named('Disk', {
        totalBytes: number('Size of the disk with the data folder, in bytes.'),
        freeBytes: number('Space available to the service, in bytes.'),
      }),
    ),
  }),
  async handle({ deps, now }) {
    const { version, dataSource, startedAt, dataFolder } = deps.system;
    return done({
      version,
      dataSource,
      startedAt: formatInstant(startedAt),
      now: formatInstant(now),
      store: { ...(await readStoreInfo(deps.db)), snapshot: await readSnapshot(deps.db) },
      loops: (await loadLoopReports(deps.db)).map(renderLoop),
      failovers: (await loadFailoverReports(deps.db, now - FAILOVERS_MS)).map(renderFailover),
      disk: dataFolder === null ? null : await readDiskSpace(dataFolder),
    });
  },
});

function renderFailover({ process, comparedAt, isComplete, entries, lost }: FailoverReport) {
  const shown = entries.toSorted(
    (a, b) => Number(b.kind === 'action') - Number(a.kind === 'action'),
  );
  return {
    process,
    comparedAt: formatInstant(comparedAt),
    isComplete,
    lostCount: Object.values(lost).reduce((sum, count) => sum + count, 0),
    lost: shown.slice(0, LOST_SHOWN_MAX).map((entry) => ({
      kind: entry.kind,
      committedAt: formatInstant(entry.committedAt),
      text: describeLost(entry),
    })),
  };
}

/** Returns the oldest snapshot that another session holds. */
async function readSnapshot(db: Queryable) {
  const holder = await loadSnapshotHolder(db);
  return (
    holder && {
      holder: describeHolder(holder),
      ageSeconds: holder.ageSeconds,
      isOld: isHeldTooLong(holder),
      fix: fixForHolder(holder),
    }
  );
}

function renderLoop({
  process,
  loop,
  lastSuccessAt,
  isFailing,
  lastError,
  reportedAt,
  isSilent,
}: LoopReport) {
  const instants = {
    lastSuccessAt: formatOptional(lastSuccessAt),
    reportedAt: formatInstant(reportedAt),
  };
  return { process, loop, isFailing, lastError, isSilent, ...instants };
}

const resetRoute = defineRoute({
  name: 'quotas-reset-future',
  method: 'POST',
  path: '/operator/v1/quotas/reset-ahead',
  summary: 'Reset quotas that have future-dated usage',
  describe:
    'After the server clock was ahead, usage may be counted in a day or month that has not ' +
    'started. Moves these customers back to the current period, with usage zero. Otherwise they ' +
    'stay in the future period until it starts.',
  access: 'quotas.reset',
  status: 200,
  response: named('QuotaResetResult', {
    customers: integer('Number of customers that were reset.'),
  }),
  async handle({ deps, actor, now }) {
    const customers = await resetFutureQuotas(deps.db, actor, now);
    await deps.meter.refresh();
    return done({ customers });
  },
});

export const group: RouteGroup = {
  name: 'system',
  describe: 'Version, store and quota maintenance of the service.',
  routes: [readRoute, resetRoute],
};
