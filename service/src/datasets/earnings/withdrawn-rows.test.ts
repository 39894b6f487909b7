import { describe, expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import type { CalendarObservation } from './observation.ts';
import { mayBeWithdrawn } from './withdrawn-rows.ts';
import {
  derive,
  filed,
  filing,
  quarantineReasons,
  instant,
  onlyEvent,
  row,
  history,
  undated,
} from '../../../test/support/earnings-histories.ts';

const FIRST = '2026-02-01T12:00:00Z';
const LATER = '2026-02-02T12:00:00Z';
const DAY = '2026-02-10';
const SEPTEMBER = { fiscalPeriodEnd: localDate('2025-09-30') };
const DECEMBER = { fiscalPeriodEnd: localDate('2025-12-31') };

function historyOf(
  feed: string,
  at: string | readonly string[],
  fields: Partial<Omit<CalendarObservation, 'date' | 'kind'>>,
  date = DAY,
) {
  const observed = row(date, fields);
  const key = observed.fiscalPeriodEnd?.slice(0, 7) ?? `date:${date}`;
  const instants = typeof at === 'string' ? [at] : at;
  return history(
    feed,
    key,
    instants.map((each) => [each, observed] as const),
  );
}

describe('a source that corrects the quarter of an upcoming report', () => {
  const wrong = historyOf('nasdaq/calendar-earnings', FIRST, { ...SEPTEMBER, epsEstimate: '1' });
  const right = historyOf('nasdaq/calendar-earnings', LATER, { ...DECEMBER, epsEstimate: '2' });

  test.each([
    ['in order of arrival', [wrong, right]],
    ['in reverse order', [right, wrong]],
  ])(
    'keeps one report with the new quarter when a source corrects the quarter: %s',
    (_, histories) => {
      const event = onlyEvent(derive(histories));
      expect(event).toMatchObject({ date: DAY, epsEstimate: '2', fiscalPeriodEnd: '2025-12-31' });
    },
  );

  test('records when the report for the wrong quarter was removed', () => {
    const before = onlyEvent(derive([wrong]));
    expect([...derive([wrong, right]).removed]).toEqual([[before.id, Date.parse(LATER)]]);
  });

  test('keeps both reports if a source lists two quarters on different days', () => {
    const other = historyOf('nasdaq/calendar-earnings', LATER, DECEMBER, '2026-05-10');
    expect(derive([wrong, other]).events.map(({ date }) => date)).toEqual([DAY, '2026-05-10']);
  });

  test('keeps two reports if a source lists both quarters in one response', () => {
    const both = historyOf('nasdaq/calendar-earnings', [FIRST, LATER], DECEMBER);
    expect(derive([wrong, both]).events).toHaveLength(2);
  });
});

describe('a source that corrects the quarter of a published report', () => {
  const AHEAD = { epsEstimate: '1', time: 'time-pre-market' } as const;
  const ahead = historyOf('nasdaq/calendar-earnings', FIRST, { ...SEPTEMBER, ...AHEAD });
  const results = { ...DECEMBER, epsEstimate: '1.2', eps: '1.3' };
  const after = historyOf('nasdaq/calendar-earnings', '2026-02-11T12:00:00Z', results);

  test('keeps the expectations and session of a published report when its quarter is corrected', () => {
    expect(onlyEvent(derive([ahead, after]))).toMatchObject({
      epsEstimate: '1',
      eps: '1.3',
      estimateAsOf: instant(FIRST),
      time: 'time-pre-market',
      markerAhead: true,
      fiscalPeriodEnd: '2025-12-31',
    });
  });

  test('keeps the newest expectation and the session after two quarter corrections', () => {
    const between = { ...SEPTEMBER, fiscalPeriodEnd: localDate('2025-06-30'), epsEstimate: '1.1' };
    const second = historyOf('nasdaq/calendar-earnings', LATER, between);
    expect(onlyEvent(derive([after, second, ahead]))).toMatchObject({
      epsEstimate: '1.1',
      estimateAsOf: instant(LATER),
      time: 'time-pre-market',
    });
  });

  test('does not withdraw published results when a source corrects the quarter', () => {
    const order = historyOf('nasdaq/calendar-earnings', '2026-02-10T22:00:00Z', {
      ...SEPTEMBER,
      eps: '1.3',
    });
    const none = historyOf('nasdaq/calendar-earnings', '2026-02-11T12:00:00Z', DECEMBER);
    expect(onlyEvent(derive([order, none]))).toMatchObject({ eps: '1.3', dateStatus: 'reported' });
  });
});

test('does not replace a row that has a period with one that has none, so the report stays the same', () => {
  const october = { fiscalPeriodEnd: localDate('2025-10-31'), epsEstimate: '1' };
  const named = historyOf('nasdaq/calendar-earnings', FIRST, october);
  const unnamed = history('nasdaq/calendar-earnings', `date:${DAY}`, [[LATER, undated(DAY)]]);
  const before = onlyEvent(derive([named]));
  const { events, removed } = derive([named, unnamed]);
  expect(events).toMatchObject([{ id: before.id, fiscalPeriodEnd: '2025-10-31' }]);
  expect(removed.size).toBe(0);
});

describe("sources that list the same day's report under two quarters", () => {
  const preferred = historyOf('nasdaq/calendar-earnings', FIRST, { ...DECEMBER, epsEstimate: '2' });
  const other = historyOf('alphavantage/earnings-calendar', LATER, {
    ...SEPTEMBER,
    epsEstimate: '1',
  });

  test("merges reports for two quarters on the same day, and keeps the preferred source's quarter", () => {
    const { events, removed } = derive([other, preferred]);
    expect(events).toMatchObject([{ date: DAY, epsEstimate: '2', fiscalPeriodEnd: '2025-12-31' }]);
    expect(removed.size).toBe(0);
  });

  test('merges reports for two quarters on the same day, and keeps the quarter with filed figures', () => {
    const event = onlyEvent(derive([other, preferred, filed('2025-09-30')]));
    expect(event).toMatchObject({ date: DAY, revenue: '1000000', fiscalPeriodEnd: '2025-09-30' });
  });

  test('keeps two reports on the same day if figures for both quarters were filed', () => {
    const figures = [filed('2025-09-30'), filed('2025-12-31')];
    expect(derive([other, preferred, ...figures]).events).toHaveLength(2);
  });

  test('keeps two reports on the same day if one source lists both quarters', () => {
    const both = historyOf('nasdaq/calendar-earnings', FIRST, SEPTEMBER);
    expect(derive([other, preferred, both]).events).toHaveLength(2);
  });
});

describe('a row withdrawn before its day', () => {
  const MOVED = '2026-02-20';
  const cancelled = historyOf('nasdaq/calendar-earnings', FIRST, DECEMBER);
  const withdrawals = new Map([[cancelled, instant('2026-02-04T12:00:00Z')]]);
  const other = historyOf('yahoo/quote-summary', FIRST, { ...DECEMBER, epsEstimate: '1' }, MOVED);
  const results = historyOf('yahoo/quote-summary', '2026-02-21T12:00:00Z', { eps: '1.1' }, MOVED);
  const onTheDay = filing('2026-02-20T12:00:00Z');

  test('does not move a published report back to the day of a withdrawn row', () => {
    const event = onlyEvent(derive([cancelled, other, results], { withdrawals }));
    expect(event).toMatchObject({ date: MOVED, dateStatus: 'reported', eps: '1.1' });
  });

  test('matches a filing to the report in a different source despite a withdrawn row', () => {
    const derived = derive([cancelled, other, onTheDay], { withdrawals });
    expect(onlyEvent(derived)).toMatchObject({ date: MOVED, time: 'time-pre-market' });
    expect(quarantineReasons(derived)).toEqual([]);
  });

  test('matches a filing to the quarter of a withdrawn row if no source lists the quarter any more', () => {
    const event = onlyEvent(derive([cancelled, onTheDay, filed('2025-12-31')], { withdrawals }));
    expect(event).toMatchObject({ date: MOVED, time: 'time-pre-market', revenue: '1000000' });
  });

  test('does not use the date of a withdrawn row for figures that are filed later', () => {
    const { events, quarantined, removed } = derive([cancelled, filed('2025-12-31')], {
      withdrawals,
    });
    expect(events).toEqual([]);
    expect([...quarantined.values()].map(({ reason }) => reason)).toEqual(['release-date-unknown']);
    expect([...removed.values()]).toEqual([instant('2026-02-04T12:00:00Z')]);
  });

  test("does not apply the quarter of a withdrawn row to a different source's row on that day", () => {
    const wrong = historyOf('nasdaq/calendar-earnings', FIRST, SEPTEMBER);
    const right = historyOf('yahoo/quote-summary', FIRST, DECEMBER);
    const removed = new Map([[wrong, instant('2026-02-04T12:00:00Z')]]);
    const event = onlyEvent(derive([wrong, right], { withdrawals: removed }));
    expect(event.fiscalPeriodEnd).toBe('2025-12-31');
  });

  test('keeps using a row that was withdrawn after its day, as past rows usually are', () => {
    const passed = new Map([[cancelled, instant('2026-02-12T12:00:00Z')]]);
    const event = onlyEvent(
      derive([cancelled, filing('2026-02-10T21:30:00Z')], { withdrawals: passed }),
    );
    expect(event).toMatchObject({ date: DAY, fiscalPeriodEnd: '2025-12-31' });
  });
});

test('does not check lists for rows with results or for observations that lists never contain', () => {
  const coming = historyOf('nasdaq/calendar-earnings', FIRST, DECEMBER);
  const out = historyOf('nasdaq/calendar-earnings', FIRST, { ...DECEMBER, eps: '1' });
  const others = [filing('2026-02-10T21:30:00Z'), filed('2025-12-31')];
  expect([coming, out, ...others].filter(mayBeWithdrawn)).toEqual([coming]);
});
