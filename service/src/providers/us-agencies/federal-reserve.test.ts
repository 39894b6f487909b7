import { expect, test } from 'vitest';
import { parseInstant } from '../../platform/instant.ts';
import { loadFixtures } from '../../../test/support/providers/fixtures.ts';
import type { Feed } from '../provider.ts';
import { createSourceResponse } from '../source-response.ts';
import { fedCalendar } from './fed-calendar.ts';
import { fomcDecision } from './fomc-decision.ts';
import { industrialProduction } from './industrial-production.ts';

const fixtures = loadFixtures(import.meta.url);

function fieldsOf(feed: Feed, name: string): object[] {
  const raw = fixtures.find((fixture) => fixture.name === name)?.raw;
  if (raw === undefined) throw new Error(`no fixture ${name}`);
  return feed.parse(createSourceResponse(raw)).rows.map(({ fields }) => fields);
}

test('lists meetings, minutes and statistical releases with New York times, but no speeches', () => {
  expect(fieldsOf(fedCalendar, 'fed-calendar')).toMatchObject([
    { stem: 'us-fomc-statement', date: '2026-12-09', time: '14:00' },
    { stem: 'us-fomc-rate-decision', date: '2026-12-09', time: '14:00' },
    { stem: 'us-fomc-press-conference', date: '2026-12-09', time: '14:30' },
    { stem: 'us-fomc-minutes', date: '2026-12-30', time: '14:00' },
    { stem: 'us-beige-book', date: '2026-11-25', time: null, timeStatus: 'all-day' },
    {
      eventName: 'Industrial Production and Capacity Utilization',
      isRelease: true,
      date: '2026-12-15',
      time: '09:15',
    },
    { stem: 'us-consumer-credit', date: '2026-12-07', time: '15:00' },
  ]);
});

test('computes both changes of the industrial index, without the months to come', () => {
  expect(fieldsOf(industrialProduction, 'industrial-production')).toMatchObject([
    {
      stem: 'us-industrial-production-mom',
      period: '2026-10',
      actual: '0.3%',
      previous: '-0.2%',
      isUndated: true,
    },
    { stem: 'us-industrial-production-yoy', actual: '1.5%', previous: '0.2%' },
  ]);
});

test.each([
  ['maintain the target range for the federal funds rate at 4-1/4 to 4-1/2', '4.50%', '4.50%'],
  [
    'raise the target range for the federal funds rate by 3/4 percentage point to 2‑1/4 to 2‑1/2',
    '2.50%',
    '1.75%',
  ],
  [
    'lower the target range for the federal funds rate by 1/2 percentage point, to 1 to 1‑1/4',
    '1.25%',
    '1.75%',
  ],
  ['lower the target range for the federal funds rate to 0 to 1/4', '0.25%', null],
  ['keep the target range for the federal funds rate at 0 to 1/4', '0.25%', '0.25%'],
])('reads the upper end of the target range from "%s"', (decision, actual, previous) => {
  const response = createSourceResponse({
    url: 'https://www.federalreserve.gov/newsevents/pressreleases/monetary20261209a.htm',
    status: 200,
    contentType: 'text/html',
    observedAt: parseInstant('2026-12-09T19:00:10Z') ?? 0,
    text: `<p>For release at 2:00 p.m. EST</p><p>the Committee decided to ${decision} percent.</p>`,
  });
  expect(fomcDecision.parse(response).rows.map(({ fields }) => fields)).toMatchObject([
    { stem: 'us-fomc-rate-decision', date: '2026-12-09', time: '14:00', actual, previous },
  ]);
});
