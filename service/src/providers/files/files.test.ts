import { describe, expect, it } from 'vitest';
import { createSourceResponse } from '../source-response.ts';
import type { SourceResponse } from '../provider.ts';
import { dividends } from './dividends.ts';
import { earnings } from './earnings.ts';
import { mapColumns } from './column-names.ts';
import type { FileFeed } from './file-feed.ts';
import { fileUrl } from './file-options.ts';
import { provider } from './index.ts';
import { parseNumber } from './parse-number.ts';
import { profiles } from './profiles.ts';
import { securities } from './securities.ts';

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
        line: 1,
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
    [{ date: '11/12/2026' }, 'bad-date'],
    [{ date: '31-Feb-2026' }, 'bad-date'],
    [{ date: '', fiscalPeriodEnd: '2026-09', time: 'bmo' }, 'missing-field'],
    [{ fiscalPeriodEnd: '2026-13' }, 'bad-date'],
    [{ fiscalQuarter: 5 }, 'bad-number'],
    [{ estimateCount: -1 }, 'bad-number'],
    [{ eps: '12%' }, 'bad-number'],
    [{ eps: '(-1)' }, 'bad-number'],
    [{ eps: '€1' }, 'bad-number'],
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

describe('columns of operator files', () => {
  it.each([
    [
      'earnings',
      ['Ticker', 'Report Date', 'EPS Est', 'Reported EPS'],
      ['symbol', 'date', 'epsEstimate', 'eps'],
    ],
    ['earnings', ['eps_estimate', 'fiscal-period-end'], ['epsEstimate', 'fiscalPeriodEnd']],
    ['bars', ['Date', 'Close/Last', 'Adj Close'], ['date', 'close', null]],
    ['bars', ['Close', 'Close/Last'], ['close', undefined]],
    ['dividends', ['Ex/EFF Date', 'Cash Amount', 'Pay Date'], ['exDate', 'amount', 'paymentDate']],
    ['splits', ['Split Date', 'Stock Splits'], ['date', 'ratio']],
  ] as const)('maps the headers of a file of %s: %j to %j', (kind, headers, expected) => {
    const feed = provider.feeds.find(({ name }) => name === kind) as FileFeed;
    const { names } = mapColumns(kind, headers, feed.columnNames, new Map());
    expect(headers.map((header) => names.get(header))).toEqual(expected);
  });

  it('follows the columns, constants and date order in the options', () => {
    const url = fileUrl('q3/My file.csv', {
      kind: 'earnings',
      columns: [
        ['Best=guess', 'epsEstimate'],
        ['Notes', null],
      ],
      constants: [['currency', 'USD']],
      dateOrder: 'day-first',
    });
    const text = 'symbol,date,Best=guess,Notes\nMERD,05/11/2026,1.15,see call\n';
    const response = { url, status: 200, contentType: 'text/csv', observedAt: 0, text };
    expect(earnings.parse(createSourceResponse(response)).rows[0]?.fields).toEqual({
      kind: 'calendar',
      symbol: 'MERD',
      date: '2026-11-05',
      time: 'time-not-supplied',
      epsEstimate: '1.15',
      currency: 'USD',
    });
  });
});

describe('cells of operator files', () => {
  it.each([
    ['1.25', '1.25'],
    ['+3', '3'],
    ['.5', '0.5'],
    ['$1,234.50', '1234.5'],
    ['($0.12)', '-0.12'],
    ['\u22120.12', '-0.12'],
    ['94.9B', '94900000000'],
    ['9.49E+10', '94900000000'],
    ['1e-3', '0.001'],
    ['1.0000000000005', '1.000000000001'],
    ['-1.0000000000005', '-1.000000000001'],
    ['1.00000000000049999999999999999999999999999999999', '1'],
    ['-0', '0'],
    ['n/a', null],
  ])('reads the number %j as %j', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  it.each(['1,23', '12%', '1.2.3', '(1', '(-1)', '1 234', '1e999', '1e30', '$', 'K'])(
    'rejects the number %j',
    (text) => {
      expect(() => parseNumber(text)).toThrow('not a number');
    },
  );

  it.each([
    ['month first', ['11/05/2026', '11/19/2026'], ['2026-11-05', '2026-11-19']],
    ['day first', ['05/11/2026', '19/11/2026'], ['2026-11-05', '2026-11-19']],
    ['unclear', ['05/11/2026', '06/11/2026'], []],
    ['contradictory', ['05/11/2026', '19/11/2026', '11/19/2026'], []],
    ['with points', ['05.11.2026'], ['2026-11-05']],
    [
      'in words',
      ['5 Nov 2026', 'November 5, 2026', '20261105'],
      ['2026-11-05', '2026-11-05', '2026-11-05'],
    ],
  ])('reads short dates that are %s', (_, dates, expected) => {
    const lines = dates.map((date, index) => `MER${'ABC'[index]},"${date}"`);
    const { rows, bad } = earnings.parse(
      file('earnings.csv', ['symbol,date', ...lines].join('\n')),
    );
    expect(rows.map(({ fields }) => ('date' in fields ? fields.date : null))).toEqual(expected);
    expect(bad.map(({ reason }) => reason)).toEqual(
      expected.length === 0 ? dates.map(() => 'bad-date') : [],
    );
  });

  it.each([
    ['1,5 among them', ['1,5', '1,234'], ['1.5', '1.234']],
    ['1,234.5 among them', ['1,234.5', '1,234'], ['1234.5', '1234']],
    ['nothing that decides', ['1,234', '2'], ['2']],
  ])('reads commas in a file with semicolons and %s', (_, cells, expected) => {
    const lines = cells.map((cell, index) => `MER${'ABC'[index]};2026-11-05;${cell}`);
    const { rows, bad } = earnings.parse(
      file('earnings.csv', ['symbol;date;eps', ...lines].join('\n')),
    );
    expect(rows.map(({ fields }) => ('eps' in fields ? fields.eps : null))).toEqual(expected);
    expect(bad.map(({ reason }) => reason)).toEqual(
      expected.length < cells.length ? ['ambiguous-number'] : [],
    );
  });

  it('states line, column, value and accepted values of an invalid row', () => {
    const text = 'Ticker,Report Date,EPS Est\n\n"MERD",2026-11-19,"1\n"\nQUAY,2026-11-20,soon\n';
    const { rows, bad } = earnings.parse(file('earnings.csv', text));
    expect(rows.map(({ line }) => line)).toEqual([3]);
    expect(bad).toMatchObject([
      {
        line: 5,
        cell: { column: 'EPS Est', value: 'soon', accepted: 'a number, such as 1.25' },
        detail: 'column "EPS Est" is "soon"; accepted: a number, such as 1.25',
      },
    ]);
  });

  it('reads a row without a report date as figures for its quarter', () => {
    const text = 'symbol,period,EPS Est,time\nMERD,2026-09,1.15,\nQUAY,,1,\n';
    const { rows, bad } = earnings.parse(file('estimates.csv', text));
    expect(rows.map(({ naturalKey, fields }) => [naturalKey, fields])).toEqual([
      [
        'figures:2026-09',
        {
          kind: 'figures',
          symbol: 'MERD',
          fiscalPeriodEnd: '2026-09-30',
          fiscalPeriodPrecision: 'month',
          epsEstimate: '1.15',
        },
      ],
    ]);
    expect(bad.map(({ reason }) => reason)).toEqual(['missing-field']);
  });
});
