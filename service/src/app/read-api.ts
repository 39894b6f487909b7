import { startKeyRing, type StoredKeyRing } from '../accounts/keys/key-ring.ts';
import { type KeyUse, startKeyUse } from '../accounts/keys/key-use.ts';
import { metered } from '../http/metered.ts';
import type { SeenRequest } from '../http/request-context.ts';
import type { ReadApiOptions } from '../http/read-api.ts';
import { failedKeys } from '../metering/failed-keys.ts';
import { startLocalMeter } from '../metering/local-meter.ts';
import type { StartedMeter } from '../metering/meter.ts';
import { startRequestLog } from '../metering/request-log.ts';
import { startSharedMeter } from '../metering/shared-meter.ts';
import { startUsage } from '../metering/usage.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../storage/db.ts';

/** Who comes in, at what cost, and what is written down about it. */
export interface ReadApiAccess extends Required<
  Pick<ReadApiOptions, 'admit' | 'strangers' | 'observe'>
> {
  keys: StoredKeyRing;
  /** For keys that come in by another door. */
  keyUse: Pick<KeyUse, 'note'>;
  meter: StartedMeter;
  /** Writes what is still in memory. */
  stop(): Promise<void>;
}

/**
 * `isShared`: other processes may serve the same customers, so that every count is the store's; else
 * this process has the counts in memory.
 */
export async function openReadApiAccess(deps: {
  db: Db;
  clock: Clock;
  log: Log;
  isShared: boolean;
  /** Measures the minute of a shared store by this process's clock; for tests. */
  isMinuteByClock?: boolean;
}): Promise<ReadApiAccess> {
  const { db, clock, log, isShared, isMinuteByClock = false } = deps;
  const keys = await startKeyRing({ db, clock, log });
  const meter = isShared
    ? await startSharedMeter({ db, clock, log, isMinuteByClock })
    : await startLocalMeter({ db, clock, log });
  const usage = startUsage({ db, clock, log });
  const requestLog = startRequestLog({ db, clock, log });
  const keyUse = startKeyUse({ db, clock, log });

  function observe({ key, endpoint, status, at, ...seen }: SeenRequest): void {
    const { id: keyId, customerId } = key;
    keyUse.note(keyId, at);
    usage.record({ keyId, customerId, endpoint, status, now: at });
    const { method, path, durationMs, requestId } = seen;
    requestLog.record({ at, customerId, keyId, method, path, status, durationMs, requestId });
  }

  return {
    keys,
    keyUse,
    meter,
    admit: metered(meter),
    strangers: failedKeys({ clock }),
    observe,
    async stop() {
      keys.stop();
      await Promise.all([meter.stop(), usage.stop(), requestLog.stop(), keyUse.stop()]);
    },
  };
}
