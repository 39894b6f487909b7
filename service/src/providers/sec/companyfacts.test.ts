import { describe, expect, it } from 'vitest';
import type { FinancialsObservation } from '../../datasets/earnings/observation.ts';
import type { ParseResult } from '../provider.ts';
import { companyfacts } from './companyfacts.ts';
import { parseFixture } from '../../../test/support/providers/sec-responses.ts';

const twoTags = parseFixture(companyfacts, 'companyfacts-two-tags');

function quartersOf(parsed: ParseResult): FinancialsObservation[] {
  const rows = parsed.rows.filter((row) => row.dataset === 'earnings');
  return rows.map((row) => row.fields as FinancialsObservation);
}

function quarterEnding(end: string): FinancialsObservation | undefined {
  return quartersOf(twoTags).find((quarter) => quarter.periodEnd === end);
}

describe('the SEC company facts feed', () => {
  it('returns each fiscal quarter once, across a change of tag and a 53-week year', () => {
    const quarters = quartersOf(twoTags);
    expect(
      quarters.map(({ periodStart, periodEnd, fiscalYear, fiscalQuarter, revenue }) => {
        const label = `${fiscalYear} Q${fiscalQuarter} ${revenue?.first}`;
        return `${periodStart} ${periodEnd} ${label}${revenue?.derived === true ? ' derived' : ''}`;
      }),
    ).toEqual([
      '2024-01-28 2024-04-27 2025 Q1 100000000',
      '2024-04-28 2024-07-27 2025 Q2 110000000',
      '2024-07-28 2024-10-26 2025 Q3 120000000',
      '2024-10-27 2025-01-25 2025 Q4 150000000 derived',
      '2025-01-26 2025-04-26 2026 Q1 130000000',
      '2025-04-27 2025-07-26 2026 Q2 140000000',
      '2025-07-27 2025-10-25 2026 Q3 150000000',
      '2025-10-26 2026-01-31 2026 Q4 180000000 derived',
    ]);
  });

  it('keeps the first and the latest filed values for a quarter', () => {
    expect(quarterEnding('2024-04-27')).toMatchObject({
      currency: 'USD',
      revenue: {
        tag: 'SalesRevenueNet',
        first: '100000000',
        latest: '104000000',
        filedDate: '2024-05-30',
        latestFiledDate: '2025-05-29',
        latestSinceDate: '2025-05-29',
        accession: '0001900001-24-000010',
        form: '10-Q',
        derived: false,
      },
      epsDiluted: { first: '1', latest: '0.5', latestSinceDate: '2025-05-29' },
      epsDilutedYear: null,
    });
  });

  it('derives the fourth quarter from the annual report, and restates it only if both the annual and the nine-month figures were restated', () => {
    expect(quarterEnding('2025-01-25')).toMatchObject({
      revenue: {
        first: '150000000',
        latest: '151000000',
        filedDate: '2025-03-20',
        accession: '0001900001-25-000005',
        form: '10-K',
        derived: true,
      },
      epsDiluted: null,
      epsDilutedYear: { first: '5.1', filedDate: '2025-03-20', form: '10-K' },
    });
  });

  it('uses the larger value when a filing reports two revenue tags', () => {
    expect(quarterEnding('2025-04-26')?.revenue).toMatchObject({ tag: 'Revenues' });
  });

  it('keys a quarter by its end date', () => {
    const keys = twoTags.rows.map((row) => `${row.entityKey} ${row.naturalKey}`);
    expect(keys[0]).toBe('CIK0001900001 q:2024-04-27');
    expect(keys.at(-1)).toBe('CIK0001900001 shares');
  });

  it('uses the newest share count from a periodic report, not from a proxy statement', () => {
    expect(twoTags.rows.at(-1)?.fields).toEqual({
      cik: '0001900001',
      sharesOutstanding: '40500000',
      sharesAsOf: '2026-03-20',
    });
  });

  it('rejects broken facts with a reason and builds the quarter from the other facts', () => {
    expect(twoTags.bad.map((row) => row.reason).toSorted()).toEqual(['bad-date', 'bad-number']);
    expect(quarterEnding('2025-10-25')?.revenue?.first).toBe('150000000');
  });

  it('supports quarters of twelve and sixteen weeks, and omits share counts reported by class', () => {
    const twelve = parseFixture(companyfacts, 'companyfacts-twelve-weeks');
    expect(
      quartersOf(twelve).map(({ periodStart, periodEnd, fiscalQuarter, revenue, epsDiluted }) => {
        return [periodStart, periodEnd, fiscalQuarter, revenue?.first, epsDiluted?.first ?? null];
      }),
    ).toEqual([
      ['2024-09-02', '2024-11-24', 1, '62', '4.04'],
      ['2024-11-25', '2025-02-16', 2, '64', '4.02'],
      ['2025-02-17', '2025-05-11', 3, '63', '4.28'],
      ['2025-05-12', '2025-08-31', 4, '86', null],
    ]);
    expect(twelve.rows.filter((row) => row.dataset === 'profiles')).toEqual([]);
  });

  it('returns no quarters if a filer reports in several currencies other than the U.S. dollar', () => {
    expect(parseFixture(companyfacts, 'companyfacts-two-currencies').rows).toEqual([]);
  });
});
