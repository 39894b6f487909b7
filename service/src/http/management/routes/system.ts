import {
  choice,
  instant,
  integer,
  named,
  nullable,
  number,
  text,
} from '../../../endpoints/schema/fields.ts';
import { readDiskSpace } from '../../../platform/disk-space.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { readStoreInfo } from '../../../storage/health/store-facts.ts';
import { resetQuotasAhead } from '../reset-future-quotas.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';

const readRoute = defineRoute({
  name: 'system-read',
  method: 'GET',
  path: '/operator/v1/system',
  summary: 'The service: versions, store, disk',
  access: 'system.read',
  status: 200,
  response: named('System', {
    version: text('Of the program.'),
    dataSource: text('As `X-Data-Source` says it.'),
    startedAt: instant('When this process started.'),
    now: instant('What its clock says.'),
    store: named('Store', {
      engine: choice(['pglite', 'postgres'], 'Embedded, or a server.'),
      schemaVersion: integer('Number of the newest migration.'),
      sizeBytes: number('What the store takes.'),
      lastBackupAt: nullable(instant('When `afterbell backup` copied it last; null: never.')),
    }),
    disk: nullable(
      named('Disk', {
        totalBytes: number('Of the disk with the data folder.'),
        freeBytes: number('Free for the service.'),
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
      store: await readStoreInfo(deps.db),
      disk: dataFolder === null ? null : await readDiskSpace(dataFolder),
    });
  },
});

const resetRoute = defineRoute({
  name: 'quotas-reset-future',
  method: 'POST',
  path: '/operator/v1/quotas/reset-ahead',
  summary: 'Open the present day again after a clock that ran ahead',
  describe:
    'Customers who were counted in a day or month that has not come yet are put back to now, from ' +
    'zero. Without it they stay in that later window until it comes.',
  access: 'quotas.reset',
  status: 200,
  response: named('QuotaResetResult', { customers: integer('How many were put back.') }),
  async handle({ deps, by, now }) {
    const customers = await resetQuotasAhead(deps.db, by, now);
    await deps.meter.refresh();
    return done({ customers });
  },
});

export const group: RouteGroup = {
  name: 'system',
  describe: 'The service itself.',
  routes: [readRoute, resetRoute],
};
