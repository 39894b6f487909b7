import { expect, test } from 'vitest';
import { parameterValues } from '../../../test/support/parameter-values.ts';
import type { Endpoint, ParameterFault } from '../endpoint.ts';
import { endpoints } from '../registry.gen.ts';
import { gapsAt, pointInTimeOf } from './past-reads.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');
const MIDNIGHT_IN_NEW_YORK = Date.parse('2026-11-01T04:00:00Z');
const GIVEN = { date: '2026-11-20', symbol: 'NRTH', symbols: null };
const PRICED = ['bars', 'earnings-movers', 'earnings-reactions', 'unusual-volume'];
const past = endpoints.filter(({ parameters }) => parameters.some(({ name }) => name === 'asOf'));
const versioned = past.filter(({ name }) => !PRICED.includes(name));

test('supports asOf and known for the same responses', () => {
  expect(past.map(({ name }) => name).toSorted()).toEqual([
    'bars',
    'calendar-dividends',
    'calendar-earnings',
    'calendar-economic',
    'calendar-ipo',
    'earnings',
    'earnings-movers',
    'earnings-reactions',
    'profile',
    'profiles',
    'unusual-volume',
  ]);
  for (const { parameters } of past) {
    expect(parameters.find(({ name }) => name === 'known')).toMatchObject({ default: 'store' });
  }
});

test.each(past)('$name rejects a future instant and accepts now and past instants', (endpoint) => {
  for (const known of ['store', 'public']) {
    expect(faultOf(endpoint, { asOf: NOW + 1, known })).toMatchObject({ parameter: 'asOf' });
    expect(faultOf(endpoint, { asOf: NOW, known })).toBeNull();
    expect(faultOf(endpoint, { asOf: 0, known })).toBeNull();
  }
  expect(faultOf(endpoint, { known: 'public' })).toMatchObject({
    code: 'missing-parameter',
    parameter: 'asOf',
  });
});

test.each(versioned)(
  'marks a $name response for a past instant as final, so that no topic makes it stale',
  (endpoint) => {
    const values = parameterValues({ ...GIVEN, asOf: NOW });
    expect(endpoint.topics(values, NOW)).toEqual([]);
    expect(endpoint.validUntil?.(values, NOW) ?? null).toBeNull();
    expect(endpoint.maxAgeSeconds(values, NOW)).toBe(86_400);
    expect(endpoint.topics(parameterValues(GIVEN), NOW)).not.toEqual([]);
  },
);

test.each(past)(
  'lets a $name response expire if documents or prices read later may change it',
  (endpoint) => {
    const values = parameterValues({ ...GIVEN, asOf: NOW, known: 'public' });
    expect(endpoint.topics(values, NOW)).not.toEqual([]);
    expect(endpoint.validUntil?.(values, NOW)).toBeLessThanOrEqual(NOW + 60_000);
    expect(endpoint.maxAgeSeconds(values, NOW)).toBeLessThanOrEqual(60);
    const ofStore = parameterValues({ ...GIVEN, asOf: NOW });
    const hasPrices = PRICED.includes(endpoint.name);
    expect(endpoint.topics(ofStore, NOW).length > 0).toBe(hasPrices);
  },
);

test('requires symbols for the public knowledge about a range of report days', () => {
  const calendar = endpoints.find(({ name }) => name === 'calendar-earnings');
  const range = { from: '2026-11-16', to: '2026-11-17', asOf: NOW, known: 'public' };
  const fault = (values: Parameters<typeof parameterValues>[0]) =>
    calendar?.check?.(parameterValues(values), NOW);
  expect(fault(range)).toMatchObject({ code: 'missing-parameter', parameter: 'symbols' });
  expect(fault({ ...range, symbols: ['NRTH'] })).toBeNull();
  expect(fault({ ...range, known: 'store' })).toBeNull();
});

test('resolves today to the New York day at the asOf instant, or to the current day without asOf', () => {
  const at = MIDNIGHT_IN_NEW_YORK - 1;
  const point = { at, today: '2026-10-31', known: 'store' };
  expect(pointInTimeOf(parameterValues({ asOf: at }), NOW)).toEqual(point);
  expect(pointInTimeOf(parameterValues({ asOf: at, known: 'public' }), NOW)).toEqual({
    ...point,
    known: 'public',
  });
  expect(pointInTimeOf(parameterValues({ asOf: MIDNIGHT_IN_NEW_YORK }), NOW).today).toBe(
    '2026-11-01',
  );
  const now = { at: null, today: '2026-11-20', known: 'store' };
  expect(pointInTimeOf(parameterValues({}), NOW)).toEqual(now);
});

test('names what was not recorded at an instant, for the public knowledge alone', () => {
  const point = pointInTimeOf(parameterValues({ asOf: NOW, known: 'public' }), NOW);
  expect(gapsAt(point, ['consensus'], NOW)).toEqual([]);
  expect(gapsAt(point, ['consensus'], NOW + 1)).toEqual([{ data: 'consensus', before: NOW + 1 }]);
  expect(gapsAt(point, ['consensus'], null)).toEqual([{ data: 'consensus', before: null }]);
  expect(gapsAt({ ...point, known: 'store' }, ['consensus'], null)).toEqual([]);
});

function faultOf(
  endpoint: Endpoint,
  values: { asOf?: number; known?: string },
): ParameterFault | null {
  return endpoint.check?.(parameterValues({ ...GIVEN, ...values }), NOW) ?? null;
}
