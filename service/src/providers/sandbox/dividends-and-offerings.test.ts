import { expect, test } from 'vitest';
import type { DividendObservation } from '../../datasets/dividends/observation.ts';
import type { IpoObservation } from '../../datasets/ipos/observation.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import { addDays, localDate } from '../../domain/local-date.ts';
import { createSourceResponse } from '../source-response.ts';
import type { SourceResponse } from '../provider.ts';
import { createDividends } from './market/dividends.ts';
import { Market } from './market/market.ts';
import { createOfferings } from './market/offerings.ts';
import { dividendRow, dividends } from './dividends.ts';
import { offeringRow, offerings } from './offerings.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.parse('2026-11-25T18:00:00Z');
const TODAY = localDate('2026-11-25');
const days = marketCalendar();
const market = new Market({ seed: 1, companies: 560, isTradingDay: days.isTradingDay });
const dividendMarket = createDividends(1, market);
const offeringMarket = createOfferings(1, market.days);

test('schedules ex-dates on every trading day in the next two months and on no other day', () => {
  const dividendsKnown = dividendMarket.knownAt(TODAY, addDays(TODAY, 60), NOW);
  const exDates = new Set(dividendsKnown.map(({ exDate }) => exDate));
  expect([...exDates].toSorted()).toEqual(days.tradingDays(TODAY, addDays(TODAY, 60)));
});

test('generates dividends with dates in order, and only an ex-date while they are projected', () => {
  const dividendsKnown = dividendMarket.knownAt(TODAY, addDays(TODAY, 90), NOW);
  const { rows, bad } = dividends.parse(
    responseOf(
      'dividends',
      dividendsKnown.map((dividend) => dividendRow(dividend, NOW)),
    ),
  );
  expect(bad).toEqual([]);
  expect(rows).toHaveLength(dividendsKnown.length);
  const fields = rows.map((row) => row.fields as DividendObservation);
  for (const { status, exDate, recordDate, paymentDate, declarationDate } of fields) {
    const isDeclared = status === 'declared';
    expect([recordDate, paymentDate, declarationDate].every((date) => date !== null)).toBe(
      isDeclared,
    );
    if (!isDeclared) continue;
    expect((declarationDate ?? '') < exDate && exDate < (paymentDate ?? '')).toBe(true);
    expect((declarationDate ?? '') <= TODAY).toBe(true);
  }
  expect(new Set(fields.map(({ status }) => status))).toEqual(new Set(['declared', 'projected']));
});

test("reports hourly dividend and offering changes that add up to the whole week's changes", () => {
  const end = NOW + 7 * DAY_MS;
  const hours = Array.from({ length: 7 * 24 }, (_, hour) => NOW + hour * HOUR_MS);
  const keyOf = ({ company, exDate }: { company: { symbol: string }; exDate: string }): string =>
    `${company.symbol} ${exDate}`;
  const inSteps = hours.flatMap((at) => dividendMarket.changed(at, at + HOUR_MS)).map(keyOf);
  expect(new Set(inSteps)).toEqual(new Set(dividendMarket.changed(NOW, end).map(keyOf)));
  const deals = hours
    .flatMap((at) => offeringMarket.changed(at, at + HOUR_MS))
    .map(({ key }) => key);
  expect(new Set(deals)).toEqual(new Set(offeringMarket.changed(NOW, end).map(({ key }) => key)));
  expect(Math.min(inSteps.length, deals.length)).toBeGreaterThan(3);
});

test('moves offerings only forward, from filing to pricing or withdrawal', () => {
  const allowed = new Set([
    'filed expected',
    'expected priced',
    'expected postponed',
    'postponed expected',
    'postponed withdrawn',
  ]);
  const last = new Map<string, string>();
  const transitions = new Set<string>();
  for (let at = NOW; at < NOW + 200 * DAY_MS; at += 6 * HOUR_MS) {
    for (const { key, stage } of offeringMarket.views(addDays(TODAY, 0), at)) {
      const previous = last.get(key) ?? stage;
      if (previous !== stage) transitions.add(`${previous} ${stage}`);
      last.set(key, stage);
    }
  }
  expect(transitions).toEqual(allowed);
});

test('generates offerings whose symbols belong to no listed company', () => {
  const views = offeringMarket.views(addDays(TODAY, -120), NOW);
  const { rows, bad } = offerings.parse(responseOf('offerings', views.map(offeringRow)));
  expect(bad).toEqual([]);
  const fields = rows.map((row) => row.fields as IpoObservation);
  expect(fields.length).toBeGreaterThan(30);
  for (const { stage, price, expectedDate, priceLow } of fields) {
    expect(price !== null).toBe(stage === 'priced');
    expect(expectedDate !== null).toBe(stage === 'expected');
    expect(priceLow === null).toBe(stage === 'filed');
  }
  const listedSymbols = new Set(market.companies.map(({ symbol }) => symbol));
  expect(fields.filter(({ symbol }) => listedSymbols.has(symbol ?? ''))).toEqual([]);
});

function responseOf(kind: string, rows: readonly object[]): SourceResponse {
  return createSourceResponse({
    url: `sandbox://market/${kind}?at=${NOW}`,
    status: 200,
    contentType: 'application/json',
    observedAt: NOW,
    text: JSON.stringify({ sandbox: kind, rows }),
  });
}
