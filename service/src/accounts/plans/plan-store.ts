import type { Plan } from '../../domain/plan.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { sqlState } from '../../storage/errors.ts';
import { sql, statement } from '../../storage/sql.ts';

/** Columns of a plan, for queries that join `plan`. */
export const PLAN_COLUMNS = `
  plan.name as plan_name, plan.per_minute, plan.per_day, plan.per_month, plan.history_months,
  plan.compute_ms_per_minute, plan.watchlists_max, plan.watchlist_companies_max`;

export interface PlanRow extends Row {
  plan_name: string;
  per_minute: number;
  per_day: number | null;
  per_month: number | null;
  history_months: number | null;
  compute_ms_per_minute: number | null;
  watchlists_max: number;
  watchlist_companies_max: number;
}

export function toPlan(row: PlanRow): Plan {
  return {
    name: row.plan_name,
    perMinute: row.per_minute,
    perDay: row.per_day,
    perMonth: row.per_month,
    historyMonths: row.history_months,
    computeMsPerMinute: row.compute_ms_per_minute,
    watchlistsMax: row.watchlists_max,
    watchlistCompaniesMax: row.watchlist_companies_max,
  };
}

/** Returns every plan, smallest first. */
export async function loadPlans(db: Queryable): Promise<Plan[]> {
  // Returns a handful of rows, sorted in memory.
  const rows = await db.query<PlanRow>(
    `select ${PLAN_COLUMNS} from plan order by per_minute, name`,
  );
  return rows.map(toPlan);
}

export async function findPlan(db: Queryable, name: string): Promise<Plan | null> {
  const rows = await db.query<PlanRow>(`select ${PLAN_COLUMNS} from plan where name = $1`, [name]);
  return rows[0] === undefined ? null : toPlan(rows[0]);
}

/** Returns false if the name is taken. */
export async function insertPlan(db: Queryable, plan: Plan): Promise<boolean> {
  // Returns the name if the plan was added.
  const rows = await db.query(
    ...statement(sql`
      insert into plan (name, per_minute, per_day, per_month, history_months,
                        compute_ms_per_minute, watchlists_max, watchlist_companies_max)
      values (${plan.name}, ${plan.perMinute}, ${plan.perDay}, ${plan.perMonth},
              ${plan.historyMonths}, ${plan.computeMsPerMinute}, ${plan.watchlistsMax},
              ${plan.watchlistCompaniesMax})
      on conflict (name) do nothing returning name`),
  );
  return rows.length === 1;
}

/** Returns false if the plan does not exist. */
export async function updatePlan(db: Queryable, plan: Plan): Promise<boolean> {
  // Returns the name if the plan was updated.
  const rows = await db.query(
    ...statement(sql`
      update plan set per_minute = ${plan.perMinute}, per_day = ${plan.perDay},
             per_month = ${plan.perMonth}, history_months = ${plan.historyMonths},
             compute_ms_per_minute = ${plan.computeMsPerMinute},
             watchlists_max = ${plan.watchlistsMax},
             watchlist_companies_max = ${plan.watchlistCompaniesMax}
       where name = ${plan.name} returning name`),
  );
  return rows.length === 1;
}

/**
 * Returns false if the plan does not exist. If the plan is in use, throws an error that aborts the
 * transaction; `isPlanInUse` recognizes it.
 */
export async function deletePlan(db: Queryable, name: string): Promise<boolean> {
  // Returns the name if the plan was deleted. The customers' foreign key prevents deleting a plan
  // that is in use.
  const rows = await db.query('delete from plan where name = $1 returning name', [name]);
  return rows.length === 1;
}

/** Checks whether the error means that a plan was not deleted because other rows refer to it. */
export function isPlanInUse(error: unknown): boolean {
  return sqlState(error) === '23503';
}
