import { expect, test } from 'vitest';
import { addDays, localDate, weekdayOf } from '../../domain/local-date.ts';
import { wellKnownIdentity } from './event-id.ts';
import { WELL_KNOWN_EVENTS } from './well-known-events.ts';
import { delayedRelease } from './delayed-releases.ts';

const FROM = localDate('2013-01-01');
const DAYS = 5000;

const found = WELL_KNOWN_EVENTS.flatMap((known) =>
  Array.from({ length: DAYS }, (_, i) => addDays(FROM, i)).flatMap((day) => {
    const late = delayedRelease(known.stem, day);
    return late === null ? [] : [{ known, day, late }];
  }),
);
const told = found.filter(({ late }) => late.period !== null);

test('every told day is a working day after its period, which no other day has', () => {
  expect(told.length).toBeGreaterThan(80);
  for (const { known, day, late } of told) {
    expect([0, 6], `${known.stem} on ${day}`).not.toContain(weekdayOf(day));
    const period = late.period ?? '';
    expect(period).toMatch(known.cadence.kind === 'monthly' ? /^\d{4}-\d\d$/ : /^\d{4}-Q[1-4]$/);
    if (known.cadence.kind === 'monthly') expect(period < day.slice(0, 7), day).toBe(true);
    expect(late.vintage !== null).toBe(known.cadence.kind === 'quarterly');
  }
  const ids = told.map(({ known, day }) => wellKnownIdentity(known, day, null).id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('only agencies are held up', () => {
  expect(found.filter(({ known }) => !known.isAgency)).toEqual([]);
});

test('in quiet years the day alone tells', () => {
  const years = new Set(found.map(({ day }) => day.slice(0, 4)));
  expect([...years].toSorted()).toEqual(['2013', '2018', '2019', '2025', '2026']);
});
