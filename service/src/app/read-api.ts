import { startApiKeyCache, type StoredApiKeyCache } from '../accounts/keys/api-key-cache.ts';
import { type KeyUseRecorder, startKeyUseRecorder } from '../accounts/keys/key-last-used.ts';
import type { Settings } from '../config/settings.ts';
import type { VolumeCriteria } from '../domain/unusual-volume.ts';
import { barsEndpoint } from '../endpoints/bars.ts';
import { datasetFileEndpoint } from '../endpoints/dataset-file.ts';
import { datasetsEndpoint } from '../endpoints/datasets.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { endpoints } from '../endpoints/registry.gen.ts';
import { unusualVolumeEndpoint } from '../endpoints/unusual-volume.ts';
import type { CheckCompute } from '../http/compute-limit.ts';
import { quotaCheck } from '../http/quota.ts';
import { createReadApi, type ReadApi } from '../http/read-api.ts';
import type { ReadApiOptions } from '../http/read-api-options.ts';
import type { CompletedRequest } from '../http/request-context.ts';
import type { DataSource } from '../http/response/cached-response.ts';
import type { ChangeStreams } from '../http/stream/change-streams.ts';
import { createFailedAuthLimiter } from '../metering/failed-auth-limiter.ts';
import { startLocalMeter } from '../metering/local-quota-meter.ts';
import type { RunningQuotaMeter } from '../metering/quota-meter.ts';
import { startRequestLog } from '../metering/request-log.ts';
import { startSharedMeter } from '../metering/shared-quota-meter.ts';
import { startUsageRecorder } from '../metering/usage-recorder.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { LoopHealth } from '../platform/loop-health.ts';
import { throttle } from '../platform/throttle.ts';
import type { CommitJournal } from '../storage/commit-journal.ts';
import type { Db } from '../storage/db.ts';
import type { AppContext } from './context.ts';
import { withheldSources } from './dataset-files.ts';
import type { CachedReads } from './response-cache.ts';

/** Authenticates, meters and records read requests. */
export interface ReadApiAccess extends Required<
  Pick<ReadApiOptions, 'checkQuota' | 'failedAuthLimiter' | 'onRequestCompleted'>
> {
  keys: StoredApiKeyCache;
  /** Also records key use for the management API. */
  keyUse: Pick<KeyUseRecorder, 'record'>;
  meter: RunningQuotaMeter;
  /** Writes all counts and log rows that are still in memory to the store. */
  stop(): Promise<void>;
}

/** Minimum interval between two reloads of the keys while they keep changing. */
const KEY_RELOAD_INTERVAL_MS = 100;

/**
 * Opens access for read requests. With `isShared`, several processes serve the same customers and
 * the counts are kept in the store. Otherwise this process keeps the counts in memory.
 */
export async function openReadApiAccess(deps: {
  db: Db;
  clock: Clock;
  log: Log;
  /** Receives the outcomes of metering. */
  loops?: LoopHealth;
  /** Number of processes that serve one port together. Default: 1. */
  processes?: number;
  isShared: boolean;
  /** Records counts that several processes share. */
  journal?: CommitJournal | undefined;
  /** Maximum size of a leased block of a shared meter, as a percentage of each remaining quota. */
  quotaBlockPercent?: number;
  /**
   * True only in tests: a shared meter's windows then follow this process's clock instead of the
   * database's.
   */
  isMinuteByClock?: boolean;
}): Promise<ReadApiAccess> {
  const { db, clock, log, loops, processes, isShared, journal, isMinuteByClock = false } = deps;
  const base = { db, clock, log };
  const keys = await startApiKeyCache(base);
  const meter = isShared
    ? await startSharedMeter({
        ...base,
        health: loops?.add('count requests', 'requested'),
        journal,
        blockPercent: deps.quotaBlockPercent ?? 0,
        isMinuteByClock,
      })
    : await startLocalMeter({ ...base, health: loops?.add('count requests', 'retried') });
  const usage = startUsageRecorder({ ...base, health: loops?.add('record usage', 'retried') });
  const requestLog = startRequestLog(base);
  const keyUse = startKeyUseRecorder(base);

  function onRequestCompleted({ key, endpoint, status, at, ...request }: CompletedRequest): void {
    const { id: keyId, customerId } = key;
    keyUse.record(keyId, at);
    usage.record({ keyId, customerId, endpoint, status, now: at });
    const { method, path, durationMs, requestId } = request;
    requestLog.record({ at, customerId, keyId, method, path, status, durationMs, requestId });
  }

  return {
    keys,
    keyUse,
    meter,
    checkQuota: quotaCheck(meter),
    failedAuthLimiter: createFailedAuthLimiter({ clock, processes }),
    onRequestCompleted,
    async stop() {
      keys.stop();
      await Promise.all([meter.stop(), usage.stop(), requestLog.stop(), keyUse.stop()]);
    },
  };
}

/** Opens this process's access for read requests and reloads its keys when they change. */
export async function openAppAccess(app: AppContext): Promise<ReadApiAccess> {
  const { db, clock, log, settings, notifications, failover, shutdown, loops } = app;
  const access = await openReadApiAccess({
    db,
    clock,
    log,
    loops,
    isShared: settings.databaseUrl !== null,
    journal: failover?.journal,
    quotaBlockPercent: settings.quotaBlockPercent,
    processes: app.process?.count ?? 1,
  });
  // The cache logs a failed reload and tries again at its next poll.
  const reload = throttle(clock, KEY_RELOAD_INTERVAL_MS, () =>
    access.keys.refresh().catch(() => undefined),
  );
  notifications.subscribe({
    onKeysChanged: reload.trigger,
    onHistoryChanged() {
      access.keys.forget();
      reload.trigger();
    },
  });
  shutdown.register('read API access', () => {
    reload.stop();
    return access.stop();
  });
  return access;
}

/** Returns this process's read API, with its metrics. */
export function openReadApi(
  app: AppContext,
  parts: {
    access: ReadApiAccess;
    cachedReads: CachedReads;
    endpoints: readonly Endpoint[];
    dataSource: DataSource;
    checkCompute: CheckCompute;
    streams: ChangeStreams;
  },
): ReadApi {
  const { db, clock, random, log, metrics, settings } = app;
  const { access, cachedReads, checkCompute, endpoints, dataSource, streams } = parts;
  return metrics.requests.readApi(
    createReadApi({
      endpoints,
      streams,
      db,
      clock,
      random,
      dataSource,
      publicUrl: settings.publicUrl,
      log,
      ...access,
      security: app.security,
      allowsKeysInUrls: settings.apiKeysInUrls,
      checkCompute,
      cache: cachedReads.cache,
      replica: cachedReads.reads,
      onRequestCompleted: metrics.requests.counting(access.onRequestCompleted),
    }),
  );
}

/**
 * Returns all API endpoints. The endpoint for unusual volume uses the criteria from the settings.
 * With `licensedSourcesOnly`, the endpoint for bars omits those of sources that cannot be licensed,
 * which an existing store may contain. The endpoints for Parquet files use those in the folder.
 */
export function configuredEndpoints(
  settings: EndpointSettings,
  datasetsFolder: string | null,
): Endpoint[] {
  const configured = [
    unusualVolumeEndpoint(volumeCriteria(settings)),
    ...(datasetsFolder === null
      ? []
      : [datasetsEndpoint(datasetsFolder), datasetFileEndpoint(datasetsFolder)]),
    ...(settings.licensedSourcesOnly ? [barsEndpoint(withheldSources(settings))] : []),
  ];
  return endpoints.map(
    (endpoint) => configured.find(({ name }) => name === endpoint.name) ?? endpoint,
  );
}

type EndpointSettings = Pick<
  Settings,
  | 'licensedSourcesOnly'
  | 'unusualLookbackSessions'
  | 'unusualMinRelativeVolume'
  | 'unusualMinPrice'
  | 'unusualMinAverageVolume'
  | 'unusualMinDollarVolume'
  | 'unusualMaxRows'
>;

function volumeCriteria(settings: EndpointSettings): VolumeCriteria {
  return {
    lookbackSessions: settings.unusualLookbackSessions,
    minRelativeVolume: settings.unusualMinRelativeVolume,
    minPrice: settings.unusualMinPrice,
    minAverageVolume: settings.unusualMinAverageVolume,
    minDollarVolume: settings.unusualMinDollarVolume,
    maxRows: settings.unusualMaxRows,
  };
}
