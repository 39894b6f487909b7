import { findPlan } from '../accounts/plans/plan-store.ts';
import type { Queryable } from '../storage/db.ts';
import { StoreKindError } from './store-kind.ts';

/** Who signs up would be told that there is no such plan, and could do nothing about it. */
export async function refuseMissingPlan(db: Queryable, name: string | null): Promise<void> {
  if (name === null || (await findPlan(db, name)) !== null) return;
  throw new StoreKindError(
    `SIGN_UP_PLAN names the plan ${name}, and there is none: npx afterbell plans list shows them`,
  );
}
