import { expect, test } from 'vitest';
import { createSourceResponse } from '../source-response.ts';
import { blsSchedule } from './bls-schedule.ts';

test('rejects a canceled BLS release, so that it is withdrawn', () => {
  const { rows, bad } = blsSchedule.parse(
    calendarOf([
      ['STATUS:CONFIRMED', 'SUMMARY:Consumer Price Index'],
      ['STATUS:CANCELLED', 'SUMMARY:Employment Situation'],
      ['SUMMARY:Real Earnings'],
    ]),
  );
  expect(rows.map(({ fields }) => fields)).toMatchObject([
    { eventName: 'Consumer Price Index', date: '2026-11-12', time: '08:30' },
    { eventName: 'Real Earnings' },
  ]);
  expect(bad.map(({ reason }) => reason)).toEqual(['cancelled']);
});

function calendarOf(events: readonly (readonly string[])[]) {
  const lines = events.flatMap((event, i) => [
    'BEGIN:VEVENT',
    `UID:${i}`,
    'DTSTART;TZID=US-Eastern:20261112T083000',
    ...event,
    'END:VEVENT',
  ]);
  return createSourceResponse({
    url: 'https://www.bls.gov/schedule/news_release/bls.ics',
    status: 200,
    contentType: 'text/calendar',
    observedAt: 0,
    text: ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n'),
  });
}
