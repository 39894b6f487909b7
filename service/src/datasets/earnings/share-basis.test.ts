import { describe, expect, test } from 'vitest';
import { epsSurprise } from '../../domain/surprise.ts';
import { localDate } from '../../domain/local-date.ts';
import type { EarningsEvent } from './row.ts';
import type { FiledFigure } from './observation.ts';
import {
  derive,
  figure,
  filed,
  filing,
  instant,
  row,
  history,
} from '../../../test/support/earnings-histories.ts';

const LATER = '2026-01-15T12:00:00Z';

function eps(first: string, filedOn: string, latest = first, since = filedOn): FiledFigure {
  return {
    ...figure(first),
    filedDate: localDate(filedOn),
    latest,
    latestSinceDate: localDate(since),
    latestFiledDate: localDate(since),
  };
}

function quarter(end: string, epsDiluted: FiledFigure, revenue: FiledFigure | null = null) {
  return filed(end, { epsDiluted, revenue }, LATER);
}

/**
 * The stock split 4-for-1 in September 2025. The October report was the first one after the split.
 */
const SPLIT = [
  quarter('2024-09-30', eps('3.60', '2024-11-01', '0.90', '2025-11-01')),
  quarter('2025-06-30', eps('3.48', '2025-08-01')),
  quarter('2025-09-30', eps('0.95', '2025-11-01')),
];

function calendar(end: string, ...rows: Parameters<typeof history>[2]) {
  const period = { fiscalPeriodEnd: localDate(end) };
  const dated = rows.map(([at, fields]) => [at, { ...fields, ...period }] as const);
  return history('nasdaq/calendar-earnings', end.slice(0, 7), dated);
}

function eventOf(end: string, ...args: Parameters<typeof derive>): EarningsEvent | undefined {
  return derive(...args).events.find((event) => event.fiscalPeriodEnd === end);
}

describe('filed EPS', () => {
  const releases = [filing('2024-10-31T20:05:00Z'), filing('2025-07-31T20:05:00Z')];
  const all = [...SPLIT, ...releases, filing('2025-10-30T20:05:00Z')];

  test('divides filed EPS by the splits after its filing date, and keeps four more decimals', () => {
    expect(eventOf('2025-06-30', all)).toMatchObject({ eps: '0.87', splitFactor: '4' });
    const third = SPLIT.with(1, quarter('2025-06-30', eps('3.47', '2025-08-01')));
    expect(eventOf('2025-06-30', [...third, ...releases])?.eps).toBe('0.8675');
  });

  test('does not divide filed EPS for the first report after a split, even if the press release precedes the filing', () => {
    expect(eventOf('2025-09-30', all)).toMatchObject({ eps: '0.95', splitFactor: '1' });
  });

  test("provides last year's filed EPS on the same share basis", () => {
    expect(eventOf('2025-09-30', all)).toMatchObject({ epsYearAgo: '0.9' });
  });

  test('records the source and time of the split as a change to the event', () => {
    const event = eventOf('2025-06-30', all);
    expect(event?.provenance['splitFactor']).toEqual({
      provider: 'sec',
      feed: 'companyfacts',
      seenAt: instant(LATER),
    });
    expect(event?.updatedAt).toBeGreaterThanOrEqual(instant(LATER));
  });

  test('increases filed EPS for a reverse split', () => {
    const reverse = [
      quarter('2024-09-30', eps('-0.36', '2024-11-01', '-3.60', '2025-11-01')),
      quarter('2025-06-30', eps('-0.31', '2025-08-01')),
    ];
    expect(eventOf('2025-06-30', [...reverse, ...releases])).toMatchObject({
      eps: '-3.1',
      splitFactor: '0.1',
    });
  });

  test('does not treat restated EPS as evidence of a split if revenue was restated too', () => {
    const revenue = { ...eps('900', '2024-11-01', '450', '2025-11-01') };
    const restated = [
      quarter('2024-09-30', eps('3.60', '2024-11-01', '0.90', '2025-11-01'), revenue),
      quarter('2025-06-30', eps('3.48', '2025-08-01')),
    ];
    expect(eventOf('2025-06-30', [...restated, ...releases])).toMatchObject({
      eps: '3.48',
      splitFactor: '1',
    });
  });

  test('does not adjust revenue for splits', () => {
    const revenue = eps('123456', '2025-08-01');
    const histories = SPLIT.with(1, quarter('2025-06-30', eps('3.48', '2025-08-01'), revenue));
    expect(eventOf('2025-06-30', [...histories, ...releases])?.revenue).toBe('123456');
  });
});

describe('calendar EPS', () => {
  const before = { epsEstimate: '3.40', epsYearAgo: '3.20' };

  test('divides calendar EPS seen before the split, for the consensus and the result alike', () => {
    const event = eventOf('2025-06-30', [
      ...SPLIT,
      calendar(
        '2025-06-30',
        ['2025-07-30T12:00:00Z', row('2025-07-31', before)],
        ['2025-08-01T12:00:00Z', row('2025-07-31', { ...before, eps: '3.50' })],
      ),
    ]);
    expect(event).toMatchObject({
      epsEstimate: '0.85',
      eps: '0.875',
      epsYearAgo: '0.8',
      splitFactor: '4',
    });
    const percent = epsSurprise('3.50', '3.40').surprisePercent;
    expect(epsSurprise(event?.eps ?? null, event?.epsEstimate ?? null).surprisePercent).toBe(
      percent,
    );
  });

  test('keeps calendar EPS seen after the split as the source adjusted it, and divides a frozen value', () => {
    const event = eventOf('2025-06-30', [
      ...SPLIT,
      calendar(
        '2025-06-30',
        ['2025-07-30T12:00:00Z', row('2025-07-31', before)],
        ['2025-12-01T12:00:00Z', row('2025-07-31', { eps: '0.88', epsEstimate: '0.85' })],
      ),
    ]);
    expect(event).toMatchObject({ epsEstimate: '0.85', eps: '0.88', splitFactor: '4' });
  });

  test.each([
    ['already adjusted', '0.93', '0.93'],
    ['not yet adjusted', '3.72', '0.93'],
  ])(
    'treats calendar EPS seen while the split date is unknown as %s if that is closer',
    (_, seen, estimate) => {
      const event = eventOf('2025-09-30', [
        ...SPLIT,
        calendar(
          '2025-09-30',
          ['2025-10-29T12:00:00Z', row('2025-10-30', { epsEstimate: seen })],
          ['2025-10-31T12:00:00Z', row('2025-10-30', { epsEstimate: '0.94', eps: '0.96' })],
        ),
      ]);
      expect(event).toMatchObject({ epsEstimate: estimate, eps: '0.96', splitFactor: '1' });
    },
  );

  test('does not adjust calendar EPS seen between the press release and the filing', () => {
    const charged = SPLIT.with(2, quarter('2025-09-30', eps('0.10', '2025-11-01')));
    const seen = ['2025-10-31T12:00:00Z', row('2025-10-30', { eps: '0.95' })] as const;
    expect(eventOf('2025-09-30', [...charged, calendar('2025-09-30', seen)])?.eps).toBe('0.95');
  });

  test('uses calendar EPS to tell whether a report preceded a split first revealed by the annual report', () => {
    const year = eps('9.00', '2025-02-20', '3.00', '2026-03-10');
    const annual = [
      filed('2024-12-31', { epsDiluted: null, epsDilutedYear: year, revenue: null }, LATER),
      filed(
        '2025-12-31',
        { epsDiluted: null, epsDilutedYear: eps('3.20', '2026-03-10'), revenue: null },
        LATER,
      ),
      quarter('2025-09-30', eps('2.40', '2025-11-01')),
    ];
    const shown = (value: string) =>
      calendar('2025-12-31', ['2026-02-11T12:00:00Z', row('2026-02-10', { eps: value })]);
    expect(eventOf('2025-12-31', [...annual, shown('2.55')])).toMatchObject({
      eps: '0.85',
      splitFactor: '3',
    });
    expect(eventOf('2025-12-31', [...annual, shown('0.85')])).toMatchObject({
      eps: '0.85',
      splitFactor: '1',
    });
  });
});
