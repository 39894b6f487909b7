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

// 2026-02-10 is a Tuesday; New York is five hours behind UTC until March 8.
const AHEAD = '2026-02-01T12:00:00Z';
const PAST = '2026-02-12T12:00:00Z';

describe('the session', () => {
  test('keeps a session captured before the release if the source drops it after the report date', () => {
    const event = onlyEvent(
      derive([
        nasdaq([AHEAD, row('2026-02-10', { time: 'time-pre-market' })], [PAST, row('2026-02-10')]),
      ]),
    );
    expect(event).toMatchObject({ time: 'time-pre-market', markerAhead: true, date: '2026-02-10' });
  });

  test('does not apply a captured session to a day other than the one it was captured for', () => {
    const event = onlyEvent(
      derive([
        nasdaq([AHEAD, row('2026-02-10', { time: 'time-pre-market' })], [PAST, row('2026-02-17')]),
      ]),
    );
    expect(event).toMatchObject({ time: 'time-not-supplied', markerAhead: false });
  });

  test('uses the newest session captured before the release, not the first and not one captured after the release', () => {
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

  test('does not treat a session as captured before the release if the response time is unknown', () => {
    const event = onlyEvent(
      derive([nasdaq(['1970-01-01T00:00:00Z', row('2026-02-10', { time: 'time-after-hours' })])]),
    );
    expect(event).toMatchObject({ time: 'time-after-hours', markerAhead: false });
  });

  test.each([
    [
      'keeps a session before a filing hours later',
      'time-pre-market',
      '2026-02-10T21:30:00Z',
      'time-pre-market',
    ],
    [
      'keeps a session before a filing a day later',
      'time-after-hours',
      '2026-02-11T12:00:00Z',
      'time-after-hours',
    ],
    [
      'rejects a session after a filing',
      'time-after-hours',
      '2026-02-10T12:00:00Z',
      'time-pre-market',
    ],
    [
      'rejects a session after a filing on the previous evening',
      'time-pre-market',
      '2026-02-09T21:30:00Z',
      'time-after-hours',
    ],
    [
      'keeps a session with a filing in it',
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

describe('the day on the cover page of a filing', () => {
  // The calendar missed that the report moved by a day. The filing was accepted on the following
  // evening.
  test.each([
    ['2026-02-11', '2026-02-11', 'later than the session’s day'],
    ['2026-02-10', '2026-02-10', 'equal to the session’s day'],
    ['2026-02-09', '2026-02-10', 'earlier than the session’s day'],
    [null, '2026-02-10', 'missing'],
  ] as const)(
    'for a cover page dated %s, dates the report %s, because the cover date is %s',
    (reportDate, date, _why) => {
      const late = filing('2026-02-11T21:22:00Z');
      const [rows] = late.observations;
      if (rows?.fields.kind !== 'filing') throw new Error('no filing');
      rows.fields.reportDate = reportDate === null ? null : localDate(reportDate);
      const marker = row('2026-02-10', { time: 'time-after-hours' });
      const event = onlyEvent(derive([nasdaq([AHEAD, marker]), late]));
      expect(event).toMatchObject({ date, time: 'time-after-hours' });
      expect(event.markerAhead).toBe(date === '2026-02-10');
    },
  );
});

describe('a filing without a captured session', () => {
  test.each([
    ['2026-02-10T11:00:00Z', 'time-pre-market'],
    ['2026-02-10T14:29:59Z', 'time-pre-market'],
    ['2026-02-10T14:30:00Z', 'time-during-market'],
    ['2026-02-10T20:59:59Z', 'time-during-market'],
    ['2026-02-10T21:00:00Z', 'time-after-hours'],
    // On the day after Thanksgiving the market closes at 13:00 New York time.
    ['2025-11-28T17:59:59Z', 'time-during-market'],
    ['2025-11-28T18:00:00Z', 'time-after-hours'],
  ])('for a filing accepted at %s, sets the session to %s', (acceptedAt, time) => {
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
  ])(
    'uses the session of results first seen at %s before a filing accepted at %s',
    (seenAt, acceptedAt, time) => {
      const results = nasdaq(
        [AHEAD, row('2026-02-10')],
        [seenAt, row('2026-02-10', { eps: '1.3' })],
      );
      const event = onlyEvent(derive([results, filing(acceptedAt)]));
      expect(event).toMatchObject({ time, markerAhead: true, reportedAt: instant(acceptedAt) });
      expect(event.provenance['time']).toMatchObject({
        provider: 'nasdaq',
        seenAt: instant(seenAt),
      });
    },
  );

  test('leaves the session unknown if results are first seen during trading hours before an evening filing', () => {
    const seen = row('2026-02-10', { revenue: '900' });
    const results = nasdaq([AHEAD, row('2026-02-10')], ['2026-02-10T17:00:00Z', seen]);
    const event = onlyEvent(derive([results, filing('2026-02-10T21:30:00Z')]));
    expect(event).toMatchObject({ time: 'time-not-supplied', reportedAt: null });
    expect(event).toMatchObject({ date: '2026-02-10', dateStatus: 'reported', markerAhead: false });
  });

  test('ignores results seen in the same session as the filing, or later', () => {
    for (const seenAt of ['2026-02-10T21:10:00Z', '2026-02-10T22:30:00Z', PAST]) {
      const results = nasdaq([AHEAD, row('2026-02-10')], [seenAt, row('2026-02-10', { eps: '1' })]);
      const event = onlyEvent(derive([results, filing('2026-02-10T21:30:00Z')]));
      expect(event).toMatchObject({ time: 'time-after-hours', markerAhead: false });
    }
  });

  test('dates a filing accepted after midnight UTC to the previous New York day', () => {
    const event = onlyEvent(derive([filing('2026-02-11T01:30:00Z', PAST, '2026-02-11')]));
    expect(event).toMatchObject({ date: '2026-02-10', time: 'time-after-hours' });
  });
});

describe('a source’s release time without a session and a filing', () => {
  test.each([
    ['2026-02-10', '2026-02-10T14:29:00Z', 'time-pre-market'],
    ['2026-02-10', '2026-02-10T17:00:00Z', 'time-during-market'],
    ['2026-02-10', '2026-02-10T21:00:00Z', 'time-after-hours'],
    // On the day after Thanksgiving the market closes at 13:00 New York time.
    ['2025-11-28', '2025-11-28T17:59:00Z', 'time-during-market'],
    ['2025-11-28', '2025-11-28T18:00:00Z', 'time-after-hours'],
    // The release time is ignored if it is on a different day.
    ['2026-02-10', '2026-02-11T12:00:00Z', 'time-not-supplied'],
  ])(
    'for a report on %s, with a release time of %s, sets the session to %s',
    (date, moment, time) => {
      const reportedAt = instant(moment);
      const seen = '2026-03-01T12:00:00Z';
      const event = onlyEvent(
        derive([nasdaq([AHEAD, row(date)], [seen, row(date, { reportedAt })])]),
      );
      expect(event).toMatchObject({ date, time, reportedAt, markerAhead: false });
      const claimed = time === 'time-not-supplied' ? AHEAD : seen;
      expect(event.provenance['time']?.seenAt).toBe(instant(claimed));
    },
  );

  test('does not replace the session that a source reports with one derived from the release time', () => {
    const rows = { time: 'time-pre-market', reportedAt: instant('2026-02-10T17:00:00Z') } as const;
    expect(onlyEvent(derive([nasdaq([PAST, row('2026-02-10', rows)])])).time).toBe(rows.time);
  });
});

describe('the report date', () => {
  test('takes the report date from an operator’s file first, then from the list of past results, then from the calendar', () => {
    const calendar = nasdaq([PAST, row('2026-02-10')]);
    const surprise = history('nasdaq/earnings-surprise', '2025-12', [[AHEAD, row('2026-02-11')]]);
    const file = history('files/earnings', '2025-12', [[AHEAD, row('2026-02-12')]]);
    expect(onlyEvent(derive([calendar, surprise])).date).toBe('2026-02-11');
    expect(onlyEvent(derive([calendar, surprise, file])).date).toBe('2026-02-12');
  });

  test('takes the report date from the newer row if a source corrects the fiscal month', () => {
    const first = history('nasdaq/calendar-earnings', '2025-11', [
      [AHEAD, row('2026-02-10', { fiscalPeriodEnd: null })],
    ]);
    const second = nasdaq(['2026-02-05T12:00:00Z', row('2026-02-17')]);
    expect(onlyEvent(derive([first, second])).date).toBe('2026-02-17');
    expect(onlyEvent(derive([second, first])).date).toBe('2026-02-17');
  });

  test('quarantines figures without a date until a filing provides the report date', () => {
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

  test("treats a report date as confirmed by the company's statement, and as reported once results are out", () => {
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
  ])(
    'when a second source confirms %s, marks the day from the first source as %s',
    (day, expected) => {
      const sure = row(day, { dateStatus: 'confirmed' });
      const event = onlyEvent(
        derive([
          nasdaq([AHEAD, row('2026-02-10')]),
          history('yahoo/quote-summary', '2025-12', [[AHEAD, sure]]),
        ]),
      );
      expect(event).toMatchObject({ date: '2026-02-10', dateStatus: expected });
    },
  );

  test('shows a date from an algorithm as projected until a page calls the report announced', () => {
    const page = (...statuses: (readonly [at: string, 'projected' | 'confirmed'])[]) =>
      history(
        'nasdaq/earnings-date',
        '2025-12',
        statuses.map(([at, dateStatus]) => [at, row('2026-02-10', { dateStatus })] as const),
      );
    const calendar = nasdaq([AHEAD, row('2026-02-10')]);
    const other = history('yahoo/quote-summary', '2025-12', [
      [AHEAD, row('2026-02-10', { dateStatus: 'confirmed' })],
    ]);
    const computed = [AHEAD, 'projected'] as const;
    const statusOf = (...histories: Parameters<typeof derive>[0]): string =>
      onlyEvent(derive(histories)).dateStatus;
    expect(statusOf(calendar, page(computed), other)).toBe('projected');
    expect(statusOf(calendar, page(computed, ['2026-02-05T12:00:00Z', 'confirmed']))).toBe(
      'confirmed',
    );
  });

  test("keeps a source's release time if the filing's acceptance time is uncertain", () => {
    const reportedAt = instant('2026-02-10T21:02:00Z');
    const calendar = nasdaq(
      [AHEAD, row('2026-02-10', { time: 'time-after-hours' })],
      [PAST, row('2026-02-10', { reportedAt })],
    );
    const vague = filing('2026-02-10T23:00:00Z');
    const [rows] = vague.observations;
    if (rows?.fields.kind !== 'filing') throw new Error('no filing');
    // Both interpretations of the time are on that evening, so it is impossible to tell which is
    // right.
    rows.fields.acceptance = {
      ifNewYork: instant('2026-02-10T21:30:00Z'),
      ifUtc: instant('2026-02-10T22:00:00Z'),
    };
    expect(onlyEvent(derive([calendar, vague])).reportedAt).toBe(reportedAt);
  });
});
