import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../db.ts';
import { readCellName } from './cell-marker.ts';
import { FACT_TABLES } from './table-kinds.ts';

/**
 * Condition of a cell:
 *
 * - `following`: everything arrives.
 * - `stale`: nothing has arrived for a while, or it arrives late.
 * - `stopped`: the subscription is disabled, missing, or has no connection.
 * - `copying`: the initial copy of a table is not complete.
 * - `gap`: something was lost. The cell must be copied again.
 */
export type CellCondition = 'following' | 'stale' | 'stopped' | 'copying' | 'gap';

export interface CellState {
  name: string;
  condition: CellCondition;
  /** Age of the newest fact by the clock of the cell's server; null before the first beat. */
  lagMs: number | null;
  /** Tables of facts that are not copied completely. */
  missingTables: readonly string[];
  /** The oldest gap; null if nothing was lost. */
  gap: { foundAt: Instant; detail: string } | null;
  isEnabled: boolean;
  isConnected: boolean;
  /** Failures to apply a transaction. It is repeated until it succeeds. */
  applyErrorCount: number;
  newestChangeId: number;
  customerCount: number;
}

/** Returns the state of the cell; null if the store is not a cell. */
export async function loadCellState(
  db: Queryable,
  { lagMsMax }: { lagMsMax: number },
): Promise<CellState | null> {
  const name = await readCellName(db);
  if (name === null) return null;
  const { copiedTables, ...row } = await loadRow(db);
  const copied = new Set(copiedTables);
  const missingTables = FACT_TABLES.filter((table) => !copied.has(table));
  // Returns at most one row.
  const [gap] = await db.query<{ foundAt: Instant; detail: string }>(
    `select found_at as "foundAt", detail from cell_gap order by found_at limit 1`,
  );
  const state = { ...row, name, missingTables, gap: gap ?? null };
  return { ...state, condition: conditionOf(state, lagMsMax) };
}

function conditionOf(state: Omit<CellState, 'condition'>, lagMsMax: number): CellCondition {
  if (state.gap !== null) return 'gap';
  if (state.missingTables.length > 0) return 'copying';
  if (!state.isEnabled || !state.isConnected) return 'stopped';
  return state.lagMs === null || state.lagMs > lagMsMax ? 'stale' : 'following';
}

type StateRow = Omit<CellState, 'name' | 'condition' | 'missingTables' | 'gap'> & {
  copiedTables: string[];
};

async function loadRow(db: Queryable): Promise<StateRow> {
  // Returns one row. A database has one subscription to facts.
  const [row] = await db.query<StateRow & Row>(
    `select coalesce(s.subenabled, false) as "isEnabled",
            exists (select 1 from pg_stat_subscription a
                     where a.subid = s.oid and a.relid is null and a.pid is not null
                       and a.last_msg_receipt_time is not null) as "isConnected",
            coalesce((select apply_error_count from pg_stat_subscription_stats e
                       where e.subid = s.oid), 0)::float8 as "applyErrorCount",
            array(select r.srrelid::regclass::text from pg_subscription_rel r
                   where r.srsubid = s.oid and r.srsubstate = 'r') as "copiedTables",
            (select greatest(0, extract(epoch from clock_timestamp() - beat_at) * 1000)::float8
               from gathering_beat) as "lagMs",
            coalesce((select max(id) from change_record), 0) as "newestChangeId",
            (select count(*) from customer where deleted_at is null) as "customerCount"
       from (select 1) as one
       left join (select s.oid, s.subenabled from pg_subscription s
                    join pg_database d on d.oid = s.subdbid
                   where d.datname = current_database()
                     and s.subname like 'afterbell\\_cell\\_%') s on true`,
  );
  if (row === undefined) throw new Error('the state of the cell returned no row');
  return row;
}

/**
 * Returns why responses about the past cannot be final on this cell now, or null if they can: every
 * table is at the position of the replicated clock, and nothing was lost.
 */
export async function findClockDoubt(db: Queryable): Promise<'gap' | 'copying' | null> {
  // Returns one row, from small catalogs.
  const [row] = await db.query<{ hasGap: boolean; isCopying: boolean }>(
    `select exists (select 1 from cell_gap) as "hasGap",
            exists (select 1 from pg_subscription_rel where srsubstate <> 'r') as "isCopying"`,
  );
  if (row?.hasGap === true) return 'gap';
  return row?.isCopying === true ? 'copying' : null;
}
