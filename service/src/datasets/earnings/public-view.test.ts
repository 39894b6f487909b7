import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import type { ObservationHistory } from '../source-records/observation-history.ts';
import type { EarningsObservation, FiledFigure, FilingObservation } from './observation.ts';
import { publicEarnings } from './public-view.ts';

const CIK = '0009990001';
const ACCESSION = `${CIK}-11-000001`;
const SEEN_AT = Date.parse('2026-11-20T12:00:00Z');
const ACCEPTED_AT = Date.parse('2011-07-19T20:30:00Z');

const filing: FilingObservation = {
  kind: 'filing',
  cik: CIK,
  accession: ACCESSION,
  form: '8-K',
  items: ['2.02'],
  filingDate: localDate('2011-07-19'),
  reportDate: localDate('2011-07-19'),
  acceptance: { certain: ACCEPTED_AT },
  sourceUrl: null,
};

function figure(over: Partial<FiledFigure> = {}): FiledFigure {
  const filedDate = localDate('2011-07-20');
  return {
    tag: 'Revenues',
    first: '100',
    latest: '100',
    filedDate,
    latestFiledDate: filedDate,
    latestSinceDate: filedDate,
    accession: `${CIK}-11-000002`,
    form: '10-Q',
    derived: false,
    ...over,
  };
}

/** Returns the fields that were public at each instant, and since when; null if none were. */
function publicAt(
  fields: readonly EarningsObservation[],
  ...instants: readonly string[]
): (readonly [number, EarningsObservation] | null)[] {
  const histories = fields.map((each, index): ObservationHistory<EarningsObservation> => {
    const observations = [{ at: SEEN_AT, recordId: index, fields: each }];
    return { provider: 'sec', feed: 'f', entityKey: CIK, naturalKey: `${index}`, observations };
  });
  return instants.map((text) => {
    const last = publicEarnings(histories, Date.parse(text)).at(-1)?.observations.at(-1);
    return last === undefined ? null : [last.at, last.fields];
  });
}

function financials(over: Partial<Extract<EarningsObservation, { kind: 'financials' }>>) {
  return {
    kind: 'financials' as const,
    cik: CIK,
    periodStart: localDate('2011-04-01'),
    periodEnd: localDate('2011-06-30'),
    fiscalYear: 2011,
    fiscalQuarter: 2,
    currency: 'USD',
    revenue: null,
    epsDiluted: null,
    ...over,
  };
}

test('shows a filing and its release from its acceptance', () => {
  const before = '2011-07-19T20:29:59Z';
  const at = '2011-07-19T20:30:00Z';
  expect(publicAt([filing], before, at)).toEqual([null, [ACCEPTED_AT, filing]]);
  const release: EarningsObservation = {
    kind: 'release',
    cik: CIK,
    accession: ACCESSION,
    documentUrl: 'https://www.sec.gov/x',
    periodEnd: localDate('2011-06-30'),
    opening: 'Results',
    callAt: null,
  };
  expect(publicAt([filing, release], before, at)).toEqual([null, [ACCEPTED_AT, release]]);
  // Without the filing, nothing tells when the release was published.
  expect(publicAt([release], at, '2026-11-20T12:00:00Z')).toEqual([null, [SEEN_AT, release]]);
});

test('uses the later reading of an acceptance time that nothing settles', () => {
  const acceptance = {
    ifUtc: Date.parse('2011-07-19T13:00:00Z'),
    ifNewYork: Date.parse('2011-07-19T17:00:00Z'),
  };
  const [before, after] = publicAt(
    [{ ...filing, acceptance }],
    '2011-07-19T16:59:59Z',
    '2011-07-19T17:00:00Z',
  );
  expect(before).toBeNull();
  expect(after?.[0]).toBe(acceptance.ifNewYork);
});

test('shows a figure from the end of the day on which it was filed, and a restatement likewise', () => {
  const revenue = figure({
    latest: '90',
    latestSinceDate: localDate('2012-07-18'),
    latestFiledDate: localDate('2013-07-18'),
  });
  const eps = figure({ first: '1', latest: '1', filedDate: localDate('2012-07-18') });
  const values = publicAt(
    [financials({ revenue, epsDiluted: eps })],
    '2011-07-21T03:59:59Z',
    '2011-07-21T04:00:00Z',
    '2012-07-19T04:00:00Z',
  );
  expect(values[0]).toBeNull();
  expect(values[1]).toMatchObject([
    Date.parse('2011-07-21T04:00:00Z'),
    { revenue: { first: '100', latest: '100', latestFiledDate: '2011-07-20' }, epsDiluted: null },
  ]);
  expect(values[2]).toMatchObject([
    Date.parse('2012-07-19T04:00:00Z'),
    { revenue: { latest: '90', latestFiledDate: '2012-07-18' }, epsDiluted: { first: '1' } },
  ]);
});

test('shows a figure from the acceptance of its report, if a list of filings has it', () => {
  const accession = `${CIK}-11-000002`;
  const acceptedAt = Date.parse('2011-07-20T20:00:00Z');
  const acceptances: EarningsObservation = {
    kind: 'acceptances',
    cik: CIK,
    reports: [
      { accession, filingDate: localDate('2011-07-20'), acceptance: { certain: acceptedAt } },
    ],
  };
  const fields = [acceptances, financials({ revenue: figure() })];
  const [before, at] = publicAt(fields, '2011-07-20T19:59:59Z', '2011-07-20T20:00:00Z');
  expect([before, at?.[0], at?.[1].kind]).toEqual([null, acceptedAt, 'financials']);
});

test('hides a derived quarter until every filing that it needs was filed', () => {
  const revenue = figure({ derived: true, knownDate: localDate('2012-02-01') });
  expect(publicAt([financials({ revenue })], '2012-02-02T04:59:59Z')).toEqual([null]);
  expect(publicAt([financials({ revenue })], '2012-02-02T05:00:00Z')).not.toEqual([null]);
});
