import { expect, it } from 'vitest';
import { localDate } from '../../../domain/local-date.ts';
import { labelOf, periodEndsByFiling } from './fiscal-labels.ts';
import { makeFact } from '../../../../test/support/providers/xbrl-facts.ts';

const QUARTER = ['2025-01-27', '2025-04-27'] as const;
const YEAR_ENDS = [localDate('2025-01-26')];

function labelFor(filingYear: number | null, filingPeriod: string | null, ownEnd?: string) {
  const fact = makeFact('Revenues', QUARTER, '1', '2025-05-28', { filingYear, filingPeriod });
  const ownFact = makeFact('Revenues', ['2025-02-01', ownEnd ?? QUARTER[1]], '1', '2025-05-28');
  const periodEndByFiling = periodEndsByFiling([fact, ownFact]);
  const { fiscalYear, fiscalQuarter } = labelOf(fact.end, [fact], {
    periodEndByFiling,
    yearEnds: YEAR_ENDS,
  });
  return `${fiscalYear} ${fiscalQuarter}`;
}

const LABELS: [number | null, string | null, string | undefined, string, string][] = [
  [2026, 'Q1', undefined, '2026 1', 'the company counts a year ahead'],
  [2025, 'Q1', undefined, '2025 1', 'the company names years by their start'],
  [2026, 'Q1', '2026-04-26', 'null null', 'a comparison in the next report'],
  [2026, 'Q2', undefined, 'null null', 'a quarter that does not fit the year end'],
  [2028, 'Q1', undefined, 'null null', 'a year far off'],
  [null, 'Q1', undefined, 'null null', 'no year'],
  [2026, 'H1', undefined, 'null null', 'no quarter'],
  [2026, null, undefined, 'null null', 'no period'],
];

it.each(LABELS)(
  'given the year %s and period %s in a filing for %s, labels the quarter %s: %s',
  (year, filingPeriod, end, label) => {
    expect(labelFor(year, filingPeriod, end)).toBe(label);
  },
);

it.each([
  ['2024-11-24', 1],
  ['2025-02-16', 2],
  ['2025-05-11', 3],
  ['2025-08-31', 4],
  ['2025-11-23', 1],
])('assigns quarters of twelve and sixteen weeks correctly: %s is in Q%s', (end, quarter) => {
  const filingPeriod = quarter === 4 ? 'FY' : `Q${quarter}`;
  const fact = makeFact('Revenues', ['2024-09-02', end], '1', '2025-12-01', {
    filingYear: 2025,
    filingPeriod,
  });
  const calendar = {
    periodEndByFiling: periodEndsByFiling([fact]),
    yearEnds: [localDate('2025-08-31')],
  };
  expect(labelOf(fact.end, [fact], calendar).fiscalQuarter).toBe(quarter);
});
