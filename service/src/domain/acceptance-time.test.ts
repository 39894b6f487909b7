import { describe, expect, it } from 'vitest';
import { parseInstant } from '../platform/instant.ts';
import {
  type AcceptanceCandidates,
  type AcceptanceEvidence,
  settleAcceptance,
} from './acceptance-time.ts';
import { localDate } from './local-date.ts';
import { formatNewYork, newYorkInstant } from './new-york.ts';

/** Returns two instants for a wall-clock time: one read as New York time and one as UTC. */
function readBothWays(text: string): AcceptanceCandidates {
  const [date = '', time = ''] = text.split(' ');
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return {
    ifNewYork: newYorkInstant(localDate(date), hour * 60 + minute),
    ifUtc: parseInstant(`${date}T${time}:00Z`) ?? Number.NaN,
  };
}

function settle(text: string, evidence: Partial<AcceptanceEvidence> = {}): string {
  const settled = settleAcceptance(readBothWays(text), {
    filingDate: localDate(text.slice(0, 10)),
    marker: null,
    scheduledDate: null,
    usualMinutes: [],
    ...evidence,
  });
  return settled === null ? 'null' : `${formatNewYork(settled.at)} ${settled.confidence}`;
}

describe('acceptance times', () => {
  it('prefers a certain acceptance time to all other evidence', () => {
    const certain = parseInstant('2026-01-29T21:30:33Z') ?? 0;
    expect(settle('2026-01-29 03:00', { certain })).toBe('2026-01-29T16:30:33-05:00 certain');
  });

  it.each([
    ['2026-01-29 23:10', '2026-01-29T18:10:00-05:00 only-one-possible', 'after 22:00 as New York'],
    ['2026-07-30 07:15', '2026-07-30T07:15:00-04:00 only-one-possible', 'before 06:00 as UTC'],
    ['2026-01-30 01:00', '2026-01-29T20:00:00-05:00 only-one-possible', 'the evening before'],
    ['2026-01-29 03:30', 'null', 'outside the hours both ways'],
  ])('reads the acceptance time %s as %s: %s', (text, expected) => {
    expect(settle(text)).toBe(expected);
  });

  it('accounts for an early close when it determines the session of an acceptance time', () => {
    const ahead = { marker: 'time-after-hours', scheduledDate: localDate('2025-11-28') } as const;
    expect(settle('2025-11-28 13:05', ahead)).toBe('2025-11-28T13:05:00-05:00 marker');
  });

  it('includes 06:00 and 22:00 in the hours in which EDGAR accepts filings', () => {
    expect(settle('2026-01-29 22:00', { filingDate: localDate('2026-01-30') })).toBe(
      '2026-01-29T22:00:00-05:00 filing-date',
    );
    expect(settle('2026-01-29 11:00', { usualMinutes: [360] })).toBe(
      '2026-01-29T06:00:00-05:00 habit',
    );
  });

  it.each([
    ['2026-01-29 21:30', '2026-01-29', '2026-01-29T16:30:00-05:00 filing-date', 'same day'],
    ['2026-01-29 19:30', '2026-01-30', '2026-01-29T19:30:00-05:00 filing-date', 'next day'],
    ['2026-01-30 19:30', '2026-02-02', '2026-01-30T19:30:00-05:00 filing-date', 'over a weekend'],
    ['2026-11-25 19:30', '2026-11-27', '2026-11-25T19:30:00-05:00 filing-date', 'over a holiday'],
    ['2026-01-29 17:30', '2026-01-29', '2026-01-29T17:30:00-05:00 guess', '17:30 is the same day'],
    ['2026-01-29 17:31', '2026-01-29', '2026-01-29T12:31:00-05:00 filing-date', '17:31 is not'],
    ['2026-01-29 19:30', '2026-01-28', '2026-01-29T19:30:00-05:00 guess', 'not the day before'],
    ['2020-07-30 18:55', '2020-07-30', '2020-07-30T18:55:00-04:00 guess', 'day kept open longer'],
  ])('reads the acceptance time %s with filing date %s as %s: %s', (text, filed, expected) => {
    expect(settle(text, { filingDate: localDate(filed) })).toBe(expected);
  });

  it('considers both the New York and the UTC reading when both contradict the filing date', () => {
    expect(settle('2026-01-29 16:20', { filingDate: localDate('2026-02-20') })).toBe(
      '2026-01-29T16:20:00-05:00 guess',
    );
  });

  it.each([
    ['time-after-hours', '2026-01-29T16:30:00-05:00 marker'],
    ['time-during-market', '2026-01-29T11:30:00-05:00 marker'],
    ['time-pre-market', '2026-01-29T16:30:00-05:00 guess'],
    ['time-not-supplied', '2026-01-29T16:30:00-05:00 guess'],
  ] as const)(
    'with the session marker %s, chooses %s from the readings 16:30 and 11:30',
    (marker, expected) => {
      expect(settle('2026-01-29 16:30', { marker })).toBe(expected);
    },
  );

  it('ignores a session marker for a report announced for a day more than two days away', () => {
    const marker = 'time-during-market';
    const near = { marker, scheduledDate: localDate('2026-01-27') } as const;
    const far = { marker, scheduledDate: localDate('2026-01-26') } as const;
    expect(settle('2026-01-29 16:30', near)).toBe('2026-01-29T11:30:00-05:00 marker');
    expect(settle('2026-01-29 16:30', far)).toBe('2026-01-29T16:30:00-05:00 guess');
  });

  it('prefers the reading at the minute when the company usually files', () => {
    expect(settle('2026-01-29 16:30', { usualMinutes: [695] })).toBe(
      '2026-01-29T11:30:00-05:00 habit',
    );
    expect(settle('2026-02-19 13:30', { usualMinutes: [419, 420, 421] })).toBe(
      '2026-02-19T08:30:00-05:00 habit',
    );
  });

  it('uses only the eight most recent usual filing minutes', () => {
    const usualMinutes = Array.from({ length: 28 }, (_, index) => (index < 8 ? 990 : 690));
    expect(settle('2026-01-29 16:30', { usualMinutes })).toBe('2026-01-29T16:30:00-05:00 habit');
  });

  it('ignores usual filing minutes that are hours away from both readings', () => {
    expect(settle('2022-08-08 13:16', { usualMinutes: [981, 981, 982] })).toBe(
      '2022-08-08T09:16:00-04:00 guess',
    );
  });

  it('rejects an evening reading if the cover page dates the news on an earlier day', () => {
    const usualMinutes = [1021, 1022, 365];
    const coverDate = localDate('2016-05-25');
    expect(settle('2016-05-26 16:25', { usualMinutes, coverDate })).toBe(
      '2016-05-26T12:25:00-04:00 cover-date',
    );
    expect(settle('2016-05-26 16:25', { usualMinutes, coverDate: localDate('2016-05-26') })).toBe(
      '2016-05-26T16:25:00-04:00 habit',
    );
    expect(settle('2016-05-26 16:25', { usualMinutes: [990], coverDate })).toBe(
      '2016-05-26T16:25:00-04:00 habit',
    );
  });

  it('returns null when both readings of an acceptance time are within the session and no rule decides', () => {
    expect(settle('2026-07-30 14:30')).toBe('null');
  });

  it('converts acceptance times read as UTC with the New York offset on that day', () => {
    expect(settle('2026-03-06 21:30')).toBe('2026-03-06T16:30:00-05:00 filing-date');
    expect(settle('2026-03-09 20:30')).toBe('2026-03-09T16:30:00-04:00 filing-date');
    expect(settle('2026-11-02 21:30')).toBe('2026-11-02T16:30:00-05:00 filing-date');
  });
});
