import { endpoints } from '../../../src/endpoints/registry.gen.ts';
import { openReadApiAccess } from '../../../src/app/read-api.ts';
import { ResponseCache } from '../../../src/http/response-cache.ts';
import { quotaCheck } from '../../../src/http/quota.ts';
import { createReadApi } from '../../../src/http/read-api.ts';
import { followStaleTopics } from '../../../src/ingest/stale-topics.ts';
import type { RunningQuotaMeter } from '../../../src/metering/quota-meter.ts';
import type { Random } from '../../../src/platform/random.ts';
import type { Db } from '../../../src/storage/db.ts';
import { silentLog } from '../../support/logs.ts';
import type { Stage } from '../stage.ts';
import type { SimulatedProcess } from '../world/process.ts';

export interface ReaderResponse {
  status: number;
  body: string;
  etag: string;
}

export interface SimulatedReader {
  process: SimulatedProcess;
  get(path: string, key: string): Promise<ReaderResponse>;
  /**
   * Returns the response from a process without a response cache, unmetered and on the correct
   * clock.
   */
  getUncached(path: string, key: string): Promise<ReaderResponse>;
  stop(): Promise<void>;
}

const CACHE_BYTES_MAX = 10_000_000;

/** Runs the real authentication, metering and read API in one process, without sockets. */
export async function startReader(
  process: SimulatedProcess,
  deps: {
    random: Random;
    track: Stage['track'];
    /** Replaces the quota meter to plant a bug. */
    plantMeter?:
      | ((meter: RunningQuotaMeter, process: SimulatedProcess) => RunningQuotaMeter)
      | undefined;
    /** Store for the reader. Defaults to the process's store; a planted bug replaces it. */
    db?: Db | undefined;
  },
): Promise<SimulatedReader> {
  const { clock } = process;
  const { random, track, plantMeter, db = process.db } = deps;
  const log = silentLog;
  const access = await openReadApiAccess({ db, clock, log, isShared: false });
  const meter = plantMeter === undefined ? access.meter : plantMeter(access.meter, process);
  const cache = new ResponseCache({ sizeMaxBytes: CACHE_BYTES_MAX });
  const commits = await followStaleTopics({
    db,
    clock,
    log,
    onStale: (topics) => (topics === 'all' ? cache.invalidateAll() : cache.invalidate(topics)),
  });
  const shared = { endpoints, db, clock, random, dataSource: 'live', log } as const;
  const api = createReadApi({ ...shared, ...access, checkQuota: quotaCheck(meter), cache });

  async function get(target: typeof api, path: string, key: string): Promise<ReaderResponse> {
    const headers = { 'x-api-key': key };
    const request = { method: 'GET', url: path, headers, remoteAddress: '203.0.113.9' };
    const { status, headers: responseHeaders, body } = await target.handle(request);
    const tagIndex = responseHeaders.findIndex(
      (name, index) => index % 2 === 0 && name.toLowerCase() === 'etag',
    );
    return {
      status,
      body: body?.toString('utf8') ?? '',
      etag: responseHeaders[tagIndex + 1] ?? '',
    };
  }

  return {
    process,
    get: (path, key) => track(process, get(api, path, key)),
    getUncached: (path, key) => {
      const empty = new ResponseCache({ sizeMaxBytes: CACHE_BYTES_MAX });
      return track(
        process,
        get(createReadApi({ ...shared, keys: access.keys, cache: empty }), path, key),
      );
    },
    async stop() {
      commits.stop();
      await access.stop();
    },
  };
}
