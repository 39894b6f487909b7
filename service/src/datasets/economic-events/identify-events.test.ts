import { expect, it, test } from 'vitest';
import { identifyEvents, type NamedRow } from './identify-events.ts';
import { WELL_KNOWN_EVENTS } from './well-known-events.ts';

function us(eventName: string, ...values: (string | null)[]): NamedRow {
  return { eventName, countryCode: 'US', time: '08:30', values };
}

function stems(rows: readonly NamedRow[]): (string | null)[] {
  return identifyEvents(rows).map(({ stem }) => stem);
}

it('distinguishes monthly and yearly rates with the same name, in either order', () => {
  const month = us('CPI', '0.4%', '0.4%', '0.3%');
  const year = us('CPI', '1.7%', '1.7%', '1.4%');
  expect(stems([month, year])).toEqual(['us-cpi-mom', 'us-cpi-yoy']);
  expect(stems([year, month])).toEqual(['us-cpi-yoy', 'us-cpi-mom']);
});

it('recognizes a yearly rate by its two decimals, even if the monthly figures are larger', () => {
  // May 2020, published on 2020-06-16.
  const month = us('Retail Sales', '17.7%', '8.0%', '-14.7%');
  const year = us('Retail Sales', '-6.06%', null, '-19.87%');
  expect(stems([month, year])).toEqual(['us-retail-sales-mom', 'us-retail-sales-yoy']);
  expect(stems([year, month])).toEqual(['us-retail-sales-yoy', 'us-retail-sales-mom']);
});

it('leaves similar monthly and yearly rates unidentified', () => {
  // May 2020, published on 2020-06-10: the yearly figures are the smaller ones.
  const month = us('CPI', '-0.1%', '0.0%', '-0.8%');
  const year = us('CPI', '0.1%', '0.2%', '0.3%');
  expect(stems([month, year])).toEqual([null, null]);
  expect(stems([{ ...year, measure: 'yoy' }, month])).toEqual(['us-cpi-yoy', 'us-cpi-mom']);
});

it('identifies events despite a missing percent sign or different letter case', () => {
  expect(stems([us('PCE Price index', '1.6', null), us('PCE price index', '0.2%')])).toEqual([
    'us-pce-yoy',
    'us-pce-mom',
  ]);
});

it('distinguishes a level from its rate of change', () => {
  const rows = [us('Existing Home Sales', '-1.5%'), us('Existing Home Sales', '4.71M')];
  expect(stems(rows)).toEqual(['us-existing-home-sales-mom', 'us-existing-home-sales']);
});

it('recognizes well-known events only for the United States', () => {
  expect(stems([{ ...us('CPI', '0.4%'), countryCode: 'BR' }])).toEqual([null]);
});

it('numbers events with identical unknown names by time and size, regardless of list order', () => {
  const small = us('Redbook', '0.5%');
  const large = us('Redbook', '5.5%');
  const later = { ...us('Redbook', '0.1%'), time: '16:00' };
  expect(identifyEvents([later, large, small]).map(({ ordinal }) => ordinal)).toEqual([3, 2, 1]);
  expect(identifyEvents([small, later, large]).map(({ ordinal }) => ordinal)).toEqual([1, 3, 2]);
});

test('assigns a unique stem to each well-known event, and marks these indicators as major', () => {
  const all = WELL_KNOWN_EVENTS.map(({ stem }) => stem);
  expect(new Set(all).size).toBe(all.length);
  const major = WELL_KNOWN_EVENTS.filter(({ usMajor }) => usMajor).map(({ stem }) => stem.slice(3));
  expect(major.join(' ')).toMatchInlineSnapshot(
    `"nonfarm-payrolls private-payrolls unemployment-rate hourly-earnings-mom hourly-earnings-yoy adp-employment jolts-openings initial-jobless-claims cpi-mom cpi-yoy core-cpi-mom core-cpi-yoy ppi-mom ppi-yoy core-ppi-mom core-ppi-yoy pce-mom pce-yoy core-pce-mom core-pce-yoy pce-prices-qoq core-pce-prices-qoq gdp-qoq gdp-price-index-qoq personal-income-mom personal-spending-mom retail-sales-mom retail-sales-yoy core-retail-sales-mom durable-goods-mom core-durable-goods-mom industrial-production-mom industrial-production-yoy trade-balance housing-starts housing-starts-mom building-permits building-permits-mom new-home-sales new-home-sales-mom existing-home-sales existing-home-sales-mom ism-manufacturing ism-services consumer-confidence michigan-sentiment fomc-statement fomc-rate-decision fomc-minutes fomc-projections"`,
  );
});
