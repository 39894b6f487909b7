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

function said(
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

describe('a source that corrects the quarter of a coming report', () => {
  const wrong = said('nasdaq/calendar-earnings', FIRST, { ...SEPTEMBER, epsEstimate: '1' });
  const right = said('nasdaq/calendar-earnings', LATER, { ...DECEMBER, epsEstimate: '2' });

  test.each([
    ['as they came', [wrong, right]],
    ['the other way round', [right, wrong]],
  ])('leaves one report on its day, with the new quarter: %s', (_, histories) => {
    const event = onlyEvent(derive(histories));
    expect(event).toMatchObject({ date: DAY, epsEstimate: '2', fiscalPeriodEnd: '2025-12-31' });
  });

  test('tells since when the other one is gone', () => {
    const before = onlyEvent(derive([wrong]));
    expect([...derive([wrong, right]).removed]).toEqual([[before.id, Date.parse(LATER)]]);
  });

  test('leaves the other one on another day', () => {
    const other = said('nasdaq/calendar-earnings', LATER, DECEMBER, '2026-05-10');
    expect(derive([wrong, other]).events.map(({ date }) => date)).toEqual([DAY, '2026-05-10']);
  });

  test('has two, where it once listed both at a time', () => {
    const both = said('nasdaq/calendar-earnings', [FIRST, LATER], DECEMBER);
    expect(derive([wrong, both]).events).toHaveLength(2);
  });
});

describe('a source that corrects the quarter of a report that is out', () => {
  const AHEAD = { epsEstimate: '1', time: 'time-pre-market' } as const;
  const ahead = said('nasdaq/calendar-earnings', FIRST, { ...SEPTEMBER, ...AHEAD });
  const results = { ...DECEMBER, epsEstimate: '1.2', eps: '1.3' };
  const after = said('nasdaq/calendar-earnings', '2026-02-11T12:00:00Z', results);

  test('changes neither what was expected of it nor its hour', () => {
    expect(onlyEvent(derive([ahead, after]))).toMatchObject({
      epsEstimate: '1',
      eps: '1.3',
      estimateAsOf: instant(FIRST),
      time: 'time-pre-market',
      markerAhead: true,
      fiscalPeriodEnd: '2025-12-31',
    });
  });

  test('even when it did so twice', () => {
    const between = { ...SEPTEMBER, fiscalPeriodEnd: localDate('2025-06-30'), epsEstimate: '1.1' };
    const second = said('nasdaq/calendar-earnings', LATER, between);
    expect(onlyEvent(derive([after, second, ahead]))).toMatchObject({
      epsEstimate: '1.1',
      estimateAsOf: instant(LATER),
      time: 'time-pre-market',
    });
  });

  test('takes back no results that it gave before', () => {
    const given = said('nasdaq/calendar-earnings', '2026-02-10T22:00:00Z', {
      ...SEPTEMBER,
      eps: '1.3',
    });
    const none = said('nasdaq/calendar-earnings', '2026-02-11T12:00:00Z', DECEMBER);
    expect(onlyEvent(derive([given, none]))).toMatchObject({ eps: '1.3', dateStatus: 'reported' });
  });
});

test('a row that names no period any more replaces none: the report stays what it was', () => {
  const october = { fiscalPeriodEnd: localDate('2025-10-31'), epsEstimate: '1' };
  const named = said('nasdaq/calendar-earnings', FIRST, october);
  const unnamed = history('nasdaq/calendar-earnings', `date:${DAY}`, [[LATER, undated(DAY)]]);
  const before = onlyEvent(derive([named]));
  const { events, removed } = derive([named, unnamed]);
  expect(events).toMatchObject([{ id: before.id, fiscalPeriodEnd: '2025-10-31' }]);
  expect(removed.size).toBe(0);
});

describe('sources that name two quarters for the report of a day', () => {
  const believed = said('nasdaq/calendar-earnings', FIRST, { ...DECEMBER, epsEstimate: '2' });
  const other = said('alphavantage/earnings-calendar', LATER, { ...SEPTEMBER, epsEstimate: '1' });

  test('mean one report, of the quarter of the one believed first', () => {
    const { events, removed } = derive([other, believed]);
    expect(events).toMatchObject([{ date: DAY, epsEstimate: '2', fiscalPeriodEnd: '2025-12-31' }]);
    expect(removed.size).toBe(0);
  });

  test('mean the quarter whose figures were filed', () => {
    const event = onlyEvent(derive([other, believed, filed('2025-09-30')]));
    expect(event).toMatchObject({ date: DAY, revenue: '1000000', fiscalPeriodEnd: '2025-09-30' });
  });

  test('mean two where figures of both were filed', () => {
    const figures = [filed('2025-09-30'), filed('2025-12-31')];
    expect(derive([other, believed, ...figures]).events).toHaveLength(2);
  });

  test('mean two where one of them names both', () => {
    const both = said('nasdaq/calendar-earnings', FIRST, SEPTEMBER);
    expect(derive([other, believed, both]).events).toHaveLength(2);
  });
});

describe('a row that left its source before its day', () => {
  const MOVED = '2026-02-20';
  const cancelled = said('nasdaq/calendar-earnings', FIRST, DECEMBER);
  const withdrawals = new Map([[cancelled, instant('2026-02-04T12:00:00Z')]]);
  const other = said('yahoo/quote-summary', FIRST, { ...DECEMBER, epsEstimate: '1' }, MOVED);
  const results = said('yahoo/quote-summary', '2026-02-21T12:00:00Z', { eps: '1.1' }, MOVED);
  const onTheDay = filing('2026-02-20T12:00:00Z');

  test('moves no report back to its day when the results are out', () => {
    const event = onlyEvent(derive([cancelled, other, results], { withdrawals }));
    expect(event).toMatchObject({ date: MOVED, dateStatus: 'reported', eps: '1.1' });
  });

  test('keeps no filing from the report that another source lists', () => {
    const derived = derive([cancelled, other, onTheDay], { withdrawals });
    expect(onlyEvent(derived)).toMatchObject({ date: MOVED, time: 'time-pre-market' });
    expect(quarantineReasons(derived)).toEqual([]);
  });

  test('keeps no filing from the quarter when nobody lists it any more', () => {
    const event = onlyEvent(derive([cancelled, onTheDay, filed('2025-12-31')], { withdrawals }));
    expect(event).toMatchObject({ date: MOVED, time: 'time-pre-market', revenue: '1000000' });
  });

  test('names no day for figures that are filed later', () => {
    const { events, quarantined, removed } = derive([cancelled, filed('2025-12-31')], {
      withdrawals,
    });
    expect(events).toEqual([]);
    expect([...quarantined.values()].map(({ reason }) => reason)).toEqual(['release-date-unknown']);
    expect([...removed.values()]).toEqual([instant('2026-02-04T12:00:00Z')]);
  });

  test('names no quarter for what another source lists on that day', () => {
    const wrong = said('nasdaq/calendar-earnings', FIRST, SEPTEMBER);
    const right = said('yahoo/quote-summary', FIRST, DECEMBER);
    const removed = new Map([[wrong, instant('2026-02-04T12:00:00Z')]]);
    const event = onlyEvent(derive([wrong, right], { withdrawals: removed }));
    expect(event.fiscalPeriodEnd).toBe('2025-12-31');
  });

  test('counts as before when it left on its day, as rows of days gone by do', () => {
    const passed = new Map([[cancelled, instant('2026-02-12T12:00:00Z')]]);
    const event = onlyEvent(
      derive([cancelled, filing('2026-02-10T21:30:00Z')], { withdrawals: passed }),
    );
    expect(event).toMatchObject({ date: DAY, fiscalPeriodEnd: '2025-12-31' });
  });
});

test('no list is asked about rows with results, nor about what lists never hold', () => {
  const coming = said('nasdaq/calendar-earnings', FIRST, DECEMBER);
  const out = said('nasdaq/calendar-earnings', FIRST, { ...DECEMBER, eps: '1' });
  const others = [filing('2026-02-10T21:30:00Z'), filed('2025-12-31')];
  expect([coming, out, ...others].filter(mayBeWithdrawn)).toEqual([coming]);
});
