import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { wellKnownIdentity, plainId } from './event-id.ts';
import { wellKnownEvent } from './identify-events.ts';

test.each([
  ['us-cpi-yoy', '2021-03-10', 'us-cpi-yoy:2021-02'],
  ['us-cpi-yoy', '2025-10-24', 'us-cpi-yoy:2025-09'],
  ['us-nonfarm-payrolls', '2021-03-05', 'us-nonfarm-payrolls:2021-02'],
  ['us-adp-employment', '2021-03-31', 'us-adp-employment:2021-03'],
  ['us-jolts-openings', '2023-10-03', 'us-jolts-openings:2023-08'],
  ['us-jolts-openings', '2021-03-11', 'us-jolts-openings:2021-01'],
  ['us-core-pce-mom', '2021-10-01', 'us-core-pce-mom:2021-08'],
  ['us-core-pce-mom', '2021-03-26', 'us-core-pce-mom:2021-02'],
  ['us-trade-balance', '2021-03-05', 'us-trade-balance:2021-01'],
  ['us-consumer-confidence', '2021-03-30', 'us-consumer-confidence:2021-03'],
  ['us-michigan-sentiment', '2021-03-12', 'us-michigan-sentiment-preliminary:2021-03'],
  ['us-michigan-sentiment', '2021-03-26', 'us-michigan-sentiment-final:2021-03'],
  ['us-gdp-qoq', '2021-01-28', 'us-gdp-qoq-advance:2020-Q4'],
  ['us-gdp-qoq', '2021-02-25', 'us-gdp-qoq-second:2020-Q4'],
  ['us-gdp-qoq', '2021-03-25', 'us-gdp-qoq-third:2020-Q4'],
  ['us-employment-cost-index', '2021-04-30', 'us-employment-cost-index:2021-Q1'],
  ['us-initial-jobless-claims', '2021-03-11', 'us-initial-jobless-claims:2021-03-11'],
  ['us-fomc-statement', '2021-03-17', 'us-fomc-statement:2021-03-17'],
  // Delayed by the shutdowns in 2013, 2018 and 2025.
  ['us-nonfarm-payrolls', '2013-10-22', 'us-nonfarm-payrolls:2013-09'],
  ['us-nonfarm-payrolls', '2013-11-08', 'us-nonfarm-payrolls:2013-10'],
  ['us-cpi-yoy', '2013-10-30', 'us-cpi-yoy:2013-09'],
  ['us-gdp-qoq', '2013-11-07', 'us-gdp-qoq-advance:2013-Q3'],
  ['us-gdp-qoq', '2013-12-05', 'us-gdp-qoq-second:2013-Q3'],
  ['us-gdp-qoq', '2013-12-20', 'us-gdp-qoq-third:2013-Q3'],
  ['us-retail-sales-mom', '2019-02-14', 'us-retail-sales-mom:2018-12'],
  ['us-gdp-qoq', '2019-02-28', 'us-gdp-qoq-initial:2018-Q4'],
  ['us-core-pce-yoy', '2019-03-29', 'us-core-pce-yoy:2019-01'],
  ['us-personal-income-mom', '2019-03-29', 'us-personal-income-mom:2019-02'],
  ['us-nonfarm-payrolls', '2025-11-20', 'us-nonfarm-payrolls:2025-09'],
  ['us-nonfarm-payrolls', '2025-12-16', 'us-nonfarm-payrolls:2025-11'],
  ['us-cpi-yoy', '2025-12-18', 'us-cpi-yoy:2025-11'],
  ['us-ppi-mom', '2025-11-25', 'us-ppi-mom:2025-09'],
  ['us-trade-balance', '2025-12-11', 'us-trade-balance:2025-09'],
  ['us-gdp-qoq', '2025-12-23', 'us-gdp-qoq-initial:2025-Q3'],
  ['us-gdp-qoq', '2026-02-20', 'us-gdp-qoq-advance:2025-Q4'],
  ['us-gdp-qoq', '2026-03-13', 'us-gdp-qoq-second:2025-Q4'],
  ['us-gdp-qoq', '2026-04-30', 'us-gdp-qoq-advance:2026-Q1'],
  // Two months at once, and dates without a known source: the id ends with the day.
  ['us-core-pce-mom', '2026-01-22', 'us-core-pce-mom:2026-01-22'],
  ['us-retail-sales-mom', '2019-03-11', 'us-retail-sales-mom:2019-03-11'],
  ['us-gdp-qoq', '2026-01-22', 'us-gdp-qoq:2026-01-22'],
])('%s released on %s has the id %s', (stem, date, id) => {
  const event = wellKnownEvent(stem);
  expect(event && wellKnownIdentity(event, localDate(date)).id).toBe(id);
});

test('prefers the period that a source states to the one implied by the release date', () => {
  const event = wellKnownEvent('us-nonfarm-payrolls');
  const identity =
    event && wellKnownIdentity(event, localDate('2025-11-20'), { period: '2025-09' });
  expect(identity).toMatchObject({ id: 'us-nonfarm-payrolls:2025-09', period: '2025-09' });
});

test('assigns no period to a delayed release covering several months, unless its source states one', () => {
  const event = wellKnownEvent('us-housing-starts');
  const day = localDate('2026-02-18');
  expect(event && wellKnownIdentity(event, day)).toMatchObject({
    id: 'us-housing-starts:2026-02-18',
    period: null,
  });
  expect(event && wellKnownIdentity(event, day, { period: '2025-12' }).id).toBe(
    'us-housing-starts:2025-12',
  );
});

test('gives late estimates for the same quarter separate labels', () => {
  const event = wellKnownEvent('us-gdp-qoq');
  const name = (day: string): string | null =>
    event && wellKnownIdentity(event, localDate(day)).name;
  expect(name('2025-12-23')).toBe('GDP (initial estimate)');
  expect(name('2013-12-05')).toBe('GDP (second estimate)');
  expect(name('2026-01-22')).toBe('GDP');
});

test('builds the ids of other events from country, name and day', () => {
  const day = localDate('2021-03-09');
  expect(plainId('US', 'Redbook', 1, day)).toBe('us-redbook:2021-03-09');
  expect(plainId('US', "Fed's Balance Sheet ", 2, day)).toBe('us-fed-s-balance-sheet-2:2021-03-09');
  expect(plainId('EU', '—', 1, day)).toBe('eu-event:2021-03-09');
  const [bank, work] = ['日銀', '雇用'].map((name) => plainId('JP', name, 1, day));
  expect(bank).toMatch(/^jp-event-[0-9a-f]{8}:2021-03-09$/);
  expect(work).not.toBe(bank);
});
