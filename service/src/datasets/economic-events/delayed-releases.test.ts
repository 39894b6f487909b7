import { expect, test } from 'vitest';
import { addDays, localDate, weekdayOf } from '../../domain/local-date.ts';
import { wellKnownIdentity } from './event-id.ts';
import { WELL_KNOWN_EVENTS } from './well-known-events.ts';
import { delayedRelease } from './delayed-releases.ts';

const FROM = localDate('2013-01-01');
const DAYS = 5000;

const delayed = WELL_KNOWN_EVENTS.flatMap((wellKnown) =>
  Array.from({ length: DAYS }, (_, i) => addDays(FROM, i)).flatMap((day) => {
    const late = delayedRelease(wellKnown.stem, day);
    return late === null ? [] : [{ known: wellKnown, day, late }];
  }),
);
const dates = delayed.filter(({ late }) => late.period !== null);

test('lists delayed releases only on working days after their periods, each with a unique id', () => {
  expect(dates.length).toBeGreaterThan(80);
  for (const { known: wellKnown, day, late } of dates) {
    expect([0, 6], `${wellKnown.stem} on ${day}`).not.toContain(weekdayOf(day));
    const period = late.period ?? '';
    expect(period).toMatch(
      wellKnown.cadence.kind === 'monthly' ? /^\d{4}-\d\d$/ : /^\d{4}-Q[1-4]$/,
    );
    if (wellKnown.cadence.kind === 'monthly') expect(period < day.slice(0, 7), day).toBe(true);
    expect(late.vintage !== null).toBe(wellKnown.cadence.kind === 'quarterly');
  }
  const ids = dates.map(({ known: wellKnown, day }) => wellKnownIdentity(wellKnown, day).id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('treats only agency releases as delayed', () => {
  expect(delayed.filter(({ known: wellKnown }) => !wellKnown.isAgency)).toEqual([]);
});

test('returns no delayed release in years without government shutdowns', () => {
  const years = new Set(delayed.map(({ day }) => day.slice(0, 4)));
  expect([...years].toSorted()).toEqual(['2013', '2018', '2019', '2025', '2026']);
});
