import { describe, expect, it } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import type { PlanContext } from '../provider.ts';
import { companyfacts } from './companyfacts.ts';
import { filingIndexUrl, parseAccession, parseCik } from './edgar.ts';
import { submissions } from './submissions.ts';

function contextWith(contact: string | undefined): PlanContext {
  return {
    now: 0,
    today: localDate('2026-11-20'),
    symbols: [],
    ciks: new Map([
      ['LNTF', '0001900001'],
      ['LNTF.WS', '0001900001'],
      ['DRUM', '0001900002'],
    ]),
    setting: (name) => (name === 'SEC_CONTACT' ? contact : undefined),
  };
}

describe('EDGAR requests', () => {
  it('plans one request per filer, and identifies the operator in each request', () => {
    const requests = submissions.plan?.(contextWith('Jane Doe jane@example.org')) ?? [];
    expect(requests.map((request) => request.url)).toEqual([
      'https://data.sec.gov/submissions/CIK0001900001.json',
      'https://data.sec.gov/submissions/CIK0001900002.json',
    ]);
    expect(requests[0]?.headers).toEqual({
      'User-Agent': 'Jane Doe jane@example.org',
      'Accept-Encoding': 'gzip',
    });
  });

  it.each([undefined, '', 'Jane Doe', 'jane@', 'jane@example', 'Jane\njane@example.org'])(
    'throws an error that explains the fix if the operator contact is %j',
    (contact) => {
      expect(() => companyfacts.plan?.(contextWith(contact))).toThrow('set SEC_CONTACT');
    },
  );
});

describe('EDGAR identifier helpers', () => {
  it.each([
    [320193, '0000320193'],
    ['320193', '0000320193'],
    ['0000320193', '0000320193'],
    [0, null],
    ['', null],
    ['CIK0000320193', null],
    ['12345678901', null],
    [-1, null],
    [1.5, null],
    [null, null],
  ])('parses the filer number %j as %s', (value, expected) => {
    expect(parseCik(value)).toBe(expected);
  });

  it.each([
    ['0001900001-26-000041', '0001900001-26-000041'],
    ['000190000126000041', '0001900001-26-000041'],
    ['0001900001-26-41', null],
    [7, null],
  ])('parses the accession number %j as %s', (value, expected) => {
    expect(parseAccession(value)).toBe(expected);
  });

  it("returns the URL of a filing's index page", () => {
    expect(filingIndexUrl('0001900001', '0001900001-26-000041')).toBe(
      'https://www.sec.gov/Archives/edgar/data/1900001/000190000126000041/0001900001-26-000041-index.html',
    );
  });
});
