import { describe, expect, it } from 'vitest';
import { createSourceResponse } from '../source-response.ts';
import type { SourceResponse } from '../provider.ts';
import { dividends } from './dividends.ts';
import { earnings } from './earnings.ts';
import { provider } from './index.ts';
import { profiles } from './profiles.ts';
import { securities } from './securities.ts';
import { toPropertyName } from './table.ts';

function file(name: string, text: string): SourceResponse {
  const contentType = 'application/octet-stream';
  const url = `file:///import/${name}`;
  return createSourceResponse({ url, status: 200, contentType, observedAt: 0, text });
}

function claimingFeed(response: SourceResponse): string[] {
  return provider.feeds.filter((feed) => feed.claims(response)).map((feed) => feed.name);
}

describe('operator file recognition', () => {
  it.each([
    ['earnings.csv', '', ['earnings']],
    ['2026-Profiles.json', '[]', ['profiles']],
    ['my-securities-list.csv', 'a,b', ['securities']],
    ['data.csv', 'symbol,date,eps_estimate\n', ['earnings']],
    ['data.json', '[{"symbol":"A","companyName":"B"}]', ['profiles']],
    ['data.csv', 'symbol,cik\n', ['securities']],
    ['data.csv', 'date,open,close\n', []],
    ['data.csv', 'symbol,open,close\n', ['bars']],
    ['data.csv', 'symbol,open,high\n', []],
    ['data.bin', '\0\0', []],
  ])('assigns a file named %s with the content %j to the feeds %j', (name, text, feeds) => {
    expect(claimingFeed(file(name, text))).toEqual(feeds);
  });

  it('does not treat network responses as operator files', () => {
    const url = 'https://source.example/earnings.csv';
    const raw = { url, status: 200, contentType: 'text/csv', observedAt: 0, text: 'symbol,eps\n' };
    expect(claimingFeed(createSourceResponse(raw))).toEqual([]);
  });

  it.each([
    ['eps_estimate', 'epsEstimate'],
    ['EPS Estimate', 'epsEstimate'],
    ['epsEstimate', 'epsEstimate'],
    ['fiscal-period-end', 'fiscalPeriodEnd'],
    [' cik ', 'cik'],
  ])('converts the column name %j to %s', (column, name) => {
    expect(toPropertyName(column)).toBe(name);
  });
});

describe('earnings files', () => {
  function parseRow(row: object) {
    return earnings.parse(file('earnings.json', JSON.stringify([row])));
  }
  const REPORT = { symbol: 'MERD', date: '2026-11-19' };

  it.each([
    [{ fiscalPeriodEnd: '2026-10' }, '2026-10', '2026-10-31', 'month'],
    [{ fiscalPeriodEnd: '2026-10-31' }, '2026-10', '2026-10-31', 'day'],
    [{ fiscalPeriodEnd: '2026-10-03' }, '2026-09', '2026-10-03', 'day'],
  ])(
    'assigns an earnings row with %j to the quarter %s',
    (change, naturalKey, fiscalPeriodEnd, fiscalPeriodPrecision) => {
      expect(parseRow({ ...REPORT, ...change }).rows).toMatchObject([
        { naturalKey, fields: { fiscalPeriodEnd, fiscalPeriodPrecision } },
      ]);
    },
  );

  it('keys an earnings row without a quarter by date, and omits absent columns', () => {
    expect(parseRow(REPORT).rows).toEqual([
      {
        dataset: 'earnings',
        entityKey: 'MERD',
        naturalKey: 'date:2026-11-19',
        fields: { kind: 'calendar', ...REPORT, time: 'time-not-supplied' },
      },
    ]);
  });

  it.each([
    [
      { epsEstimate: 1.1, eps: '1.20' },
      { epsEstimate: '1.1', eps: '1.2' },
    ],
    [{ eps: 0 }, { eps: '0' }],
    [{ eps: '' }, { eps: null }],
    [{ revenue: '25,500,000,000' }, { revenue: '25500000000' }],
    [{ reportedAt: '2026-11-19T16:05:00-05:00' }, { reportedAt: Date.UTC(2026, 10, 19, 21, 5) }],
    [{ time: 'time-during-market' }, { time: 'time-during-market' }],
  ])('reads the earnings cells %j as %j', (change, expected) => {
    expect(parseRow({ ...REPORT, ...change }).rows[0]?.fields).toMatchObject(expected);
  });

  it.each([
    [{ symbol: '' }, 'bad-symbol'],
    [{ date: '' }, 'missing-field'],
    [{ date: '11/19/2026' }, 'bad-date'],
    [{ fiscalPeriodEnd: '2026-13' }, 'bad-date'],
    [{ fiscalQuarter: 5 }, 'bad-number'],
    [{ estimateCount: -1 }, 'bad-number'],
    [{ eps: '$1' }, 'bad-number'],
    [{ epsBasis: 'core' }, 'bad-word'],
    [{ currency: 'dollars' }, 'bad-shape'],
    [{ sourceUrl: 'javascript:alert(1)' }, 'bad-shape'],
    [{ reportedAt: '2026-11-19 16:05' }, 'bad-date'],
    [{ epsForcast: 1 }, 'unknown-column'],
    [{ constructor: 1 }, 'unknown-column'],
  ])('rejects the earnings cells %j as %s', (change, reason) => {
    expect(parseRow({ ...REPORT, ...change }).bad.map((row) => row.reason)).toEqual([reason]);
  });
});

describe('profile files', () => {
  function parse(text: string) {
    return profiles.parse(file('profiles.csv', text));
  }

  it('reads a profile row for a symbol or for a filer as a whole', () => {
    const parsed = parse('symbol,cik,companyName\nMERD,123,Meridian\n,CIK0000000124,Quay\n');
    expect(parsed.rows.map((row) => row.entityKey)).toEqual(['MERD', 'CIK0000000124']);
  });

  it('reads a price in a profile row together with its date', () => {
    const [row] = parse('symbol,price,priceDate\nMERD,309.35,2026-11-19\n').rows;
    expect(row?.quote).toEqual({
      symbol: 'MERD',
      price: '309.35',
      priceDate: '2026-11-19',
      marketCap: null,
    });
  });

  it('rejects a price without its date', () => {
    const { rows, bad } = parse('symbol,sector,price\nMERD,Energy,309.35\n');
    expect(rows).toEqual([]);
    expect(bad).toMatchObject([{ reason: 'missing-field' }]);
  });

  it('accepts the country NA and tickers that look like placeholders in a profile row', () => {
    const { rows } = parse('symbol,countryCode,sector\nNONE,NA,none\n');
    expect(rows[0]?.fields).toEqual({ symbol: 'NONE', countryCode: 'NA', sector: null });
  });

  it('rejects a profile row with neither a symbol nor a CIK', () => {
    const { bad } = parse('symbol,cik,companyName\n,,Nobody\n');
    expect(bad.map((row) => row.reason)).toEqual(['missing-field']);
  });
});

describe('dividend files', () => {
  it('accepts the frequency none for a one-time dividend in a dividend file', () => {
    const table = 'symbol,exDate,frequency\nMERD,2026-11-19,none\nMERD,2026-11-20,None\n';
    const { rows } = dividends.parse(file('dividends.csv', table));
    expect(rows.map((row) => row.fields)).toMatchObject([
      { frequency: 'none' },
      { frequency: null },
    ]);
  });
});

describe('security files', () => {
  it('pads CIKs in security rows to ten digits and reads empty cells as null', () => {
    const parsed = securities.parse(file('securities.csv', 'symbol,cik\nharb/b,320193\nMERD,x\n'));
    expect(parsed.rows.map((row) => row.fields)).toEqual([
      { symbol: 'HARB.B', cik: '0000320193', name: null, exchange: null },
    ]);
    expect(parsed.bad.map((row) => row.reason)).toEqual(['bad-cik']);
  });
});
