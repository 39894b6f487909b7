import { describe, expect, it } from 'vitest';
import { settleFilings } from '../../domain/settle-filings.ts';
import type {
  EarningsObservation,
  FilingObservation,
} from '../../datasets/earnings/observation.ts';
import { formatNewYork } from '../../domain/new-york.ts';
import type { DatasetName, ParseResult } from '../provider.ts';
import { submissionsPage } from './submissions-page.ts';
import { submissions } from './submissions.ts';
import { parseFixture } from '../../../test/support/providers/sec-responses.ts';

const twoClocks = parseFixture(submissions, 'submissions-two-clocks');

function rowsOf(parsed: ParseResult, dataset: DatasetName): object[] {
  return parsed.rows.filter((row) => row.dataset === dataset);
}

function filingsOf(parsed: ParseResult): FilingObservation[] {
  return earningsOf(parsed).filter((fields) => fields.kind === 'filing');
}

function earningsOf(parsed: ParseResult): EarningsObservation[] {
  const rows = parsed.rows.filter((row) => row.dataset === 'earnings');
  return rows.map((row) => row.fields as EarningsObservation);
}

describe('SEC filer submissions', () => {
  it("reads the filer's profile", () => {
    expect(rowsOf(twoClocks, 'profiles')).toEqual([
      {
        dataset: 'profiles',
        entityKey: 'CIK0001900001',
        naturalKey: 'submissions',
        fields: {
          cik: '0001900001',
          companyName: 'Lanternfield Optics Inc',
          sicCode: '3827',
          sicDescription: 'Optical Instruments & Lenses',
          fiscalYearEnd: '01-31',
          exchange: 'Nasdaq',
          tickers: ['LNTF', 'LNTF.WS'],
          formerNames: [{ name: 'LANTERNFIELD GLASS CO', until: '2018-01-30' }],
          entityType: 'operating',
          stateOrCountry: 'OR',
          country: 'United States',
          countryCode: 'US',
        },
      },
    ]);
  });

  it('reads the acceptance times of periodic reports in one row, ordered by accession number', () => {
    const rows = earningsOf(twoClocks).filter((fields) => fields.kind === 'acceptances');
    expect(rows).toHaveLength(1);
    const [{ reports } = { reports: [] }] = rows;
    const accessions = reports.map(({ accession }) => accession);
    expect(accessions).toEqual(accessions.toSorted());
    expect(reports[0]).toMatchObject({
      accession: expect.stringMatching(/^0001900001-/) as string,
      acceptance: { ifUtc: expect.any(Number) as number },
    });
    const page = earningsOf(parseFixture(submissionsPage, 'submissions-page'));
    expect(page.map(({ kind }) => kind)).toEqual(['filing', 'acceptances']);
  });

  it("reads the filer's tickers with their exchanges", () => {
    expect(rowsOf(twoClocks, 'securities')).toMatchObject([
      { entityKey: 'LNTF', naturalKey: '0001900001', fields: { exchange: 'Nasdaq' } },
      { entityKey: 'LNTF.WS', naturalKey: '0001900001', fields: { exchange: 'Nasdaq' } },
    ]);
  });

  it("reads a foreign country's name without a code, and allows a missing year-end or industry", () => {
    const abroad = parseFixture(submissions, 'submissions-abroad');
    expect(rowsOf(abroad, 'profiles')).toMatchObject([
      {
        fields: {
          cik: '0001900003',
          sicCode: null,
          fiscalYearEnd: null,
          exchange: null,
          stateOrCountry: 'L2',
          country: 'Ireland',
          countryCode: null,
        },
      },
    ]);
  });

  it('includes every 8-K and 8-K/A with item 2.02, and item 12 only before the renumbering', () => {
    expect(filingsOf(twoClocks).map((filing) => filing.accession)).toEqual([
      '0001900001-26-000041',
      '0001900001-26-000029',
      '0001900001-26-000017',
      '0001900001-26-000009',
      '0001900001-26-000006',
      '0001900001-25-000050',
      '0001900001-04-000031',
    ]);
  });

  it("returns both readings of a filing's acceptance time, and its index page", () => {
    expect(filingsOf(twoClocks)[0]).toEqual({
      kind: 'filing',
      cik: '0001900001',
      accession: '0001900001-26-000041',
      form: '8-K',
      items: ['2.02', '9.01'],
      filingDate: '2026-11-19',
      reportDate: '2026-11-18',
      acceptance: {
        ifNewYork: Date.UTC(2026, 10, 19, 21, 21, 5),
        ifUtc: Date.UTC(2026, 10, 19, 16, 21, 5),
      },
      size: 1000,
      sourceUrl:
        'https://www.sec.gov/Archives/edgar/data/1900001/000190000126000041/0001900001-26-000041-index.html',
    });
  });

  it('rejects a filing with an impossible acceptance time', () => {
    expect(twoClocks.bad.map((row) => row.reason)).toEqual(['bad-time']);
  });

  it('resolves after-hours acceptance times correctly although the body mixes UTC and New York time', () => {
    const resolved = settleFilings(
      filingsOf(twoClocks).map(({ accession, filingDate, acceptance }) => {
        return { accession, filingDate, readings: [acceptance] };
      }),
    );
    const times = filingsOf(twoClocks).map(({ accession }) => {
      const instant = resolved.get(accession) ?? null;
      return instant === null ? null : formatNewYork(instant.at).slice(11, 16);
    });
    expect(times).toEqual(['16:21', '16:20', '16:22', '17:05', '16:20', '16:20', '16:25']);
  });

  it('rejects filing columns of unequal length with their lengths, and keeps the profile', () => {
    const unequal = parseFixture(submissions, 'submissions-unequal-columns');
    expect(unequal.bad.map((row) => [row.dataset, row.reason])).toEqual([
      ['profiles', 'bad-date'],
      ['earnings', 'unequal-columns'],
    ]);
    expect(unequal.bad[1]?.detail).toContain('acceptanceDateTime 10');
    expect(rowsOf(unequal, 'profiles')).toMatchObject([{ fields: { fiscalYearEnd: null } }]);
  });

  it('identifies the filer of an older submissions page by its URL', () => {
    const page = parseFixture(submissionsPage, 'submissions-page');
    expect(page.rows).toMatchObject([
      {
        entityKey: 'CIK0001900001',
        naturalKey: '0001900001-03-000019',
        fields: { items: ['12', '7'] },
      },
      { entityKey: 'CIK0001900001', naturalKey: 'acceptances:001' },
    ]);
  });
});
