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

test('assigns each series to a well-known event, within the limit of 25 series a request', () => {
  expect(BLS_SERIES.length).toBeLessThanOrEqual(25);
  const stems = WELL_KNOWN_EVENTS.map(({ stem }) => stem);
  expect(BLS_SERIES.filter(({ stem }) => !stems.includes(stem))).toEqual([]);
});

test('requests only the series whose figures are due and missing, and older ones at night', () => {
  const today = localDate('2026-11-20');
  const awaited = [
    { stem: 'us-cpi-yoy', date: today, provider: null },
    { stem: 'us-cpi-mom', date: today, provider: 'nasdaq' },
    { stem: 'us-core-cpi-mom', date: today, provider: 'us-agencies' },
    { stem: 'us-jolts-openings', date: localDate('2026-11-03'), provider: null },
  ];
  const seriesAt = (time: string, awaitedFigures = awaited): string[] => {
    const requests = blsFigures.plan?.({
      now: parseInstant(`2026-11-20T${time}:00Z`) ?? 0,
      today,
      symbols: [],
      ciks: new Map(),
      awaitedFigures,
      setting: () => 'Jane Doe jane@example.org',
    });
    return [...(requests?.[0]?.body ?? '').matchAll(/"([A-Z0-9]+)"/g)].map(([, id = '']) => id);
  };
  expect(seriesAt('13:31')).toEqual(['CUSR0000SA0', 'CUUR0000SA0']);
  expect(seriesAt('09:00')).toEqual(['CUSR0000SA0', 'CUUR0000SA0', 'JTS000000000000000JOL']);
  expect(seriesAt('13:31', [])).toEqual([]);
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
