import { expect, test } from 'vitest';
import { parameterValues } from '../../../test/support/parameter-values.ts';
import { localDate } from '../../domain/local-date.ts';
import {
  requestedDays,
  dateOrRangeFault,
  daysMaxAgeSeconds,
  eachDay,
  rangeFault,
} from './date-range.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');

test.each([
  [{ date: '2026-11-20' }, null],
  [{ from: '2026-11-20', to: '2026-11-20' }, null],
  [{ from: '2026-09-01', to: '2026-12-01' }, null],
  [{}, 'missing-parameter date'],
  [{ from: '2026-11-20' }, 'missing-parameter to'],
  [{ to: '2026-11-20' }, 'missing-parameter from'],
  [{ date: '2026-11-20', from: '2026-11-20', to: '2026-11-21' }, 'invalid-parameter date'],
  [{ date: '2026-11-20', to: '2026-11-21' }, 'invalid-parameter date'],
  [{ from: '2026-11-20', to: '2026-11-19' }, 'invalid-parameter to'],
  [{ from: '2026-09-01', to: '2026-12-02' }, 'invalid-parameter to'],
])(
  'for %j, returns the fault %s if a day or a range of up to 92 days is required',
  (parameters, expected) => {
    const fault = dateOrRangeFault(parameterValues(parameters), 92);
    expect(fault === null ? null : `${fault.code} ${fault.parameter}`).toBe(expected);
  },
);

test('accepts a request without parameters if the date range is optional', () => {
  expect(rangeFault(parameterValues({}), 400)).toBeNull();
  expect(rangeFault(parameterValues({ from: '2026-01-01' }), 400)).toMatchObject({
    parameter: 'to',
  });
});

test('includes every day of a range that spans months, including both ends', () => {
  const days = requestedDays(parameterValues({ from: '2026-02-27', to: '2026-03-01' }));
  expect(eachDay(days)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  expect(eachDay(requestedDays(parameterValues({ date: '2026-02-27' })))).toEqual(['2026-02-27']);
});

test.each([
  ['2026-11-20', '2026-11-20', 60],
  ['2026-09-01', '2026-11-20', 60],
  ['2026-10-01', '2026-12-24', 60],
  ['2026-11-21', '2026-12-24', 60],
  ['2026-11-22', '2026-12-24', 900],
  ['2026-11-01', '2026-11-13', 900],
  ['2026-10-01', '2026-11-12', 86_400],
])(
  'allows caching of the range %s to %s as long as its most volatile day allows (%i seconds)',
  (from, to, s) => {
    expect(daysMaxAgeSeconds({ from: localDate(from), to: localDate(to) }, NOW)).toBe(s);
  },
);
