import { describe, expect, it } from 'vitest';
import { epsFigure, revenueFigure } from './filed-figure.ts';
import { makeFact } from '../../../../test/support/providers/xbrl-facts.ts';

const QUARTER = ['2025-01-01', '2025-03-31'] as const;
const CONTRACTS = 'RevenueFromContractWithCustomerExcludingAssessedTax';

describe("a period's revenue", () => {
  it('uses the first revenue tag if two tags have the same value', () => {
    const facts = [
      makeFact('Revenues', QUARTER, '10', '2025-05-01'),
      makeFact(CONTRACTS, QUARTER, '10', '2025-05-01'),
    ];
    expect(revenueFigure(facts)?.tag).toBe(CONTRACTS);
    expect(revenueFigure(facts.toReversed())?.tag).toBe(CONTRACTS);
  });

  it('uses the larger value of two revenue tags, compared as numbers and not as text', () => {
    const facts = [
      makeFact(CONTRACTS, QUARTER, '9', '2025-05-01'),
      makeFact('Revenues', QUARTER, '10', '2025-05-01'),
    ];
    expect(revenueFigure(facts)).toMatchObject({ tag: 'Revenues', first: '10', latest: '10' });
  });

  it('uses revenue net of interest if any filing reports it, even if later filings omit it', () => {
    const facts = [
      makeFact('Revenues', QUARTER, '12', '2025-05-01'),
      makeFact('RevenuesNetOfInterestExpense', QUARTER, '10', '2025-05-01'),
      makeFact('Revenues', QUARTER, '12', '2026-05-01'),
    ];
    expect(revenueFigure(facts)).toMatchObject({
      tag: 'RevenuesNetOfInterestExpense',
      first: '10',
      latest: '10',
    });
  });

  it('treats a smaller value with the same tag as a restatement', () => {
    const facts = [
      makeFact('Revenues', QUARTER, '9', '2026-05-01'),
      makeFact('Revenues', QUARTER, '10', '2025-05-01'),
    ];
    expect(revenueFigure(facts)).toMatchObject({ first: '10', latest: '9' });
  });

  it('treats a later, smaller value with a different tag as only a part of the revenue', () => {
    const facts = [
      makeFact('Revenues', QUARTER, '10', '2025-05-01'),
      makeFact('Revenues', QUARTER, '11', '2025-08-01'),
      makeFact('SalesRevenueNet', QUARTER, '9', '2026-05-01'),
    ];
    expect(revenueFigure(facts)).toMatchObject({ first: '10', latest: '11' });
  });

  it('orders two filings from the same day by accession number', () => {
    const facts = [
      makeFact('Revenues', QUARTER, '2', '2025-05-01', { accession: '0001900001-25-000002' }),
      makeFact('Revenues', QUARTER, '1', '2025-05-01', { accession: '0001900001-25-000001' }),
    ];
    expect(revenueFigure(facts)).toMatchObject({ first: '1', latest: '2' });
  });

  it('records when the latest value was last filed, and since when every filing has contained it', () => {
    const facts = [
      makeFact('Revenues', QUARTER, '10', '2025-05-01'),
      makeFact('Revenues', QUARTER, '9', '2025-06-01'),
      makeFact('Revenues', QUARTER, '10', '2025-08-01'),
      makeFact('Revenues', QUARTER, '9', '2026-02-01'),
      makeFact('Revenues', QUARTER, '9', '2026-05-01'),
    ];
    expect(revenueFigure(facts)).toMatchObject({
      latest: '9',
      filedDate: '2025-05-01',
      latestSinceDate: '2026-02-01',
      latestFiledDate: '2026-05-01',
    });
    expect(revenueFigure(facts.slice(0, 1))).toMatchObject({
      latestSinceDate: '2025-05-01',
      latestFiledDate: '2025-05-01',
    });
  });

  it('returns null without a revenue tag', () => {
    expect(revenueFigure([makeFact('EarningsPerShareDiluted', QUARTER, '1', '2025-05-01')])).toBe(
      null,
    );
  });
});

describe("a period's earnings per share", () => {
  it('uses diluted earnings per share if any filing reports them, and basic ones otherwise', () => {
    const basic = makeFact('EarningsPerShareBasic', QUARTER, '1.02', '2025-05-01');
    const diluted = makeFact('EarningsPerShareDiluted', QUARTER, '0.98', '2026-05-01');
    expect(epsFigure([basic, diluted])).toMatchObject({ first: '0.98' });
    expect(epsFigure([basic])).toMatchObject({ tag: 'EarningsPerShareBasic', first: '1.02' });
  });
});
