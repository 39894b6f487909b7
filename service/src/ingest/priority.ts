import type { BudgetUse } from '../platform/rate-limiter.ts';
import type { Priority } from '../providers/provider.ts';

const ORDER: readonly Priority[] = ['prompt', 'routine', 'spare'];

/**
 * Part of the budget for each priority. The rest of it is always free for more urgent requests, so
 * those never wait for the window to move on.
 */
export const BUDGET_USE: Readonly<Record<Priority, BudgetUse>> = {
  prompt: { share: 1, isSpread: false },
  routine: { share: 0.9, isSpread: false },
  spare: { share: 0.7, isSpread: true },
};

/** Returns a negative number if `a` goes first, and a positive number if `b` does. */
export function comparePriority(a: Priority, b: Priority): number {
  return ORDER.indexOf(a) - ORDER.indexOf(b);
}
