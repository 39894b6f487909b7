import type { Plan } from '../../domain/plan.ts';
import { type Actor, type AuditAction, recordAuditEvent } from '../audit-log.ts';
import { type AccountsDeps, type Invalid, invalid, notFound, type NotFound } from '../deps.ts';
import { deletePlan, findPlan, insertPlan, isPlanInUse, updatePlan } from './plan-store.ts';

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
/**
 * Maximum number of requests per minute. The sliding window stores the time of every admitted
 * request, so it must be limited.
 */
export const PER_MINUTE_MAX = 100_000;
export const COUNT_MAX = 2_000_000_000;
export const HISTORY_MONTHS_MAX = 1_200;
export const WATCHLISTS_MAX = 1_000;
/** As many companies as a filter of the read API accepts. */
export const WATCHLIST_COMPANIES_MAX = 1_000;
/** A minute of eight processors. */
export const COMPUTE_MS_MAX = 480_000;
/** Limits of a new plan that does not specify them. */
export const DEFAULT_LIMITS = {
  computeMsPerMinute: 30_000,
  watchlistsMax: 50,
  watchlistCompaniesMax: 1_000,
} as const;

export async function addPlan(
  deps: AccountsDeps,
  plan: Plan,
  actor: Actor,
): Promise<{ kind: 'added'; plan: Plan } | { kind: 'exists' } | Invalid> {
  const problem = planProblem(plan);
  if (problem !== null) return problem;
  return deps.db.transaction(async (tx) => {
    if (!(await insertPlan(tx, plan))) return { kind: 'exists' };
    await recordAuditEvent(tx, planEvent('plan.add', plan, deps, actor));
    return { kind: 'added', plan };
  });
}

/** Updates a plan. The change applies to its customers from their next request. */
export async function changePlan(
  deps: AccountsDeps,
  change: { name: string } & Partial<Plan>,
  actor: Actor,
): Promise<{ kind: 'changed'; plan: Plan } | NotFound | Invalid> {
  return deps.db.transaction(async (tx) => {
    const current = await findPlan(tx, change.name);
    if (current === null) return notFound;
    const plan = { ...current, ...change };
    const problem = planProblem(plan);
    if (problem !== null) return problem;
    await updatePlan(tx, plan);
    await recordAuditEvent(tx, planEvent('plan.change', plan, deps, actor));
    return { kind: 'changed', plan };
  });
}

/** Removes a plan that no customer is or was on. */
export async function removePlan(
  deps: AccountsDeps,
  name: string,
  actor: Actor,
): Promise<{ kind: 'removed' } | { kind: 'used' } | NotFound> {
  try {
    return await deps.db.transaction(async (tx) => {
      if (!(await deletePlan(tx, name))) return notFound;
      const at = deps.clock.now();
      await recordAuditEvent(tx, {
        actor,
        at,
        action: 'plan.remove',
        subject: name,
        customerId: null,
      });
      return { kind: 'removed' };
    });
  } catch (error) {
    if (isPlanInUse(error)) return { kind: 'used' };
    throw error;
  }
}

function planEvent(action: AuditAction, plan: Plan, deps: AccountsDeps, actor: Actor) {
  const details = { ...plan };
  return {
    actor,
    at: deps.clock.now(),
    action,
    subject: plan.name,
    customerId: null,
    details,
  };
}

function planProblem(plan: Plan): Invalid | null {
  if (!NAME.test(plan.name)) {
    return invalid(
      'name',
      '1 to 40 lower-case letters, digits and hyphens, starting with a letter',
    );
  }
  if (!isCount(plan.perMinute, PER_MINUTE_MAX)) {
    return invalid('perMinute', `a whole number from 1 to ${PER_MINUTE_MAX}`);
  }
  for (const name of ['perDay', 'perMonth'] as const) {
    if (plan[name] !== null && !isCount(plan[name], COUNT_MAX)) {
      return invalid(name, `a whole number from 1 to ${COUNT_MAX}, or none for no limit`);
    }
  }
  if (plan.historyMonths !== null && !isCount(plan.historyMonths, HISTORY_MONTHS_MAX)) {
    return invalid('historyMonths', `1 to ${HISTORY_MONTHS_MAX} months, or none for all history`);
  }
  const { computeMsPerMinute } = plan;
  if (computeMsPerMinute !== null && !isCount(computeMsPerMinute, COMPUTE_MS_MAX)) {
    const expected = `1 to ${COMPUTE_MS_MAX} milliseconds, or none for no limit`;
    return invalid('computeMsPerMinute', expected);
  }
  if (!isCount(plan.watchlistsMax, WATCHLISTS_MAX)) {
    return invalid('watchlistsMax', `a whole number from 1 to ${WATCHLISTS_MAX}`);
  }
  if (!isCount(plan.watchlistCompaniesMax, WATCHLIST_COMPANIES_MAX)) {
    return invalid('watchlistCompaniesMax', `a whole number from 1 to ${WATCHLIST_COMPANIES_MAX}`);
  }
  return null;
}

function isCount(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= max;
}
