import { type Epoch, type EpochReason, startChangeEpoch } from '../datasets/changes/epochs.ts';
import { newestChangeId } from '../datasets/changes/tail.ts';
import { invalidateLeases } from '../datasets/jobs/lease-store.ts';
import type { EngineDeps } from '../delivery/engine.ts';
import { endAttemptsInFlight, reissueDeliveries } from '../delivery/record/reissue.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { systemRandom } from '../platform/random.ts';
import type { Db, Queryable, Transaction } from '../storage/db.ts';
import { isStoreTrouble } from '../storage/errors.ts';
import { readServerState } from '../storage/engines/postgres/server-history.ts';
import { readCellName } from '../storage/cells/cell-marker.ts';
import { clearMarker, PENDING_EPOCH_MARKER, readMarker, setMarker } from '../storage/marker.ts';
import { templates } from '../webhooks/templates/registry.gen.ts';

/** Marker for the server and timeline that the store was last used on. */
const SERVER_HISTORY_MARKER = 'server-history';

/**
 * Starts a new epoch of a store that goes on from an older state: followers of changes learn that
 * they may have seen a history that was lost, deliveries get new ids, and leases granted in that
 * history end.
 */
export async function startEpoch(
  db: Db,
  reason: EpochReason,
  clock: Clock = systemClock(),
): Promise<Epoch & { deliveries: number }> {
  const deps: EngineDeps = { db, clock, random: systemRandom(), templates };
  const history = await loadHistory(db);
  await endAttemptsInFlight(deps);
  return db.transaction((tx) => writeEpoch(deps, tx, { reason, history }));
}

async function writeEpoch(
  deps: EngineDeps,
  tx: Transaction,
  { reason, history }: { reason: EpochReason; history: string | null },
): Promise<Epoch & { deliveries: number }> {
  // On a large store, this takes longer than a statement of a request may.
  await tx.query('set local statement_timeout = 0');
  await tx.query('set local idle_in_transaction_session_timeout = 0');
  const deliveries = await reissueDeliveries(deps, tx);
  // The changes of a cell belong to the history of the gathering store.
  const epoch =
    (await readCellName(tx)) === null
      ? await startChangeEpoch(tx, { reason, now: deps.clock.now() })
      : await presentEpoch(tx);
  await invalidateLeases(tx);
  await clearMarker(tx, PENDING_EPOCH_MARKER);
  if (history !== null) await setMarker(tx, SERVER_HISTORY_MARKER, history);
  return { ...epoch, deliveries };
}

async function loadHistory(db: Db): Promise<string | null> {
  return db.engine === 'postgres' ? (await readServerState(db)).history : null;
}

async function presentEpoch(db: Queryable): Promise<Epoch> {
  const lastChangeId = await newestChangeId(db);
  return { lastChangeId, firstChangeId: lastChangeId + 1 };
}

interface DetectionDeps {
  db: Db;
  clock: Clock;
  log: Pick<Log, 'warn' | 'error'>;
}

/**
 * Starts an epoch if a restore was interrupted before it could, or if the PostgreSQL server is
 * another one than before, or has recovered to a point in time or been promoted since. Rejects only
 * if the store is unavailable.
 */
export async function startEpochIfHistoryChanged(deps: DetectionDeps): Promise<void> {
  try {
    await startIfChanged(deps);
  } catch (error) {
    if (isStoreTrouble(error)) throw error;
    deps.log.error(
      { event: 'store.new_epoch_failed', err: error },
      'no new epoch could be started: if the store was restored or failed over, run `afterbell ' +
        'store new-epoch` as the user who owns the tables',
    );
  }
}

async function startIfChanged({ db, clock, log }: DetectionDeps): Promise<void> {
  const history = await loadHistory(db);
  if (history !== null && (await readMarker(db, SERVER_HISTORY_MARKER)) === null) {
    await setMarker(db, SERVER_HISTORY_MARKER, history);
  }
  const reason = await changeOfHistory(db, history);
  if (reason === null) return;
  const engine: EngineDeps = { db, clock, random: systemRandom(), templates };
  await endAttemptsInFlight(engine);
  const epoch = await db.transaction(async (tx) => {
    // One of several processes starts the epoch. The others wait, and then find it started.
    await tx.query('lock table store_epoch in exclusive mode');
    return (await changeOfHistory(tx, history)) === null
      ? null
      : writeEpoch(engine, tx, { reason, history });
  });
  if (epoch === null) return;
  log.warn(
    { event: 'store.new_epoch', reason, ...epoch },
    'the store may have lost its newest changes: started a new epoch',
  );
}

async function changeOfHistory(db: Queryable, history: string | null): Promise<EpochReason | null> {
  if ((await readMarker(db, PENDING_EPOCH_MARKER)) !== null) return 'restore';
  const isSame = history === null || (await readMarker(db, SERVER_HISTORY_MARKER)) === history;
  return isSame ? null : 'failover';
}
