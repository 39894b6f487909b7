import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { deriveData, template } from './earnings-schedule.ts';
import { pickScheduledEvent } from './scheduled-event.ts';

function makeEvent(overrides: Partial<EarningsEvent> = {}): EarningsEvent {
  return {
    id: 'ern_1',
    securityId: 'sec_1',
    symbol: 'ACME',
    name: 'Acme Anvils Inc.',
    date: localDate('2026-11-20'),
    time: 'time-pre-market',
    dateStatus: 'confirmed',
    epsEstimate: '1.2',
    eps: null,
    revenueEstimate: '1500000000',
    revenue: null,
    estimateCount: 9,
    epsYearAgo: '1.05',
    fiscalYear: 2026,
    fiscalQuarter: 3,
    fiscalPeriodEnd: localDate('2026-09-30'),
    epsGaap: null,
    epsBasis: 'adjusted',
    isEpsComparable: true,
    currency: 'USD',
    reportedAt: null,
    estimateAsOf: null,
    revenueEstimateAsOf: null,
    callAt: null,
    estimates: null,
    guidance: null,
    markerAhead: true,
    splitFactor: '1',
    sourceUrl: null,
    projection: null,
    provenance: {},
    updatedAt: 0,
    ...overrides,
  };
}

/** Returns fields for an event whose EPS and revenue have both been known since the given time. */
function reportedAt(seenAt: string): Partial<EarningsEvent> {
  const source = { provider: 'nasdaq', feed: 'calendar-earnings', seenAt: Date.parse(seenAt) };
  return { eps: '1.25', revenue: '1510000000', provenance: { eps: source, revenue: source } };
}

const nextQuarter = makeEvent({ id: 'ern_2', date: localDate('2027-02-19') });

test('returns exactly the documented fields of an earnings event, in order, before and after the report', () => {
  const scheduled = deriveData(makeEvent());
  expect(Object.keys(scheduled)).toEqual(template.fields);
  expect(JSON.stringify(scheduled)).toBe(
    '{"date":"2026-11-20","time":"time-pre-market","epsEstimate":1.2,' +
      '"revenueEstimate":1500000000,"eps":null,"revenue":null}',
  );
  const reported = deriveData(makeEvent(reportedAt('2026-11-20T12:00:00Z')));
  expect(reported).toMatchObject({ eps: 1.25, revenue: 1_510_000_000 });
});

test('returns null, never zero, for a missing estimate', () => {
  const data = deriveData(makeEvent({ epsEstimate: null, revenueEstimate: null }));
  expect(data).toMatchObject({ epsEstimate: null, revenueEstimate: null });
});

test.each([
  ['the current quarter before its report', '2026-11-19T15:00:00Z', {}, 'ern_1'],
  [
    'the current quarter one day after its results',
    '2026-11-21T12:00:00Z',
    reportedAt('2026-11-20T12:00:00Z'),
    'ern_1',
  ],
  [
    'the current quarter a second before the first midnight a day after its results',
    '2026-11-22T04:59:59Z',
    reportedAt('2026-11-20T12:00:00Z'),
    'ern_1',
  ],
  [
    'the next quarter at the first midnight a day after the results',
    '2026-11-22T05:00:00Z',
    reportedAt('2026-11-20T12:00:00Z'),
    'ern_2',
  ],
  [
    'the current quarter nine days after its date without results',
    '2026-11-29T12:00:00Z',
    {},
    'ern_1',
  ],
  ['the next quarter ten days after the date without results', '2026-11-30T05:00:00Z', {}, 'ern_2'],
] as const)('picks %s', (_, now, overrides, expected) => {
  const events = [nextQuarter, makeEvent(overrides)];
  expect(pickScheduledEvent(events, Date.parse(now))?.id).toBe(expected);
});

test('stays on the current quarter while its EPS or revenue is missing', () => {
  const event = makeEvent({ ...reportedAt('2026-11-20T12:00:00Z'), revenue: null });
  const now = Date.parse('2026-11-24T12:00:00Z');
  expect(pickScheduledEvent([event, nextQuarter], now)?.id).toBe('ern_1');
});

test('picks the latest event if all events are settled, and none if there are no events', () => {
  const now = Date.parse('2028-01-01T00:00:00Z');
  expect(pickScheduledEvent([nextQuarter, makeEvent()], now)?.id).toBe('ern_2');
  expect(pickScheduledEvent([], now)).toBeNull();
});
