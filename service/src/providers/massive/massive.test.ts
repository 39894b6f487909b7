import { describe, expect, it, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { createSourceResponse } from '../source-response.ts';
import type { PlanContext, SourceResponse } from '../provider.ts';
import { dividends } from './dividends.ts';
import { groupedDaily } from './grouped-daily.ts';
import { canonicalSymbol } from './request.ts';

function responseOf(path: string, body: unknown): SourceResponse {
  return createSourceResponse({
    url: `https://api.massive.com/${path}`,
    status: 200,
    contentType: 'application/json',
    observedAt: 0,
    text: JSON.stringify(body),
  });
}

describe('Massive grouped daily bars', () => {
  const BAR = { T: 'MERD', o: 1, h: 2, l: 0.5, c: 1.5, v: 8.1000752e7, t: Date.UTC(2026, 6, 1, 4) };

  function readBar(change: object, adjusted: unknown = true) {
    const body = { status: 'OK', adjusted, results: [{ ...BAR, ...change }] };
    return groupedDaily.parse(
      responseOf('v2/aggs/grouped/locale/us/market/stocks/2026-07-01', body),
    );
  }

  it.each([Date.UTC(2026, 6, 1, 4), Date.UTC(2026, 6, 1, 20)])(
    'dates a bar with timestamp %d in New York',
    (t) => {
      expect(readBar({ t }).bars).toMatchObject({
        isAdjusted: true,
        rows: [{ symbol: 'MERD', date: '2026-07-01', close: '1.5', volume: 81_000_752 }],
      });
    },
  );

  it('reads whether bars are split-adjusted', () => {
    expect(readBar({}, false).bars?.isAdjusted).toBe(false);
  });

  it('rounds the volume of a bar, and rejects a negative volume', () => {
    expect(readBar({ v: 1000.6 }).bars?.rows[0]?.volume).toBe(1001);
    expect(readBar({ v: -1 }).bad.map(({ reason }) => reason)).toEqual(['bad-number']);
  });

  it('returns no bars for a day without trading', () => {
    const body = { status: 'OK', adjusted: true, resultsCount: 0 };
    const path = 'v2/aggs/grouped/locale/us/market/stocks/2026-07-04';
    expect(groupedDaily.parse(responseOf(path, body)).bars?.rows).toEqual([]);
  });
});

test.each([
  ['HARB.B', 'HARB.B'],
  ['QUAYpA', 'QUAY.PR.A'],
  ['QUAYp', 'QUAY.PR'],
  ['QUAYPA', 'QUAYPA'],
  ['QUAYw', null],
  ['QUAYr', null],
  [null, null],
])('reads the ticker %j as %j, preserving case', (text, expected) => {
  expect(canonicalSymbol(text)).toBe(expected);
});

test.each([
  [
    { dividend_type: 'CD', frequency: 4 },
    { type: 'cash', frequency: 'quarterly' },
  ],
  [
    { dividend_type: 'SC', frequency: 0 },
    { type: 'special', frequency: 'none' },
  ],
  [
    { dividend_type: 'LT', frequency: 1 },
    { type: 'special', frequency: 'annual' },
  ],
  [
    { dividend_type: 'CD', frequency: 104 },
    { type: 'cash', frequency: 'irregular' },
  ],
  [
    { dividend_type: 'CD', frequency: null },
    { type: 'cash', frequency: null },
  ],
])('reads a dividend with %j as %j', (change, expected) => {
  const row = { ticker: 'MERD', ex_dividend_date: '2026-11-24', cash_amount: 0.21, ...change };
  const body = { status: 'OK', results: [row] };
  const { rows } = dividends.parse(responseOf('v3/reference/dividends', body));
  expect(rows[0]?.fields).toMatchObject({ exDate: '2026-11-24', amount: '0.21', ...expected });
});

test('marks a day of dividends that continues on another page as truncated', () => {
  const row = { ticker: 'MERD', ex_dividend_date: '2026-11-24', frequency: 4, dividend_type: 'CD' };
  const body = { status: 'OK', results: [row], next_url: 'https://api.massive.com/v3/x?cursor=Y' };
  const { rows, bad } = dividends.parse(responseOf('v3/reference/dividends', body));
  expect(rows).toHaveLength(1);
  expect(bad).toMatchObject([{ dataset: 'dividends', entityKey: null, reason: 'answer-cut-off' }]);
});

test('requests bars only for weekdays and sends the key in a header; requests nothing without a key', () => {
  const context: PlanContext = {
    now: 0,
    today: localDate('2026-11-22'),
    symbols: [],
    ciks: new Map(),
    setting: () => 'a-key-of-sorts',
  };
  const requests = groupedDaily.plan?.(context) ?? [];
  expect(requests.map(({ url }) => url.slice(-24))).toEqual([
    '2026-11-20?adjusted=true',
    '2026-11-19?adjusted=true',
    '2026-11-18?adjusted=true',
  ]);
  expect(requests[0]?.headers['authorization']).toBe('Bearer a-key-of-sorts');
  expect(requests[0]?.url).not.toContain('a-key-of-sorts');
  expect(groupedDaily.plan?.({ ...context, setting: () => undefined })).toEqual([]);
});
