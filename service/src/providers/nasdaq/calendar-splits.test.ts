import { expect, test } from 'vitest';
import { apiResponse, envelope } from '../../../test/support/providers/nasdaq-responses.ts';
import { calendarSplits, parseRatio } from './calendar-splits.ts';

test.each([
  ['1 : 25', 1, 25],
  ['4 : 1', 4, 1],
  ['3:2', 3, 2],
  ['1.5 : 1', 3, 2],
  ['1 : 12.5', 2, 25],
  ['5.000%', 21, 20],
  ['100%', 2, 1],
])('reads the ratio %s as %d new shares for %d old ones', (text, numerator, denominator) => {
  expect(parseRatio(text)).toEqual({ numerator, denominator });
});

test.each(['1 : 1', '0 : 4', '4 : 0', '0%', 'tbd', '4', '1 : 2 : 3', '-5%', '1 : 1000001'])(
  'rejects the ratio %s',
  (text) => {
    expect(() => parseRatio(text)).toThrow('the ratio is');
  },
);

function parseDay(executionDate: string, observedAt?: string) {
  const rows = [{ symbol: 'HARB/B', name: 'Harbor', ratio: '4 : 1', executionDate }];
  const body = envelope({ headers: {}, rows });
  return calendarSplits.parse(apiResponse('calendar/splits?date=2026-11-20', body, observedAt));
}

test('reads a split under its first session', () => {
  expect(parseDay('11/20/2026', '2026-11-20T13:00:00Z').rows).toEqual([
    {
      dataset: 'splits',
      entityKey: 'HARB.B',
      naturalKey: '2026-11-20',
      fields: { symbol: 'HARB.B', date: '2026-11-20', numerator: 4, denominator: 1 },
    },
  ]);
});

test('leaves out a split until its first session, because it may be postponed', () => {
  expect(parseDay('11/23/2026', '2026-11-20T13:00:00Z')).toEqual({ rows: [], bad: [] });
  expect(parseDay('11/23/2026', '2026-11-23T13:00:00Z').rows).toHaveLength(1);
});

test('quarantines a split without a date', () => {
  expect(parseDay('N/A')).toMatchObject({ rows: [], bad: [{ reason: 'missing-field' }] });
});
