import { describe, expect, it } from 'vitest';
import { revenueFigure } from './filed-figure.ts';
import { fourthQuarterFigure, largerFourthQuarter } from './fourth-quarter.ts';
import { makeFact } from '../../../../test/support/providers/xbrl-facts.ts';

const QUARTER = ['2025-10-01', '2025-12-31'] as const;
const YEAR = ['2025-01-01', '2025-12-31'] as const;
const NINE = ['2025-01-01', '2025-09-30'] as const;
const CONTRACTS = 'RevenueFromContractWithCustomerExcludingAssessedTax';

describe('fourth quarters derived from annual figures', () => {
  const nine = makeFact('Revenues', NINE, '300', '2025-11-01');

  it('subtracts figures with the same tag if the year and the nine months share one', () => {
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

  it('uses the date of the first filing with the annual figure, under any tag', () => {
    const year = [
      makeFact(CONTRACTS, YEAR, '400', '2026-02-01'),
      makeFact('Revenues', YEAR, '400', '2027-02-01'),
    ];
    expect(fourthQuarterFigure(year, [nine])?.filedDate).toBe('2026-02-01');
  });

  it('keeps a derived fourth quarter as first filed while only the year or the nine months have been restated', () => {
    const year = [
      makeFact('Revenues', YEAR, '400', '2026-02-01'),
      makeFact('Revenues', YEAR, '350', '2027-02-01'),
    ];
    expect(fourthQuarterFigure(year, [nine])).toMatchObject({ first: '100', latest: '100' });
  });

  it('derives no fourth quarter from figures with different tags', () => {
    expect(fourthQuarterFigure([makeFact(CONTRACTS, YEAR, '400', '2026-02-01')], [nine])).toBe(
      null,
    );
  });

  it('subtracts restated nine months if the annual report already had the new basis', () => {
    const nineMonths = [nine, makeFact('Revenues', NINE, '280', '2026-11-01')];
    const year = [makeFact('Revenues', YEAR, '380', '2026-02-01')];
    const repeated = makeFact('Revenues', YEAR, '380', '2027-02-01');
    expect(fourthQuarterFigure(year, nineMonths)).toMatchObject({ first: '80' });
    expect(fourthQuarterFigure([...year, repeated], nineMonths)).toMatchObject({ first: '100' });
  });

  it('derives no fourth quarter if the difference is zero or negative', () => {
    expect(fourthQuarterFigure([makeFact('Revenues', YEAR, '300', '2026-02-01')], [nine])).toBe(
      null,
    );
  });

  it('replaces a smaller filed figure with the derived fourth quarter if the latter was known no later', () => {
    const filed = revenueFigure([makeFact('SalesRevenueNet', QUARTER, '95', '2026-02-01')]);
    const derived = fourthQuarterFigure([makeFact('Revenues', YEAR, '400', '2026-02-01')], [nine]);
    const late = fourthQuarterFigure([makeFact('Revenues', YEAR, '400', '2027-02-01')], [nine]);
    expect(largerFourthQuarter(filed, derived)).toBe(derived);
    expect(largerFourthQuarter(filed, late)).toBe(filed);
    expect(largerFourthQuarter(null, derived)).toBe(derived);
    expect(largerFourthQuarter(filed, null)).toBe(filed);
  });
});
