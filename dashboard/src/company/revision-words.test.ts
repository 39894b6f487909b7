import { expect, test } from 'vitest';
import type { EarningsRevision, RevisedEarnings } from '../api/reads.gen.ts';
import { tellRevision } from './revision-words.ts';

const ROW: RevisedEarnings = {
  id: 'ern_1',
  symbol: 'NRTH',
  name: 'North',
  date: '2026-11-19',
  time: 'time-pre-market',
  dateStatus: 'projected',
  epsEstimate: 1.2,
  eps: null,
  revenueEstimate: 78e7,
  revenue: null,
  estimateCount: 4,
  epsYearAgo: 1,
  fiscalYear: 2026,
  fiscalQuarter: 3,
  fiscalPeriodEnd: '2026-09-30',
  epsBasis: 'gaap',
  currency: 'USD',
  reportedAt: null,
  updatedAt: '2026-11-01T00:00:00Z',
  epsSurprise: null,
  epsSurprisePercent: null,
  revenueSurprise: null,
  revenueSurprisePercent: null,
  epsOutcome: null,
  revenueOutcome: null,
  estimateAsOf: null,
  splitFactor: 1,
  sourceUrl: null,
  revenueEstimateAsOf: null,
};

test('the first version says what was known at first', () => {
  expect(tellRevision(versionOf(ROW, ['date']), null)).toEqual([
    'First known for Nov 19, 2026, before the open; the day was projected.',
    'Estimates: EPS $1.20, revenue $780M.',
  ]);
});

test('a moved day and a changed estimate are told with what they were', () => {
  const now = { ...ROW, date: '2026-11-20', epsEstimate: 1.23 };
  expect(tellRevision(versionOf(now, ['date', 'epsEstimate']), ROW)).toEqual([
    'The day moved from Nov 19, 2026 to Nov 20, 2026.',
    'EPS estimate $1.20 to $1.23.',
  ]);
});

test('the estimates of EPS and revenue were kept each at its own time', () => {
  const at = '2026-11-18T17:00:00Z';
  const fields = ['estimateAsOf', 'revenueEstimateAsOf'];
  const told = 'The estimate was kept as it stood Nov 18, 12:00:00 New York.';
  const together = { ...ROW, estimateAsOf: at, revenueEstimateAsOf: at };
  expect(tellRevision(versionOf(together, fields), ROW)).toEqual([told]);
  const apart = { ...together, revenueEstimateAsOf: '2026-11-17T17:00:00Z' };
  expect(tellRevision(versionOf(apart, fields), ROW)).toEqual([
    told,
    'The revenue estimate was kept as it stood Nov 17, 12:00:00 New York.',
  ]);
});

test('a result that comes is told apart from one that is corrected', () => {
  const came = { ...ROW, eps: -0.25 };
  expect(tellRevision(versionOf(came, ['eps']), ROW)).toEqual(['The result came: EPS -$0.25.']);
  const corrected = { ...ROW, eps: -0.2 };
  expect(tellRevision(versionOf(corrected, ['eps']), came)).toEqual([
    'EPS corrected: -$0.25 to -$0.20.',
  ]);
});

test('an estimate that no source tells of any more is said to be unknown', () => {
  const now = { ...ROW, epsEstimate: null };
  expect(tellRevision(versionOf(now, ['epsEstimate']), ROW)).toEqual([
    'EPS estimate $1.20 is no longer known.',
  ]);
});

test('a version always says something', () => {
  expect(tellRevision(versionOf(ROW, []), ROW)).toEqual([
    'Only a source changed, or when it was seen.',
  ]);
  expect(tellRevision(versionOf(ROW, ['estimateCount']), ROW)).toEqual([
    'Also known or corrected: estimateCount.',
  ]);
});

function versionOf(row: RevisedEarnings, changedFields: readonly string[]): EarningsRevision {
  return { knownFrom: '2026-11-01T00:00:00Z', knownTo: null, changedFields, row };
}
