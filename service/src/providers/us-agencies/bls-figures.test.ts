import { expect, test } from 'vitest';
import { WELL_KNOWN_EVENTS } from '../../datasets/economic-events/well-known-events.ts';
import { localDate } from '../../domain/local-date.ts';
import { parseInstant } from '../../platform/instant.ts';
import { createSourceResponse } from '../source-response.ts';
import { blsFigures } from './bls-figures.ts';
import { BLS_SERIES } from './bls-series.ts';

const OCTOBER = [
  ['2026', 'M10', '159300'],
  ['2026', 'M09', '159150.5'],
  ['2026', 'M08', '159190'],
] as const;

test('computes a change in payrolls from the level, with the month before', () => {
  expect(fieldsOf('CES0000000001', OCTOBER)).toMatchObject([
    { stem: 'us-nonfarm-payrolls', period: '2026-10', actual: '150K', previous: '-40K' },
  ]);
});

test('computes both earnings changes from one series, and rounds halves away from zero', () => {
  const values = [
    ['2026', 'M10', '40.06'],
    ['2026', 'M09', '40.00'],
    ['2025', 'M10', '38.50'],
  ] as const;
  expect(fieldsOf('CES0500000003', values)).toMatchObject([
    { stem: 'us-hourly-earnings-mom', actual: '0.2%', previous: null },
    { stem: 'us-hourly-earnings-yoy', actual: '4.1%', previous: null },
  ]);
});

test('keeps the decimal of a whole percentage', () => {
  expect(fieldsOf('LNS14000000', [['2026', 'M10', '4.0']])).toMatchObject([{ actual: '4.0%' }]);
});

test('rejects a latest value that has no base, and a series that ends before the latest period', () => {
  const { rows, bad } = blsFigures.parse(responseOf('CUSR0000SA0', [['2026', 'M10', '330.1']]));
  expect(rows).toEqual([]);
  expect(bad).toMatchObject([{ reason: 'missing-field', entityKey: '2026-11' }]);
  expect(() => blsFigures.parse(responseOf('CUSR0000SA0', [['2026', 'M07', '330.1']]))).toThrow(
    'latest value',
  );
});

test('assigns each series to a well-known event, within the daily limit of 25 requests', () => {
  const stems = WELL_KNOWN_EVENTS.map(({ stem }) => stem);
  expect(BLS_SERIES.filter(({ stem }) => !stems.includes(stem))).toEqual([]);
  const requestsAt = (time: string): number =>
    blsFigures.plan?.({
      now: parseInstant(`2026-11-20T${time}:00Z`) ?? 0,
      today: localDate('2026-11-20'),
      symbols: [],
      ciks: new Map(),
      setting: () => 'Jane Doe jane@example.org',
    }).length ?? 0;
  expect([requestsAt('13:35'), requestsAt('15:03')]).toEqual([14, 1]);
});

type Value = readonly [year: string, period: string, value: string];

function fieldsOf(id: string, values: readonly Value[]): object[] {
  return blsFigures.parse(responseOf(id, values)).rows.map(({ fields }) => fields);
}

function responseOf(id: string, values: readonly Value[]) {
  const data = values.map(([year, period, value]) => ({ year, period, value, footnotes: [{}] }));
  return createSourceResponse({
    url: `https://api.bls.gov/publicAPI/v1/timeseries/data/${id}`,
    status: 200,
    contentType: 'application/json',
    observedAt: parseInstant('2026-11-20T15:00:00Z') ?? 0,
    text: JSON.stringify({ Results: { series: [{ seriesID: id, data }] } }),
  });
}
