import type { Plan } from '../api/calls.gen.ts';

/** The values of the plan form. An empty field means no limit. */
export interface PlanDraft {
  name: string;
  perMinute: number | string;
  perDay: number | string;
  perMonth: number | string;
  historyMonths: number | string;
  computeMsPerMinute: number | string;
  watchlistsMax: number | string;
  watchlistCompaniesMax: number | string;
}

export const NEW_PLAN: PlanDraft = {
  name: '',
  perMinute: 60,
  perDay: '',
  perMonth: '',
  historyMonths: '',
  computeMsPerMinute: 30_000,
  watchlistsMax: 50,
  watchlistCompaniesMax: 1_000,
};

const NAME = /^[a-z][a-z0-9-]{0,39}$/;

export function draftOf(plan: Plan): PlanDraft {
  const { perDay, perMonth, historyMonths, computeMsPerMinute, ...required } = plan;
  return {
    ...required,
    perDay: perDay ?? '',
    perMonth: perMonth ?? '',
    historyMonths: historyMonths ?? '',
    computeMsPerMinute: computeMsPerMinute ?? '',
  };
}

/** Converts a draft to a plan. Returns null without one of the limits that every plan must have. */
export function planOf(draft: PlanDraft): Plan | null {
  const { name, perMinute, perDay, perMonth, historyMonths } = draft;
  const { computeMsPerMinute, watchlistsMax, watchlistCompaniesMax } = draft;
  if (typeof perMinute !== 'number') return null;
  if (typeof watchlistsMax !== 'number' || typeof watchlistCompaniesMax !== 'number') return null;
  return {
    name,
    perMinute,
    watchlistsMax,
    watchlistCompaniesMax,
    perDay: limitOf(perDay),
    perMonth: limitOf(perMonth),
    historyMonths: limitOf(historyMonths),
    computeMsPerMinute: limitOf(computeMsPerMinute),
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
