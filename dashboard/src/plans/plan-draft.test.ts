import { expect, test } from 'vitest';
import { draftOf, limitsError, nameError, NEW_PLAN, planOf } from './plan-draft.ts';

const TEAM = {
  name: 'team',
  perMinute: 120,
  perDay: 5_000,
  perMonth: null,
  historyMonths: 36,
  computeMsPerMinute: null,
  watchlistsMax: 20,
  watchlistCompaniesMax: 500,
};

test('converts a plan to form values and back without changes', () => {
  expect(planOf(draftOf(TEAM))).toEqual(TEAM);
});

test('reads an empty field in the plan form as no limit, but requires the limits that every plan has', () => {
  expect(planOf({ ...NEW_PLAN, name: 'open' })).toEqual({
    name: 'open',
    perMinute: 60,
    perDay: null,
    perMonth: null,
    historyMonths: null,
    computeMsPerMinute: 30_000,
    watchlistsMax: 50,
    watchlistCompaniesMax: 1_000,
  });
  for (const name of ['perMinute', 'watchlistsMax', 'watchlistCompaniesMax']) {
    expect(planOf({ ...NEW_PLAN, [name]: '' })).toBeNull();
  }
});

test('rejects invalid plan names and names already in use', () => {
  expect(nameError('team', [TEAM])).toContain('already exists');
  expect(nameError('team-2', [TEAM])).toBeNull();
  expect(nameError('Team', [])).toContain('lowercase');
  expect(nameError('2team', [])).toContain('lowercase');
});

test('rejects a plan with a daily limit above the monthly limit', () => {
  expect(limitsError({ ...NEW_PLAN, perDay: 900, perMonth: 400 })).toContain('monthly');
  expect(limitsError({ ...NEW_PLAN, perDay: 400, perMonth: 400 })).toBeNull();
  expect(limitsError({ ...NEW_PLAN, perDay: 900 })).toBeNull();
});
