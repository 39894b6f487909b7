import { expect, test } from 'vitest';
import { parameterValues } from '../../../test/support/parameter-values.ts';
import type { Endpoint, ParameterFault } from '../endpoint.ts';
import { endpoints } from '../registry.gen.ts';
import { pointInTimeOf } from './past-reads.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');
const MIDNIGHT_IN_NEW_YORK = Date.parse('2026-11-01T04:00:00Z');
const GIVEN = { date: '2026-11-20', symbol: 'NRTH' };
const taking = endpoints.filter(({ parameters }) => parameters.some(({ name }) => name === 'asOf'));
const past = taking.filter((endpoint) => faultOf(endpoint, NOW) === null);
const refusing = taking.filter((endpoint) => !past.includes(endpoint));

test('supports asOf only for calendars, company reports and profiles', () => {
  expect(past.map(({ name }) => name).toSorted()).toEqual([
    'calendar-dividends',
    'calendar-earnings',
    'calendar-economic',
    'calendar-ipo',
    'earnings',
    'profile',
  ]);
});

test.each(past)('$name rejects a future instant and accepts now and past instants', (endpoint) => {
  expect(faultOf(endpoint, NOW + 1)).toMatchObject({ parameter: 'asOf' });
  expect(faultOf(endpoint, NOW)).toBeNull();
  expect(faultOf(endpoint, 0)).toBeNull();
});

test('rejects asOf with a reason for responses computed from prices', () => {
  expect(refusing.map(({ name }) => name).toSorted()).toEqual([
    'earnings-movers',
    'earnings-reactions',
    'unusual-volume',
  ]);
  for (const endpoint of refusing) {
    const fault = faultOf(endpoint, 0);
    expect(fault).toMatchObject({ code: 'invalid-parameter', parameter: 'asOf' });
    expect(fault?.detail).toContain('computed from prices');
    expect(endpoint.check?.(parameterValues(GIVEN), NOW) ?? null).toBeNull();
  }
});

test.each(past)(
  'marks a $name response for a past instant as final, so that no topic makes it stale',
  (endpoint) => {
    const values = parameterValues({ ...GIVEN, asOf: NOW });
    expect(endpoint.topics(values, NOW)).toEqual([]);
    expect(endpoint.validUntil?.(values, NOW) ?? null).toBeNull();
    expect(endpoint.maxAgeSeconds(values, NOW)).toBe(86_400);
    expect(endpoint.topics(parameterValues(GIVEN), NOW)).not.toEqual([]);
  },
);

test('resolves today to the New York day at the asOf instant, or to the current day without asOf', () => {
  const values = parameterValues({ asOf: MIDNIGHT_IN_NEW_YORK - 1 });
  expect(pointInTimeOf(values, NOW)).toEqual({ at: MIDNIGHT_IN_NEW_YORK - 1, today: '2026-10-31' });
  expect(pointInTimeOf(parameterValues({ asOf: MIDNIGHT_IN_NEW_YORK }), NOW).today).toBe(
    '2026-11-01',
  );
  expect(pointInTimeOf(parameterValues({}), NOW)).toEqual({ at: null, today: '2026-11-20' });
});

function faultOf(endpoint: Endpoint, asOf: number): ParameterFault | null {
  return endpoint.check?.(parameterValues({ ...GIVEN, asOf }), NOW) ?? null;
}
