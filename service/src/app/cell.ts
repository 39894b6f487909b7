import type { Settings } from '../config/settings.ts';
import { createBackoff } from '../platform/backoff.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { readCellName } from '../storage/cells/cell-marker.ts';
import { type CellState, loadCellState } from '../storage/cells/cell-state.ts';
import type { Queryable } from '../storage/db.ts';
import { StoreKindError } from './store-kind.ts';

const CHECK_MS = 1_000;

/** Throws `StoreKindError` if the store is not what STORE_ROLE requires. */
export async function rejectOtherRole(
  db: Queryable,
  { storeRole }: Pick<Settings, 'storeRole'>,
): Promise<void> {
  if (storeRole === 'any') return;
  const cell = await readCellName(db);
  if ((storeRole === 'cell') === (cell !== null)) return;
  throw new StoreKindError(
    cell === null
      ? 'STORE_ROLE is cell, but this store is not a cell: run afterbell cell init, or set ' +
          'DATABASE_URL to the store of the cell'
      : `STORE_ROLE is gathering, but this store is the cell ${cell}: set DATABASE_URL to the ` +
          'gathering store, or STORE_ROLE to cell',
  );
}

/** Throws `StoreKindError` on a cell, whose facts come from the gathering store alone. */
export async function rejectIngestionOnCell(db: Queryable): Promise<void> {
  const cell = await readCellName(db);
  if (cell === null) return;
  throw new StoreKindError(
    `this store is the cell ${cell}, which receives its facts by replication: run afterbell ingest ` +
      'on the gathering store, and only serve and work here',
  );
}

/** Watches how well a cell follows the gathering store. */
export interface CellMonitor {
  /** The state at the last check; its lag is as of now. */
  state(): CellState;
  stop(): void;
}

/** Starts to watch the cell. Returns null if the store is not a cell. */
export async function monitorCell(deps: {
  db: Queryable;
  clock: Clock;
  log: Log;
  lagMsMax: number;
}): Promise<CellMonitor | null> {
  const { db, clock, log, lagMsMax } = deps;
  const first = await loadCellState(db, { lagMsMax });
  if (first === null) return null;
  let checked = { state: first, atMs: clock.monotonicMs() };
  let isStopped = false;
  const backoff = createBackoff({
    clock,
    minMs: CHECK_MS,
    maxMs: CHECK_MS,
    log: (fields) =>
      log.warn({ ...fields, event: 'cell.check_failed' }, 'the state of the cell is unknown'),
  });
  logCondition(log, first);

  async function check(): Promise<void> {
    try {
      const state = await loadCellState(db, { lagMsMax });
      if (state !== null) {
        if (state.condition !== checked.state.condition) logCondition(log, state);
        checked = { state, atMs: clock.monotonicMs() };
      }
      backoff.succeeded();
    } catch (error) {
      if (!isStopped) backoff.failed(error);
    }
    if (!isStopped) timer = clock.setTimer(CHECK_MS, () => void check());
  }
  let timer: Timer = clock.setTimer(CHECK_MS, () => void check());

  return {
    state() {
      const { state, atMs } = checked;
      const { lagMs } = state;
      return lagMs === null ? state : { ...state, lagMs: lagMs + clock.monotonicMs() - atMs };
    },
    stop() {
      isStopped = true;
      timer.cancel();
    },
  };
}

function logCondition(log: Log, { name, condition, lagMs, gap, missingTables }: CellState): void {
  const fields = { cell: name, condition, lagMs, gap: gap?.detail, missing: missingTables.length };
  if (condition === 'following') {
    log.info({ event: 'cell.following', ...fields }, 'the cell follows the gathering store');
  } else {
    log.warn({ event: 'cell.behind', ...fields }, 'the cell does not follow the gathering store');
  }
}

/** Conditions in which a cell must not serve: its facts are incomplete. */
export function isServable({ condition }: CellState): boolean {
  return condition !== 'gap' && condition !== 'copying';
}
