import { describe, expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import {
  derive,
  filed,
  filing,
  instant,
  nasdaq,
  onlyEvent,
  row,
  history,
} from '../../../test/support/earnings-histories.ts';

// 2026-02-10 is a Tuesday; New York is five hours behind UTC until 8 March.
const AHEAD = '2026-02-01T12:00:00Z';
const PAST = '2026-02-12T12:00:00Z';

describe('the marker', () => {
  test('captured ahead survives the source dropping it once the date is past', () => {
    const event = onlyEvent(
      derive([
        nasdaq([AHEAD, row('2026-02-10', { time: 'time-pre-market' })], [PAST, row('2026-02-10')]),
      ]),
    );
    expect(event).toMatchObject({ time: 'time-pre-market', markerAhead: true, date: '2026-02-10' });
  });

  test('of another day says nothing of the day that stands', () => {
    const event = onlyEvent(
      derive([
        nasdaq([AHEAD, row('2026-02-10', { time: 'time-pre-market' })], [PAST, row('2026-02-17')]),
      ]),
    );
    expect(event).toMatchObject({ time: 'time-not-supplied', markerAhead: false });
  });

  test('the newest one captured ahead stands, not the first and not one of after the release', () => {
    const event = onlyEvent(
      derive([
        nasdaq(
          [AHEAD, row('2026-02-10', { time: 'time-pre-market' })],
          ['2026-02-09T12:00:00Z', row('2026-02-10', { time: 'time-after-hours' })],
          [PAST, row('2026-02-10', { time: 'time-pre-market' })],
        ),
      ]),
    );
    expect(event.time).toBe('time-after-hours');
  });

  test('of an answer without a time of its own was not captured ahead', () => {
    const event = onlyEvent(
      derive([nasdaq(['1970-01-01T00:00:00Z', row('2026-02-10', { time: 'time-after-hours' })])]),
    );
    expect(event).toMatchObject({ time: 'time-after-hours', markerAhead: false });
  });

  test.each([
    [
      'a filing hours later leaves it',
      'time-pre-market',
      '2026-02-10T21:30:00Z',
      'time-pre-market',
    ],
    [
      'a filing a day later leaves it',
      'time-after-hours',
      '2026-02-11T12:00:00Z',
      'time-after-hours',
    ],
    [
      'a filing before its session proves it wrong',
      'time-after-hours',
      '2026-02-10T12:00:00Z',
      'time-pre-market',
    ],
    [
      'a filing of the evening before proves it wrong',
      'time-pre-market',
      '2026-02-09T21:30:00Z',
      'time-after-hours',
    ],
    [
      'a filing in its session agrees',
      'time-after-hours',
      '2026-02-10T21:05:00Z',
      'time-after-hours',
    ],
  ] as const)('%s', (_, time, acceptedAt, expected) => {
    const event = onlyEvent(
      derive([nasdaq([AHEAD, row('2026-02-10', { time })]), filing(acceptedAt)]),
    );
    expect(event).toMatchObject({ time: expected, reportedAt: instant(acceptedAt) });
    expect(event.dateStatus).toBe('reported');
  });
});

describe('the day on the cover of a filing', () => {
  // The calendar missed that the report moved by a day; the filing came in the evening after.
  test.each([
    ['2026-02-11', '2026-02-11', 'after the marker’s day proves the marker wrong'],
    ['2026-02-10', '2026-02-10', 'equal to the marker’s day leaves it'],
    ['2026-02-09', '2026-02-10', 'before the marker’s day leaves it'],
    [null, '2026-02-10', 'that nobody tells leaves it'],
  ] as const)('%s: the report is of %s, since a cover %s', (reportDate, date, _why) => {
    const late = filing('2026-02-11T21:22:00Z');
    const [said] = late.observations;
    if (said?.fields.kind !== 'filing') throw new Error('no filing');
    said.fields.reportDate = reportDate === null ? null : localDate(reportDate);
    const marker = row('2026-02-10', { time: 'time-after-hours' });
    const event = onlyEvent(derive([nasdaq([AHEAD, marker]), late]));
    expect(event).toMatchObject({ date, time: 'time-after-hours' });
    expect(event.markerAhead).toBe(date === '2026-02-10');
  });
});

describe('without a marker the filing tells', () => {
  test.each([
    ['2026-02-10T11:00:00Z', 'time-pre-market'],
    ['2026-02-10T14:29:59Z', 'time-pre-market'],
    ['2026-02-10T14:30:00Z', 'time-during-market'],
    ['2026-02-10T20:59:59Z', 'time-during-market'],
    ['2026-02-10T21:00:00Z', 'time-after-hours'],
    // The day after Thanksgiving closes at 13:00 New York.
    ['2025-11-28T17:59:59Z', 'time-during-market'],
    ['2025-11-28T18:00:00Z', 'time-after-hours'],
  ])('%s is %s', (acceptedAt, time) => {
    expect(onlyEvent(derive([filing(acceptedAt)]))).toMatchObject({
      time,
      date: acceptedAt.slice(0, 10),
      reportedAt: instant(acceptedAt),
      markerAhead: false,
    });
  });

  test.each([
    ['2026-02-10T13:00:00Z', '2026-02-10T21:30:00Z', 'time-pre-market'],
    ['2026-02-10T13:00:00Z', '2026-02-10T16:00:00Z', 'time-pre-market'],
  ])('results seen at %s came before a filing of %s', (seenAt, acceptedAt, time) => {
    const results = nasdaq([AHEAD, row('2026-02-10')], [seenAt, row('2026-02-10', { eps: '1.3' })]);
    const event = onlyEvent(derive([results, filing(acceptedAt)]));
    expect(event).toMatchObject({ time, markerAhead: true, reportedAt: instant(acceptedAt) });
    expect(event.provenance['time']).toMatchObject({ provider: 'nasdaq', seenAt: instant(seenAt) });
  });

  test('results seen in the session, before a filing of the evening, leave the session unknown', () => {
    const seen = row('2026-02-10', { revenue: '900' });
    const results = nasdaq([AHEAD, row('2026-02-10')], ['2026-02-10T17:00:00Z', seen]);
    const event = onlyEvent(derive([results, filing('2026-02-10T21:30:00Z')]));
    expect(event).toMatchObject({ time: 'time-not-supplied', reportedAt: null });
    expect(event).toMatchObject({ date: '2026-02-10', dateStatus: 'reported', markerAhead: false });
  });

  test('results seen in the filing’s own session or after it change nothing', () => {
    for (const seenAt of ['2026-02-10T21:10:00Z', '2026-02-10T22:30:00Z', PAST]) {
      const results = nasdaq([AHEAD, row('2026-02-10')], [seenAt, row('2026-02-10', { eps: '1' })]);
      const event = onlyEvent(derive([results, filing('2026-02-10T21:30:00Z')]));
      expect(event).toMatchObject({ time: 'time-after-hours', markerAhead: false });
    }
  });

  test('a filing accepted after midnight UTC is of the New York day before', () => {
    const event = onlyEvent(derive([filing('2026-02-11T01:30:00Z', PAST, '2026-02-11')]));
    expect(event).toMatchObject({ date: '2026-02-10', time: 'time-after-hours' });
  });
});

describe('without a marker and a filing the moment that a source gives tells', () => {
  test.each([
    ['2026-02-10', '2026-02-10T14:29:00Z', 'time-pre-market'],
    ['2026-02-10', '2026-02-10T17:00:00Z', 'time-during-market'],
    ['2026-02-10', '2026-02-10T21:00:00Z', 'time-after-hours'],
    // The day after Thanksgiving closes at 13:00 New York.
    ['2025-11-28', '2025-11-28T17:59:00Z', 'time-during-market'],
    ['2025-11-28', '2025-11-28T18:00:00Z', 'time-after-hours'],
    // Of another day it says nothing.
    ['2026-02-10', '2026-02-11T12:00:00Z', 'time-not-supplied'],
  ])('%s, at %s, is %s', (date, moment, time) => {
    const reportedAt = instant(moment);
    const seen = '2026-03-01T12:00:00Z';
    const event = onlyEvent(
      derive([nasdaq([AHEAD, row(date)], [seen, row(date, { reportedAt })])]),
    );
    expect(event).toMatchObject({ date, time, reportedAt, markerAhead: false });
    const told = time === 'time-not-supplied' ? AHEAD : seen;
    expect(event.provenance['time']?.seenAt).toBe(instant(told));
  });

  test('a marker, though it came after the fact, stands beside it', () => {
    const said = { time: 'time-pre-market', reportedAt: instant('2026-02-10T17:00:00Z') } as const;
    expect(onlyEvent(derive([nasdaq([PAST, row('2026-02-10', said)])])).time).toBe(said.time);
  });
});

describe('the date', () => {
  test('the list of past results is believed before the calendar, a file before both', () => {
    const calendar = nasdaq([PAST, row('2026-02-10')]);
    const surprise = history('nasdaq/earnings-surprise', '2025-12', [[AHEAD, row('2026-02-11')]]);
    const file = history('files/earnings', '2025-12', [[AHEAD, row('2026-02-12')]]);
    expect(onlyEvent(derive([calendar, surprise])).date).toBe('2026-02-11');
    expect(onlyEvent(derive([calendar, surprise, file])).date).toBe('2026-02-12');
  });

  test('a source that corrects the month it names is believed in its newer word', () => {
    const first = history('nasdaq/calendar-earnings', '2025-11', [
      [AHEAD, row('2026-02-10', { fiscalPeriodEnd: null })],
    ]);
    const second = nasdaq(['2026-02-05T12:00:00Z', row('2026-02-17')]);
    expect(onlyEvent(derive([first, second])).date).toBe('2026-02-17');
    expect(onlyEvent(derive([second, first])).date).toBe('2026-02-17');
  });

  test('figures without any date are held, and served once a filing tells the day', () => {
    const quarter = filed('2025-12-31');
    const without = derive([quarter]);
    expect(without.events).toEqual([]);
    expect([...without.quarantined.values()]).toEqual([
      expect.objectContaining({ reason: 'release-date-unknown' }),
    ]);
    const freed = derive([quarter, filing('2026-02-10T21:05:00Z')]);
    expect(freed.quarantined.size).toBe(0);
    expect(onlyEvent(freed)).toMatchObject({ date: '2026-02-10', revenue: '1000000', eps: '0.9' });
  });

  test('a claim of the company makes it confirmed, results make it reported', () => {
    const projected = nasdaq([AHEAD, row('2026-02-10')]);
    expect(onlyEvent(derive([projected])).dateStatus).toBe('projected');
    const confirmed = nasdaq([AHEAD, row('2026-02-10', { dateStatus: 'confirmed' })]);
    expect(onlyEvent(derive([confirmed])).dateStatus).toBe('confirmed');
    const reported = nasdaq([AHEAD, row('2026-02-10')], [PAST, row('2026-02-10', { eps: '0' })]);
    expect(onlyEvent(derive([reported])).dateStatus).toBe('reported');
  });

  test.each([
    ['2026-02-10', 'confirmed'],
    ['2026-02-11', 'projected'],
  ])('a second source that is sure of %s makes the day of the first %s', (day, expected) => {
    const sure = row(day, { dateStatus: 'confirmed' });
    const event = onlyEvent(
      derive([
        nasdaq([AHEAD, row('2026-02-10')]),
        history('yahoo/quote-summary', '2025-12', [[AHEAD, sure]]),
      ]),
    );
    expect(event).toMatchObject({ date: '2026-02-10', dateStatus: expected });
  });

  test('an instant of release that a source gives stays when the filing has none that is certain', () => {
    const reportedAt = instant('2026-02-10T21:02:00Z');
    const calendar = nasdaq(
      [AHEAD, row('2026-02-10', { time: 'time-after-hours' })],
      [PAST, row('2026-02-10', { reportedAt })],
    );
    const vague = filing('2026-02-10T23:00:00Z');
    const [said] = vague.observations;
    if (said?.fields.kind !== 'filing') throw new Error('no filing');
    // Both readings lie in the evening of that day: nothing tells them apart.
    said.fields.acceptance = {
      ifNewYork: instant('2026-02-10T21:30:00Z'),
      ifUtc: instant('2026-02-10T22:00:00Z'),
    };
    expect(onlyEvent(derive([calendar, vague])).reportedAt).toBe(reportedAt);
  });
});
