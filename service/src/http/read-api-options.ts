import type { ApiKeyCache } from '../accounts/keys/api-key-cache.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { FailedAuthLimiter } from '../metering/failed-auth-limiter.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Random } from '../platform/random.ts';
import type { Queryable } from '../storage/db.ts';
import type { CheckCompute } from './compute-limit.ts';
import type { SecurityEvents } from './security-events.ts';
import type { CheckQuota } from './quota.ts';
import type { CompletedRequest } from './request-context.ts';
import type { ResponseCache } from './response-cache.ts';
import type { DataSource } from './response/cached-response.ts';
import type { ChangeStreams } from './stream/change-streams.ts';

export interface ReadApiOptions {
  endpoints: readonly Endpoint[];
  /** Without them, the API has no streams. */
  streams?: ChangeStreams;
  db: Queryable;
  /** Database for reads that may be a few seconds out of date. Defaults to `db`. */
  replica?: Queryable;
  clock: Clock;
  random: Random;
  keys: ApiKeyCache;
  cache: ResponseCache;
  dataSource: DataSource;
  /** The configured URL of the service; null if it is unknown. */
  publicUrl?: string | null;
  log: Pick<Log, 'error'>;
  /** Defaults to unlimited. */
  checkQuota?: CheckQuota;
  /** Limits the computing time of customers. Defaults to no limit. */
  checkCompute?: CheckCompute;
  /** Limits how often an address may fail to authenticate. Defaults to no limit. */
  failedAuthLimiter?: FailedAuthLimiter;
  /** False to reject keys in URLs. Default: true. */
  allowsKeysInUrls?: boolean | undefined;
  /** Receives rejected keys. */
  security?: SecurityEvents | undefined;
  /** Called exactly once for every response to an authenticated request. Must not throw. */
  onRequestCompleted?: (request: CompletedRequest) => void;
}
