import { expect, test } from 'vitest';
import type { EarningsRevision, RevisedEarnings } from '@afterbell/sdk';
import { describeRevision } from './revision-sentences.ts';

const ROW: RevisedEarnings = {
  id: 'ern_1',
  symbol: 'NRTH',
  name: 'North',
  date: '2026-11-19',
  time: 'time-pre-market',
  dateStatus: 'projected',
  projection: null,
  epsEstimate: 1.2,
  eps: null,
  revenueEstimate: 78e7,
  revenue: null,
  estimateCount: 4,
  epsYearAgo: 1,
  fiscalYear: 2026,
  fiscalQuarter: 3,
  fiscalPeriodEnd: '2026-09-30',
  epsGaap: null,
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
  callAt: null,
  estimates: null,
  guidance: null,
};

test('describes the first version of an earnings report', () => {
  expect(describeRevision(versionOf(ROW, ['date']), null)).toEqual([
    'Added with Nov 19, 2026, before open; date projected.',
    'Estimates: EPS $1.20, revenue $780M.',
  ]);
});

test('describes a moved date and a changed estimate with their old and new values', () => {
  const now = { ...ROW, date: '2026-11-20', epsEstimate: 1.23 };
  expect(describeRevision(versionOf(now, ['date', 'epsEstimate']), ROW)).toEqual([
    'Date moved from Nov 19, 2026 to Nov 20, 2026.',
    'EPS estimate changed from $1.20 to $1.23.',
  ]);
});

test('says when the EPS and revenue estimates were frozen', () => {
  const at = '2026-11-18T17:00:00Z';
  const fields = ['estimateAsOf', 'revenueEstimateAsOf'];
  const frozen = 'Estimate frozen as of Nov 18, 12:00:00 New York.';
  const together = { ...ROW, estimateAsOf: at, revenueEstimateAsOf: at };
  expect(describeRevision(versionOf(together, fields), ROW)).toEqual([frozen]);
  const apart = { ...together, revenueEstimateAsOf: '2026-11-17T17:00:00Z' };
  expect(describeRevision(versionOf(apart, fields), ROW)).toEqual([
    frozen,
    'Revenue estimate frozen as of Nov 17, 12:00:00 New York.',
  ]);
});

test('distinguishes new results from corrections', () => {
  const came = { ...ROW, eps: -0.25 };
  expect(describeRevision(versionOf(came, ['eps']), ROW)).toEqual(['Results: EPS -$0.25.']);
  const corrected = { ...ROW, eps: -0.2 };
  expect(describeRevision(versionOf(corrected, ['eps']), came)).toEqual([
    'EPS corrected from -$0.25 to -$0.20.',
  ]);
});

test('says that an estimate is unavailable once no source reports it anymore', () => {
  const now = { ...ROW, epsEstimate: null };
  expect(describeRevision(versionOf(now, ['epsEstimate']), ROW)).toEqual([
    'EPS estimate removed (was $1.20).',
  ]);
});

test('shows the interval of a projected date until a source names the day', () => {
  const projection = {
    interval50: { from: '2026-11-19', to: '2026-11-19' },
    interval80: { from: '2026-11-18', to: '2026-11-24' },
    timeProbability: 0.9,
    basis: 'From 8 past reports.',
  };
  const projected = { ...ROW, projection };
  expect(describeRevision(versionOf(projected, ['projection']), ROW)).toEqual([
    'Date projected from past reports: Nov 18, 2026 to Nov 24, 2026 with 80 %.',
  ]);
  expect(describeRevision(versionOf(ROW, ['projection']), projected)).toEqual([
    'A source names the date.',
  ]);
});

test('has a description for every version of a report', () => {
  expect(describeRevision(versionOf(ROW, []), ROW)).toEqual([
    'Only the source, its timestamp or past means changed.',
  ]);
  expect(describeRevision(versionOf(ROW, ['estimateCount']), ROW)).toEqual([
    'Updated: estimateCount.',
  ]);
});

function versionOf(row: RevisedEarnings, changedFields: readonly string[]): EarningsRevision {
  return { knownFrom: '2026-11-01T00:00:00Z', knownTo: null, changedFields, row };
}
