import { expect, test } from 'vitest';
import { endpoint as calendar } from '../../endpoints/calendar-earnings.ts';
import { endpoint as economic } from '../../endpoints/calendar-economic.ts';
import { csvShapeOf } from '../response/csv.ts';
import { rangeVariant } from './day-or-range.ts';
import { createTargetParser, resolveParameters } from './request-target.ts';
import { createRoutes } from './routes.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');
const targetOf = createTargetParser(createRoutes([calendar, economic]));

function resolve(url: string) {
  const target = targetOf(url);
  return target === null ? null : resolveParameters(target, NOW);
}

test('serves ranges at a path of their own if they differ from a day in their response', () => {
  expect(resolve('/v1/calendar/earnings/range?from=today&to=tomorrow')).toMatchObject({
    location: '/v1/calendar/earnings/range?from=2026-11-20&to=2026-11-21',
  });
  expect(resolve('/v1/calendar/earnings?from=today&to=tomorrow')).toHaveProperty('location');
  expect(targetOf('/v1/calendar/economic/range?from=today&to=tomorrow')).toBeNull();
});

test.each([
  ['', 'from'],
  ['?from=today', 'to'],
  ['?from=today&to=tomorrow&date=today', 'date'],
  ['?date=today', 'from'],
  ['?from=tomorrow&to=today', 'to'],
])('rejects /range%s and names the parameter', (query, parameter) => {
  const refusal = { members: { parameter } };
  expect(resolve(`/v1/calendar/earnings/range${query}`)).toMatchObject({ refusal });
});

test('renders a range as the same CSV at both paths', () => {
  const range = rangeVariant(calendar);
  expect(range === null ? null : csvShapeOf(range)).toEqual(csvShapeOf(calendar));
});
