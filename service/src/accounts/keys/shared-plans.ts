import type { Plan } from '../../domain/plan.ts';
import { type PlanRow, toPlan } from '../plans/plan-store.ts';

/** One object for each plan, however many keys are on it. */
export interface SharedPlans {
  /** The plan of a row. It is shared when it is as it was at the last `replace`, or new. */
  of(row: PlanRow): Plan;
  /** The plans as they are now; returns those that differ from what was shared, by name. */
  replace(plans: readonly Plan[]): Map<string, Plan>;
}

export function createSharedPlans(): SharedPlans {
  const shared = new Map<string, Plan>();

  return {
    of(row) {
      const plan = toPlan(row);
      const known = shared.get(plan.name);
      if (known === undefined) shared.set(plan.name, plan);
      return known !== undefined && isSame(known, plan) ? known : plan;
    },
    replace(plans) {
      const changed = new Map<string, Plan>();
      for (const plan of plans) {
        const known = shared.get(plan.name);
        if (known !== undefined && isSame(known, plan)) continue;
        shared.set(plan.name, plan);
        changed.set(plan.name, plan);
      }
      return changed;
    },
  };
}

function isSame(left: Plan, right: Plan): boolean {
  return (
    left.perMinute === right.perMinute &&
    left.perDay === right.perDay &&
    left.perMonth === right.perMonth &&
    left.historyMonths === right.historyMonths
  );
}
