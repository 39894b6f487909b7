import { expect, test } from 'vitest';
import type { Person } from '../api/calls.gen.ts';
import { actionsFor, confirmationFor } from './person-confirmations.ts';

const IDA: Person = {
  id: 'per_1',
  email: 'ida@example.com',
  role: 'member',
  hasPassword: true,
  hasSecondFactor: false,
  createdAt: '2026-01-05T10:00:00.000Z',
  disabledAt: null,
};

function namesFor(person: Person, scope: 'account' | 'service', isOperator = true): string[] {
  return actionsFor(person, scope, isOperator).map(({ action }) => action);
}

test('offers role changes only for members of accounts', () => {
  expect(namesFor(IDA, 'account')).toEqual([
    'make-owner',
    'reset-password',
    'end-sessions',
    'disable',
    'remove',
  ]);
  expect(namesFor({ ...IDA, role: 'owner' }, 'account')[0]).toBe('make-member');
  expect(namesFor({ ...IDA, role: 'operator' }, 'service')).toEqual([
    'reset-password',
    'end-sessions',
    'disable',
    'remove',
  ]);
});

test('offers to disable two-factor authentication, and to enable a disabled user', () => {
  const person = { ...IDA, hasSecondFactor: true, disabledAt: '2026-01-06T10:00:00.000Z' };
  expect(namesFor(person, 'account')).toEqual([
    'make-owner',
    'reset-password',
    'remove-second-factor',
    'end-sessions',
    'enable',
    'remove',
  ]);
});

test('lets only operators help a user to sign in', () => {
  const person = { ...IDA, hasSecondFactor: true };
  const names = ['make-owner', 'end-sessions', 'disable', 'remove'];
  expect(namesFor(person, 'account', false)).toEqual(names);
});

test('mentions the user in every confirmation and marks destructive actions', () => {
  const confirmations = actionsFor({ ...IDA, hasSecondFactor: true }, 'account', true).map(
    ({ action }) => ({
      act: action,
      ...confirmationFor(action, IDA),
    }),
  );
  expect(confirmations.every(({ title }) => title.includes(IDA.email))).toBe(true);
  const harmless = confirmations.filter(({ isDanger }) => isDanger === false).map(({ act }) => act);
  expect(harmless).toEqual(['make-owner', 'reset-password']);
});
