import { expect, test } from 'vitest';
import { draftOf, mistakeInLimits, mistakeInName, NEW_PLAN, planOf } from './plan-draft.ts';

const TEAM = { name: 'team', perMinute: 120, perDay: 5_000, perMonth: null, historyMonths: 36 };

test('a plan is the same after it was opened to be changed', () => {
  expect(planOf(draftOf(TEAM))).toEqual(TEAM);
});

test('an empty field is no limit, and the minute always has one', () => {
  expect(planOf({ ...NEW_PLAN, name: 'open' })).toEqual({
    name: 'open',
    perMinute: 60,
    perDay: null,
    perMonth: null,
    historyMonths: null,
  });
  expect(planOf({ ...NEW_PLAN, perMinute: '' })).toBeNull();
});

test('a new plan cannot take the place of one that is there', () => {
  expect(mistakeInName('team', [TEAM])).toContain('There is one');
  expect(mistakeInName('team-2', [TEAM])).toBeNull();
  expect(mistakeInName('Team', [])).toContain('Lower-case');
  expect(mistakeInName('2team', [])).toContain('Lower-case');
});

test('a day that allows more than its month is pointed out', () => {
  expect(mistakeInLimits({ ...NEW_PLAN, perDay: 900, perMonth: 400 })).toContain('month');
  expect(mistakeInLimits({ ...NEW_PLAN, perDay: 400, perMonth: 400 })).toBeNull();
  expect(mistakeInLimits({ ...NEW_PLAN, perDay: 900 })).toBeNull();
});
