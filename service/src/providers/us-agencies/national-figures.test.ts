import { expect, test } from 'vitest';
import { loadFixtures } from '../../../test/support/providers/fixtures.ts';
import { localDate } from '../../domain/local-date.ts';
import { parseInstant } from '../../platform/instant.ts';
import type { Feed, PlanContext } from '../provider.ts';
import { createSourceResponse } from '../source-response.ts';
import { beaFigures } from './bea-figures.ts';
import { beaRelease } from './bea-release.ts';
import { censusFigures } from './census-figures.ts';
import { retailSales } from './retail-sales.ts';

const fixtures = loadFixtures(import.meta.url);

function parse(feed: Feed, name: string, observedAt?: string) {
  const raw = fixtures.find((fixture) => fixture.name === name)?.raw;
  if (raw === undefined) throw new Error(`no fixture ${name}`);
  const at = observedAt === undefined ? raw.observedAt : (parseInstant(observedAt) ?? 0);
  return feed.parse(createSourceResponse({ ...raw, observedAt: at }));
}

function fieldsOf(feed: Feed, name: string): object[] {
  return parse(feed, name).rows.map(({ fields }) => fields);
}

test('computes changes of retail sales from the adjusted block of the text file', () => {
  expect(fieldsOf(retailSales, 'retail-sales')).toMatchObject([
    { stem: 'us-retail-sales-mom', period: '2026-10', actual: '0.5%', previous: '0.1%' },
    { stem: 'us-retail-sales-yoy', actual: '2.0%', previous: '1.6%' },
  ]);
});

test('shows housing in millions and trade in billions, as calendars do', () => {
  expect(fieldsOf(censusFigures, 'census-figures')).toMatchObject([
    { stem: 'us-housing-starts', period: '2026-10', actual: '1.362M', previous: '1.425M' },
    { stem: 'us-housing-starts-mom', actual: '-4.4%', previous: '1.8%' },
  ]);
  expect(fieldsOf(censusFigures, 'census-figures-trade')).toMatchObject([
    { stem: 'us-trade-balance', period: '2026-09', actual: '-68.10B', previous: '-71.25B' },
  ]);
});

test('keeps a change without the month before as an invalid row', () => {
  const { rows, bad } = parse(censusFigures, 'census-figures-no-base');
  expect(rows).toEqual([]);
  expect(bad.map(({ reason }) => reason)).toEqual(['missing-field']);
});

test('reads prices of both lines, monthly and against the year before', () => {
  expect(fieldsOf(beaFigures, 'bea-figures-prices')).toMatchObject([
    { stem: 'us-pce-mom', period: '2026-10', actual: '0.3%' },
    { stem: 'us-pce-yoy', actual: '2.7%' },
    { stem: 'us-core-pce-mom', actual: '0.2%' },
  ]);
});

test.each([
  ['2026-10-29T12:30:20Z', 'advance'],
  ['2026-11-03T12:30:20Z', 'advance'],
  ['2026-11-25T13:30:20Z', 'second'],
  ['2026-12-22T13:30:20Z', 'third'],
  ['2027-01-12T13:30:20Z', 'third'],
])('derives the estimate of a quarter from the day of the response, %s', (observedAt, vintage) => {
  const { rows } = parse(beaFigures, 'bea-figures', observedAt);
  expect(rows).toMatchObject([
    {
      naturalKey: `us-gdp-qoq/2026-Q3/${vintage}`,
      fields: { period: '2026-Q3', vintage, actual: '3.0%', previous: '2.1%' },
    },
  ]);
});

test('requests the tables and series of due releases, and nothing without a key', () => {
  const today = localDate('2026-11-25');
  const context = (key: string | undefined): PlanContext => ({
    now: parseInstant('2026-11-25T13:31:00Z') ?? 0,
    today,
    symbols: [],
    ciks: new Map(),
    awaitedFigures: ['us-pce-mom', 'us-core-pce-yoy', 'us-gdp-qoq', 'us-durable-goods-mom'].map(
      (stem) => ({ stem, date: today, provider: null }),
    ),
    setting: (name) => (name === 'SEC_CONTACT' ? 'Jane Doe jane@example.org' : key),
  });
  const parametersOf = (feed: Feed, name: string) =>
    feed.plan?.(context('some-free-key')).map(({ url }) => new URL(url).searchParams.get(name));
  expect(parametersOf(beaFigures, 'TableName')).toEqual(['T10101', 'T20804']);
  expect(parametersOf(beaFigures, 'Year')).toEqual(['2024,2025,2026', '2024,2025,2026']);
  expect(parametersOf(censusFigures, 'category_code')).toEqual(['MDM']);
  for (const feed of [beaFigures, censusFigures]) {
    expect(feed.plan?.(context(undefined))).toEqual([]);
  }
});

test('reads the figures of both BEA releases from their text, without a key', () => {
  expect(fieldsOf(beaRelease, 'bea-release-income')).toMatchObject([
    { stem: 'us-personal-income-mom', period: '2026-10', actual: '0.4%', isUndated: true },
    { stem: 'us-personal-spending-mom', actual: '-0.1%' },
    { stem: 'us-pce-mom', actual: '0.3%' },
    { stem: 'us-core-pce-mom', actual: '0.0%' },
    { stem: 'us-pce-yoy', actual: '2.7%' },
    { stem: 'us-core-pce-yoy', actual: '2.9%' },
  ]);
  expect(fieldsOf(beaRelease, 'bea-release-gdp')).toMatchObject([
    { stem: 'us-gdp-qoq', period: '2026-Q3', vintage: 'advance', actual: '-0.5%' },
  ]);
});

test('requests the BEA releases of due days at the addresses of their titles', () => {
  const pathsOn = (day: string) => {
    const date = localDate(day);
    const requests = beaRelease.plan?.({
      now: parseInstant(`${day}T13:31:00Z`) ?? 0,
      today: date,
      symbols: [],
      ciks: new Map(),
      awaitedFigures: ['us-pce-mom', 'us-pce-yoy', 'us-gdp-qoq'].map((stem) => {
        return { stem, date, provider: null };
      }),
      setting: () => 'Jane Doe jane@example.org',
    });
    return requests?.map(({ url }) => new URL(url).pathname);
  };
  expect(pathsOn('2026-08-26')).toEqual([
    '/news/2026/personal-income-and-outlays-july-2026',
    '/news/2026/gdp-second-estimate-and-corporate-profits-2nd-quarter-2026',
  ]);
  expect(pathsOn('2027-01-29')).toEqual([
    '/news/2027/personal-income-and-outlays-december-2026',
    '/news/2027/gdp-advance-estimate-4th-quarter-and-year-2026',
  ]);
  expect(pathsOn('2026-12-23')).toEqual(['/news/2026/personal-income-and-outlays-november-2026']);
});
