import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import {
  derive,
  filed,
  filing,
  history,
  quarantineReasons,
  row,
  undated,
} from '../../../test/support/earnings-histories.ts';
import type { EarningsObservation, FilingObservation } from './observation.ts';
import type { ObservationHistory } from '../source-records/observation-history.ts';

// All quarters end with a calendar quarter. New York is four hours behind UTC in summer.
const YEAR_END = { yearEnd: '12-31' };
const REPORTS = ['2024-10-23', '2025-01-29', '2025-04-22', '2025-07-23', '2025-10-22'];
const SMALL = 200_000;
const LARGE = 9_000_000;

type History = ObservationHistory<EarningsObservation>;

/** Returns a filing at 16:05 New York time, or at another UTC time. */
function filingOn(
  date: string,
  fields: Partial<FilingObservation> & { utc?: string } = {},
): History {
  const { utc = '21:05', ...rest } = fields;
  const filed8k = filing(`${date}T${utc}:00Z`);
  return {
    ...filed8k,
    observations: filed8k.observations.map((observation) => ({
      ...observation,
      fields: { ...observation.fields, ...rest } as FilingObservation,
    })),
  };
}

function dates(histories: readonly History[]): string[] {
  return derive(histories, YEAR_END).events.map(({ date }) => date);
}

/** A first notice of each quarter's deliveries, two days after its end. */
const DELIVERIES = ['2024-10-02', '2025-01-02', '2025-04-02', '2025-07-02', '2025-10-02'];

describe('several results filings in a quarter', () => {
  const deliveries = DELIVERIES.map((date) => filingOn(date, { size: SMALL, utc: '13:00' }));
  const reports = REPORTS.map((date) => filingOn(date, { size: LARGE }));

  test('dates each report by its own filing, not by the deliveries before it', () => {
    const { events, quarantined } = derive([...deliveries, ...reports], YEAR_END);
    expect(events.map(({ date }) => date)).toEqual(REPORTS);
    expect(new Set([...quarantined.values()].map(({ reason }) => reason))).toEqual(
      new Set(['other-results-filing']),
    );
  });

  test.each([
    ['with a fiscal period', (date: string) => row(date, periodOf(date))],
    ['without a fiscal period', (date: string) => undated(date)],
  ])('learns no lag from a filing left over where a calendar %s has the report', (_, toRow) => {
    const calendars = REPORTS.slice(0, -1).map((date) =>
      history('nasdaq/calendar-earnings', date, [['2026-06-01T00:00:00Z', toRow(date)]]),
    );
    const withoutSizes = [...DELIVERIES, ...REPORTS].map((date) => filingOn(date));
    expect(dates([...calendars, ...withoutSizes])).toEqual(REPORTS);
  });

  test('keeps every date with any subset of calendars, right or projected', () => {
    const rows = REPORTS.flatMap((date, index) => {
      const projected = localDate(
        new Date(Date.parse(date) + (index * 4 - 9) * 86_400_000).toISOString().slice(0, 10),
      );
      return [
        ['nasdaq/calendar-earnings', row(date, periodOf(date))],
        ['finnhub/calendar-earnings', undated(date)],
        ['alphavantage/earnings', row(date, { ...periodOf(date), dateStatus: 'confirmed' })],
        ['yahoo/quote', undated(projected, { dateStatus: 'projected' })],
        [
          'alphavantage/earnings-calendar',
          row(projected, { ...periodOf(date), dateStatus: 'projected' }),
        ],
      ] as const;
    });
    fc.assert(
      fc.property(fc.subarray(rows), (subset) => {
        const calendars = subset.map(([feed, fields]) =>
          history(feed, fields.date, [['2026-06-01T00:00:00Z', fields]]),
        );
        expect(dates([...calendars, ...deliveries, ...reports])).toEqual(REPORTS);
      }),
    );
  });

  test('does not take deliveries for the report that is still to come', () => {
    const notice = filingOn('2026-01-02', { size: SMALL });
    expect(dates([...deliveries, ...reports, notice])).toEqual(REPORTS);
    expect(dates([...reports.map(withoutSize), withoutSize(notice)])).toEqual(REPORTS);
  });

  test('takes a large filing for a late report', () => {
    expect(dates([...reports, filingOn('2026-03-20', { size: LARGE })])).toContain('2026-03-20');
  });

  test('dates a report by its filing, not by the monthly figures around it', () => {
    const months = ['10-08', '11-10', '12-08'].flatMap((day) =>
      ['2023', '2024', '2025'].map((year) => filingOn(`${year}-${day}`, { size: SMALL })),
    );
    const quarters = ['2023-10-24', '2024-10-22', '2025-10-21'];
    expect(dates([...months, ...quarters.map((date) => filingOn(date, { size: LARGE }))])).toEqual(
      quarters,
    );
  });

  test('keeps the report if a longer presentation of the same quarter follows weeks later', () => {
    const presentation = filingOn('2025-08-29', { size: 4 * LARGE });
    expect(dates([...reports, presentation])).toEqual(REPORTS);
  });

  test.each([
    ['a transcript', { form: '8-K', size: LARGE }],
    ['an amendment', { form: '8-K/A', size: LARGE }],
  ])('takes %s with the cover date of the report for a follow-up', (_, fields) => {
    const pairs = REPORTS.flatMap((date) => {
      const reportDate = localDate(date);
      const sequel = localDate(
        new Date(Date.parse(date) + 6 * 86_400_000).toISOString().slice(0, 10),
      );
      return [filingOn(date, { reportDate }), filingOn(sequel, { ...fields, reportDate })];
    });
    const { events, quarantined } = derive(pairs, YEAR_END);
    expect(events.map(({ date }) => date)).toEqual(REPORTS);
    expect([...quarantined.values()][0]?.detail).toMatch(/^repeats the news of filing 0009990001-/);
  });

  test('takes a large filing within ten days for a follow-up even with a cover date of its own', () => {
    const sequels = ['2025-04-29', '2025-07-31', '2025-10-30'];
    expect(dates([...REPORTS, ...sequels].map((date) => filingOn(date, { size: LARGE })))).toEqual(
      REPORTS,
    );
  });

  test('prefers the larger of two filings on consecutive days', () => {
    const notice = filingOn('2025-10-21', { size: SMALL });
    expect(dates([...reports, notice])).toEqual(REPORTS);
  });
});

describe('quarters of twelve weeks', () => {
  // The third quarter ends on 10 May and is labeled May. Its report comes before the end of May.
  const reports = [2023, 2024, 2025].flatMap((year) =>
    ['03-06', '05-28', '09-26', '12-12'].map((day) => filingOn(`${year}-${day}`)),
  );

  test('gives each filing a quarter of its own if no filed figures show the ends', () => {
    const { events, quarantined } = derive(reports, { yearEnd: '08-31' });
    const reported = events.filter(({ dateStatus }) => dateStatus === 'reported');
    expect(reported.map(({ date }) => date.slice(5))).toEqual(
      Array.from({ length: 3 }, () => ['03-06', '05-28', '09-26', '12-12']).flat(),
    );
    expect(quarantineReasons({ quarantined })).toEqual([]);
  });

  test('finds the same quarters as with the filed ends', () => {
    const ends = [2023, 2024, 2025].flatMap((year) =>
      ['02-16', '05-11', '08-31', '11-23'].map((day) => filed(`${year}-${day}`)),
    );
    const ids = (histories: History[]) =>
      derive(histories, { yearEnd: '08-31' }).events.map(({ id, date }) => [id, date]);
    expect(ids(reports)).toEqual(ids([...reports, ...ends]));
  });
});

describe('a filing after the release', () => {
  // 2025-07-23 and 24 are a Wednesday and a Thursday.
  const late = (utc: string, fields: Partial<FilingObservation> = {}): History =>
    filingOn('2025-07-24', { utc, reportDate: localDate('2025-07-23'), ...fields });
  const evenings = ['2025-04-22', '2025-10-22'].map((date) =>
    filingOn(date, { reportDate: localDate(date) }),
  );
  const mornings = ['2025-04-22', '2025-10-22'].map((date) =>
    filingOn(date, { utc: '11:00', reportDate: localDate(date) }),
  );

  function reportOf(histories: History[]) {
    const event = derive(histories, YEAR_END).events.find(({ date }) => date.startsWith('2025-07'));
    return { date: event?.date, time: event?.time };
  }

  const evening = { date: '2025-07-23', time: 'time-after-hours' };
  const morning = { date: '2025-07-24', time: 'time-pre-market' };

  test('during the session, has the day of the cover page and the session of the other reports', () => {
    const midday = late('15:00');
    expect(reportOf([midday, ...evenings])).toEqual(evening);
    expect(reportOf([midday, ...mornings])).toEqual({ ...evening, time: 'time-pre-market' });
    expect(reportOf([midday])).toEqual({ ...evening, time: 'time-not-supplied' });
  });

  test('before the open, has the evening before if the other reports came in the evening', () => {
    expect(reportOf([late('11:00'), ...evenings])).toEqual(evening);
    expect(reportOf([late('11:00'), ...mornings])).toEqual(morning);
    expect(reportOf([late('11:00'), evenings[0] as History, mornings[1] as History])).toEqual(
      morning,
    );
    expect(reportOf([late('11:00')])).toEqual(morning);
  });

  test('has the day that a calendar confirms', () => {
    const calendar = (date: string): History =>
      history('nasdaq/earnings-surprise', date, [
        ['2026-06-01T00:00:00Z', undated(date, { dateStatus: 'confirmed' })],
      ]);
    expect(reportOf([late('11:00'), calendar('2025-07-23')])).toEqual(evening);
    expect(reportOf([late('11:00'), ...evenings, calendar('2025-07-24')])).toEqual(morning);
    expect(reportOf([late('15:00'), ...evenings, calendar('2025-07-24')])).toEqual({
      date: '2025-07-24',
      time: 'time-during-market',
    });
  });

  test('keeps its own day if the cover page may date other news', () => {
    expect(reportOf([late('15:00', { items: ['2.02', '5.02'] }), ...evenings]).date).toBe(
      '2025-07-24',
    );
    const twoDays = late('11:00', { reportDate: localDate('2025-07-22') });
    expect(reportOf([twoDays, ...evenings])).toEqual(morning);
  });
});

function withoutSize(history8k: History): History {
  return {
    ...history8k,
    observations: history8k.observations.map((observation) => {
      const { size: _, ...fields } = observation.fields as FilingObservation;
      return { ...observation, fields };
    }),
  };
}

function periodOf(date: string) {
  const month = Math.floor((Number(date.slice(5, 7)) - 1) / 3) * 3;
  const end = new Date(Date.UTC(Number(date.slice(0, 4)), month, 0));
  return { fiscalPeriodEnd: localDate(end.toISOString().slice(0, 10)) };
}
