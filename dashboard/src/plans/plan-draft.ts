import type { Plan } from '../api/calls.gen.ts';

/** The values of the plan form. An empty field means no limit. */
export interface PlanDraft {
  name: string;
  perMinute: number | string;
  perDay: number | string;
  perMonth: number | string;
  historyMonths: number | string;
}

export const NEW_PLAN: PlanDraft = {
  name: '',
  perMinute: 60,
  perDay: '',
  perMonth: '',
  historyMonths: '',
};

const NAME = /^[a-z][a-z0-9-]{0,39}$/;

export function draftOf({ name, perMinute, perDay, perMonth, historyMonths }: Plan): PlanDraft {
  return {
    name,
    perMinute,
    perDay: perDay ?? '',
    perMonth: perMonth ?? '',
    historyMonths: historyMonths ?? '',
  };
}

/**
 * Converts a draft to a plan. Returns null without the limit per minute, which every plan must
 * have.
 */
export function planOf({ name, perMinute, ...limits }: PlanDraft): Plan | null {
  if (typeof perMinute !== 'number') return null;
  const { perDay, perMonth, historyMonths } = limits;
  return {
    name,
    perMinute,
    perDay: limitOf(perDay),
    perMonth: limitOf(perMonth),
    historyMonths: limitOf(historyMonths),
  };
}

/** Returns the validation error for a new plan's name, or null if the name is valid. */
export function nameError(name: string, existing: readonly Plan[]): string | null {
  if (!NAME.test(name))
    return 'Use lowercase letters, digits and hyphens, starting with a letter. At most 40 characters.';
  const isTaken = existing.some((plan) => plan.name === name);
  return isTaken ? 'A plan with this name already exists.' : null;
}

/**
 * Returns the validation error for a daily limit above the monthly limit, or null if the limits are
 * valid.
 */
export function limitsError({ perDay, perMonth }: PlanDraft): string | null {
  if (typeof perDay !== 'number' || typeof perMonth !== 'number' || perDay <= perMonth) return null;
  return 'The daily limit is higher than the monthly limit.';
}

function limitOf(value: number | string): number | null {
  return typeof value === 'number' ? value : null;
}
