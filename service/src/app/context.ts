import { claimSandbox } from './configured-sources.ts';
import { openSecretCipher } from '../accounts/open-secret-cipher.ts';
import { createReadiness, type Readiness } from '../http/readiness.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { type Random, systemRandom } from '../platform/random.ts';
import type { SecretCipher } from '../platform/encryption.ts';
import type { Shutdown } from '../platform/shutdown.ts';
import { createAppMetrics, type AppMetrics } from './metrics.ts';
import type { Settings } from '../config/settings.ts';
import type { Db } from '../storage/db.ts';
import { openStore } from '../storage/open-store.ts';
import { watchStore } from '../storage/health/watch-store.ts';
import { claimStoreKind, currentKind, storeFolder, type StoreKind } from './store-kind.ts';
import { type Notifications, createNotifications } from './notifications.ts';

export interface AppOptions {
  settings: Settings;
  /** Null: what the store says it is, and on an empty one what the settings make it. */
  kind: StoreKind | null;
  clock: Clock;
  log: Log;
  shutdown: Shutdown;
}

/** What every part of the service stands on, whichever of them run in this process. */
export interface AppContext extends AppOptions {
  kind: StoreKind;
  random: Random;
  db: Db;
  /** Where the embedded store is, and files of this machine's own. */
  folder: string;
  notifications: Notifications;
  metrics: AppMetrics;
  readiness: Readiness;
}

/** Opens the store, claims it for what it is, and measures. Closers go to `shutdown`. */
export async function createAppContext(options: AppOptions): Promise<AppContext> {
  const { settings, clock, log, shutdown } = options;
  const readiness = createReadiness(shutdown.signal);
  const metrics = createAppMetrics({ settings, clock, log, shutdown, readiness });
  const db = metrics.store(await openSettingsStore(options));
  shutdown.register('store', () => db.close());
  const kind = options.kind ?? (await currentKind(db, settings));
  await claimStoreKind(db, kind, settings);
  if (kind === 'sandbox') await claimSandbox(db, settings);
  const storeWatch = watchStore({ db, clock, log });
  shutdown.register('store watch', async () => storeWatch.stop());
  readiness.addCheck(storeWatch.isWell);
  const { databaseUrl } = settings;
  return {
    ...options,
    kind,
    db,
    metrics,
    readiness,
    random: systemRandom(),
    folder: storeFolder(settings.dataDir, kind),
    notifications: createNotifications({
      db,
      clock,
      log,
      shutdown,
      databaseUrl,
    }),
  };
}

/** The cipher for this store's secrets. See `openSecretCipher`. */
export function openCipher({ db, random, settings, folder }: AppContext): Promise<SecretCipher> {
  return openSecretCipher({ db, random, setting: settings.secretsKey, folder });
}

function openSettingsStore({ settings, kind, log }: AppOptions): Promise<Db> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== null) return openStore({ databaseUrl });
  if (kind === null) throw new Error('an embedded store is opened as what it is');
  return openStore({
    folder: storeFolder(dataDir, kind),
    log,
    keepsBefore: settings.backupBeforeUpgrade,
    onKept: (file) => log.info({ file }, 'kept a backup from before the upgrade'),
  });
}
