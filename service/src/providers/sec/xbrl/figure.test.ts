import { describe, expect, it } from 'vitest';
import { epsFigure, fourthQuarterFigure, largerFourthQuarter, revenueFigure } from './figure.ts';
import { makeFact } from './test-facts.ts';

const QUARTER = ['2025-01-01', '2025-03-31'] as const;
const YEAR = ['2025-01-01', '2025-12-31'] as const;
const NINE = ['2025-01-01', '2025-09-30'] as const;
const CONTRACTS = 'RevenueFromContractWithCustomerExcludingAssessedTax';

describe('revenue of a period', () => {
  it('prefers the first tag when two agree', () => {
    const facts = [
      makeFact('Revenues', QUARTER, '10', '2025-05-01'),
      makeFact(CONTRACTS, QUARTER, '10', '2025-05-01'),
    ];
    expect(revenueFigure(facts)?.tag).toBe(CONTRACTS);
    expect(revenueFigure(facts.toReversed())?.tag).toBe(CONTRACTS);
  });

  it('takes the larger when two disagree, by value and not by text', () => {
    const facts = [
      makeFact(CONTRACTS, QUARTER, '9', '2025-05-01'),
      makeFact('Revenues', QUARTER, '10', '2025-05-01'),
    ];
    expect(revenueFigure(facts)).toMatchObject({ tag: 'Revenues', first: '10', latest: '10' });
  });

  it('takes a smaller value under the same tag for a restatement', () => {
    const facts = [
      makeFact('Revenues', QUARTER, '9', '2026-05-01'),
      makeFact('Revenues', QUARTER, '10', '2025-05-01'),
    ];
    expect(revenueFigure(facts)).toMatchObject({ first: '10', latest: '9' });
  });

  it('takes a later and smaller value under another tag for a part', () => {
    const facts = [
      makeFact('Revenues', QUARTER, '10', '2025-05-01'),
      makeFact('Revenues', QUARTER, '11', '2025-08-01'),
      makeFact('SalesRevenueNet', QUARTER, '9', '2026-05-01'),
    ];
    expect(revenueFigure(facts)).toMatchObject({ first: '10', latest: '11' });
  });

  it('orders two filings of one day by accession number', () => {
    const facts = [
      makeFact('Revenues', QUARTER, '2', '2025-05-01', { accession: '0001900001-25-000002' }),
      makeFact('Revenues', QUARTER, '1', '2025-05-01', { accession: '0001900001-25-000001' }),
    ];
    expect(revenueFigure(facts)).toMatchObject({ first: '1', latest: '2' });
  });

  it('is none without a tag of revenue', () => {
    expect(revenueFigure([makeFact('EarningsPerShareDiluted', QUARTER, '1', '2025-05-01')])).toBe(
      null,
    );
  });
});

describe('earnings per share of a period', () => {
  it('are diluted when any filing says so, else basic', () => {
    const basic = makeFact('EarningsPerShareBasic', QUARTER, '1.02', '2025-05-01');
    const diluted = makeFact('EarningsPerShareDiluted', QUARTER, '0.98', '2026-05-01');
    expect(epsFigure([basic, diluted])).toMatchObject({ first: '0.98' });
    expect(epsFigure([basic])).toMatchObject({ tag: 'EarningsPerShareBasic', first: '1.02' });
  });
});

describe('a derived fourth quarter', () => {
  const nine = makeFact('Revenues', NINE, '300', '2025-11-01');

  it('mixes no tags when year and nine months share one', () => {
    const year = [
      makeFact(CONTRACTS, YEAR, '390', '2026-02-01'),
      makeFact('Revenues', YEAR, '400', '2027-02-01'),
    ];
    expect(fourthQuarterFigure(year, [nine])).toMatchObject({
      first: '100',
      tag: 'Revenues',
      filedDate: '2027-02-01',
    });
  });

  it('was known when the same sum was first filed under any tag', () => {
    const year = [
      makeFact(CONTRACTS, YEAR, '400', '2026-02-01'),
      makeFact('Revenues', YEAR, '400', '2027-02-01'),
    ];
    expect(fourthQuarterFigure(year, [nine])?.filedDate).toBe('2026-02-01');
  });

  it('stays as first filed while only one side was restated', () => {
    const year = [
      makeFact('Revenues', YEAR, '400', '2026-02-01'),
      makeFact('Revenues', YEAR, '350', '2027-02-01'),
    ];
    expect(fourthQuarterFigure(year, [nine])).toMatchObject({ first: '100', latest: '100' });
  });

  it('is none when nothing or less than nothing is left', () => {
    expect(fourthQuarterFigure([makeFact('Revenues', YEAR, '300', '2026-02-01')], [nine])).toBe(
      null,
    );
  });

  it('replaces a filed one that is a part under another tag, if it was known as early', () => {
    const filed = revenueFigure([makeFact('SalesRevenueNet', QUARTER, '95', '2026-02-01')]);
    const derived = fourthQuarterFigure([makeFact('Revenues', YEAR, '400', '2026-02-01')], [nine]);
    const late = fourthQuarterFigure([makeFact('Revenues', YEAR, '400', '2027-02-01')], [nine]);
    expect(largerFourthQuarter(filed, derived)).toBe(derived);
    expect(largerFourthQuarter(filed, late)).toBe(filed);
    expect(largerFourthQuarter(null, derived)).toBe(derived);
    expect(largerFourthQuarter(filed, null)).toBe(filed);
  });
});
