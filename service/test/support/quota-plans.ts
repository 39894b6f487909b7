import type { ReadLimits } from '../../src/domain/plan.ts';

/** A plan with a limit in each window, low ones for day and month. */
export const FREE: ReadLimits = {
  name: 'Free',
  perMinute: 60,
  perDay: 100,
  perMonth: 1_000,
  historyMonths: 24,
};

/** `FREE` with so few requests that a test can use them up. */
export const SCARCE: ReadLimits = { ...FREE, perDay: 3, perMonth: 5 };

/** A plan whose only limit is the minute. */
export const PRO: ReadLimits = {
  name: 'Pro',
  perMinute: 300,
  perDay: null,
  perMonth: null,
  historyMonths: null,
};
