import { openSecretCipher } from '../accounts/encrypted-secrets.ts';
import type { Settings } from '../config/settings.ts';
import { createReadiness, type Readiness } from '../http/readiness.ts';
import { type SecurityEvents, SecurityLog } from '../http/security-events.ts';
import type { Clock } from '../platform/clock.ts';
import type { SecretCipher } from '../platform/encryption.ts';
import type { Log } from '../platform/log.ts';
import { LoopHealth } from '../platform/loop-health.ts';
import { type Random, systemRandom } from '../platform/random.ts';
import type { Shutdown } from '../platform/shutdown.ts';
import type { Db } from '../storage/db.ts';
import { startLoopReports } from '../storage/health/loop-reports.ts';
import { monitorStore } from '../storage/health/store-monitor.ts';
import { openStore } from '../storage/open-store.ts';
import { mirrorAuditEvents } from './audit-mirror.ts';
import { isServable, monitorCell, rejectOtherRole } from './cell.ts';
import { type AppMetrics, createAppMetrics } from './metrics.ts';
import { Failover } from './failover.ts';
import { connectionsOf, type NodeProcess } from './processes/node-process.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { startEpochIfHistoryChanged } from './store-epoch.ts';
import {
  claimSandbox,
  claimStoreKind,
  currentKind,
  storeFolder,
  type StoreKind,
} from './store-kind.ts';

export interface AppOptions {
  settings: Settings;
  /**
   * If null, the kind recorded in the store is used, or the kind from the settings if the store is
   * empty.
   */
  kind: StoreKind | null;
  clock: Clock;
  log: Log;
  shutdown: Shutdown;
  /** Set if several processes serve one port together. Default: null. */
  process?: NodeProcess | null;
}

/** Dependencies shared by every part of the service, whichever parts run in this process. */
export interface AppContext extends AppOptions {
  kind: StoreKind;
  process: NodeProcess | null;
  random: Random;
  db: Db;
  /** Folder for the embedded store and for files that belong to this machine. */
  folder: string;
  notifications: Notifications;
  /** Null for the embedded store. */
  failover: Failover | null;
  metrics: AppMetrics;
  readiness: Readiness;
  /** Receives refused requests that may be part of an attack. */
  security: SecurityEvents;
  /** The background loops of this process. */
  loops: LoopHealth;
}

/** Opens the store and records its kind. `shutdown` closes everything this function opens. */
export async function createAppContext(options: AppOptions): Promise<AppContext> {
  const { settings, clock, log, shutdown, process = null } = options;
  const readiness = createReadiness(shutdown.signal);
  const loops = new LoopHealth(clock);
  const metrics = createAppMetrics({ settings, clock, log, shutdown, readiness, loops });
  const late: { notifications?: Notifications } = {};
  const failover = createFailover(options, {
    onHistoryChanged: () => late.notifications?.notifyHistoryChanged(),
    onLost: metrics.commitsLost,
  });
  const db = mirrorAuditEvents(metrics.store(await openConfiguredStore(options, failover)), log);
  shutdown.register('store', () => db.close());
  const kind = options.kind ?? (await currentKind(db, settings));
  await claimStoreKind(db, kind, settings);
  if (kind === 'sandbox') await claimSandbox(db, settings);
  await rejectOtherRole(db, settings);
  await startEpochIfHistoryChanged({ db, clock, log });
  await failover?.holdClaimsAfterEpoch(db);
  await watchCell({ ...options, db, readiness, metrics });
  const monitor = monitorStore({ db, clock, log });
  shutdown.register('store monitor', async () => monitor.stop());
  readiness.addCheck(monitor.isHealthy);
  readiness.addCheck(() => loops.areRequiredHealthy());
  shutdown.register('loop reports', startLoopReports({ db, clock, log, loops }).stop);
  const { databaseUrl, databasePooler: pooler } = settings;
  const notifications = createNotifications({ db, clock, log, shutdown, databaseUrl, pooler });
  late.notifications = notifications;
  const security = new SecurityLog({ clock, log, count: metrics.securityEvents() });
  shutdown.register('security log', async () => security.flush());
  return {
    ...options,
    process,
    kind,
    db,
    metrics,
    readiness,
    security,
    loops,
    random: systemRandom(),
    folder: storeFolder(settings.dataDir, kind),
    notifications,
    failover,
  };
}

/** Returns the cipher for this store's secrets; see `openSecretCipher`. */
export function openCipher({ db, random, settings, folder }: AppContext): Promise<SecretCipher> {
  return openSecretCipher({ db, random, setting: settings.secretsKey, folder });
}

/** Reports how well a cell follows the gathering store. Does nothing for other stores. */
async function watchCell(
  app: Pick<AppContext, 'db' | 'clock' | 'log' | 'settings' | 'shutdown' | 'readiness' | 'metrics'>,
): Promise<void> {
  const { db, clock, log, settings, shutdown, readiness, metrics } = app;
  const lagMsMax = settings.cellLagSeconds * 1_000;
  const monitor = await monitorCell({ db, clock, log, lagMsMax });
  metrics.cell(() => monitor?.state() ?? null);
  if (monitor === null) return;
  shutdown.register('cell monitor', async () => monitor.stop());
  readiness.addCheck(() => isServable(monitor.state()));
  readiness.setCell(() => {
    const { name, condition, lagMs } = monitor.state();
    return { name, condition, lagSeconds: lagMs === null ? null : Math.round(lagMs / 100) / 10 };
  });
}

/** Returns null for the embedded store, which has no standby. */
function createFailover(
  { settings, clock, log }: AppOptions,
  events: Pick<ConstructorParameters<typeof Failover>[0], 'onHistoryChanged' | 'onLost'>,
): Failover | null {
  const { databaseUrl: url, databasePooler: pooler } = settings;
  return url === null ? null : new Failover({ url, pooler, clock, log, ...events });
}

function openConfiguredStore(
  { settings, kind, log, process = null }: AppOptions,
  failover: Failover | null,
): Promise<Db> {
  const { databaseUrl, databasePooler: pooler, dataDir } = settings;
  if (databaseUrl !== null) {
    const poolSize = connectionsOf(process);
    const { journal, accept } = failover ?? {};
    return openStore({ databaseUrl, pooler, poolSize, log, journal, onHistoryChanged: accept });
  }
  if (kind === null) throw new Error('opening an embedded store requires its kind');
  return openStore({
    folder: storeFolder(dataDir, kind),
    log,
    syncs: settings.embeddedSync === 'commit',
    backsUpBeforeMigrating: settings.backupBeforeUpgrade,
    onBackup: (file) => log.info({ event: 'backup.created', file }, 'backup before the upgrade'),
  });
}
