import { expect, it } from 'vitest';
import type { CalendarObservation } from '../../datasets/earnings/observation.ts';
import { localDate } from '../../domain/local-date.ts';
import { parseInstant } from '../../platform/instant.ts';
import { createSourceResponse } from '../source-response.ts';
import { observationDate, withoutZeroSentinels } from './zero-sentinels.ts';

const TODAY = localDate('2026-11-19');
const BOTH_ZERO = { eps: '0', revenue: '0' };
const NEITHER = { eps: null, revenue: null };

function reportOf(fields: Partial<CalendarObservation>): CalendarObservation {
  const date = localDate('2026-11-18');
  return { kind: 'calendar', symbol: 'MERD', date, time: 'time-not-supplied', ...fields };
}

it.each([
  ['dated tomorrow', { date: localDate('2026-11-20'), eps: '0', revenue: '7' }, { eps: null }],
  ['dated today without a session', { date: TODAY, eps: '0' }, { eps: null }],
  ['next to another zero, both past', BOTH_ZERO, NEITHER],
])('ignores a zero result %s', (_when, fields, expected) => {
  expect(withoutZeroSentinels(reportOf(fields), TODAY)).toMatchObject(expected);
});

it.each([
  ['in the past next to another figure', { eps: '0', revenue: '7' }],
  ['in the past, the only one present', { eps: '0', revenue: null }],
  ['in the past, the only field', { eps: '0' }],
  ['dated today with a session', { date: TODAY, time: 'time-pre-market', eps: '0' }],
] as const)('keeps a zero result %s', (_when, fields) => {
  expect(withoutZeroSentinels(reportOf(fields), TODAY)).toEqual(reportOf(fields));
});

it('keeps a zero result if the observation date is unknown', () => {
  const fields = { date: localDate('2026-11-20'), eps: '0' };
  expect(withoutZeroSentinels(reportOf(fields), null)).toEqual(reportOf(fields));
});

it('keeps a non-zero figure for a future date', () => {
  const fields = { date: localDate('2026-11-20'), eps: '1.2' };
  expect(withoutZeroSentinels(reportOf(fields), TODAY)).toEqual(reportOf(fields));
});

it('ignores a zero EPS consensus if the revenue consensus is also zero', () => {
  const zeros = reportOf({ epsEstimate: '0', revenueEstimate: '0' });
  const bothZero = reportOf({ epsEstimate: '0', revenueEstimate: '5' });
  const unknown = { epsEstimate: null, revenueEstimate: null };
  expect(withoutZeroSentinels(zeros, TODAY)).toMatchObject(unknown);
  expect(withoutZeroSentinels(bothZero, TODAY)).toEqual(bothZero);
});

it.each([
  ['2026-11-20T03:30:00Z', TODAY],
  ['unknown', null],
])('maps a response observed at %s to the New York date %s', (observedAt, day) => {
  const response = createSourceResponse({
    url: 'https://example.com/',
    status: 200,
    contentType: 'application/json',
    observedAt: parseInstant(observedAt) ?? 0,
    text: '',
  });
  expect(observationDate(response)).toBe(day);
});
