import type { Plan } from '../api/calls.gen.ts';

/** A plan as it is typed; an empty field is no limit. */
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

/** Null while the minute has no number: that limit every plan has. */
export function planOf({ name, perMinute, ...rest }: PlanDraft): Plan | null {
  if (typeof perMinute !== 'number') return null;
  const { perDay, perMonth, historyMonths } = rest;
  return {
    name,
    perMinute,
    perDay: limitOf(perDay),
    perMonth: limitOf(perMonth),
    historyMonths: limitOf(historyMonths),
  };
}

/** What is wrong with the name of a new plan; null when nothing is. */
export function mistakeInName(name: string, known: readonly Plan[]): string | null {
  if (!NAME.test(name))
    return 'Lower-case letters, digits and hyphens, a letter first, 40 at most.';
  const isTaken = known.some((plan) => plan.name === name);
  return isTaken ? 'There is one of this name: change that one.' : null;
}

/** A day that allows more than its month never counts. Null when the limits fit each other. */
export function mistakeInLimits({ perDay, perMonth }: PlanDraft): string | null {
  if (typeof perDay !== 'number' || typeof perMonth !== 'number' || perDay <= perMonth) return null;
  return 'More than the month allows: the month would be over first.';
}

function limitOf(value: number | string): number | null {
  return typeof value === 'number' ? value : null;
}
