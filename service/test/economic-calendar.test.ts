import { expect, test } from 'vitest';
import { createSourceResponse } from '../src/providers/source-response.ts';
import type { SourceResponse } from '../src/providers/provider.ts';
import { openRecordedWorld, type RecordedWorld } from './support/recorded-world.ts';

/** The figures are fictional. Each capture lists a day's releases under the next day, at UTC-4. */
const NOW = '2026-07-31T03:00:00Z';

test('serves the same economic calendar from recorded responses in any order', async () => {
  const answers = [
    day('2026-02-12', [row('11:30', 'Crude Oil Inventories', '1.5M')]),
    day('2026-02-13', [
      row('09:30', 'Initial Jobless Claims', '204K'),
      row('09:30', 'CPI', '7.1%'),
      row('09:30', 'CPI', '0.4%'),
    ]),
    day('2026-02-16', []),
    day('2026-03-03', [row('11:00', 'ISM Manufacturing PMI', '51.2')]),
    day('2026-03-05', [row('11:30', 'Crude Oil Inventories', '1.1M')]),
    day('2026-03-06', [row('09:30', 'Initial Jobless Claims', '209K')]),
    day(
      '2026-02-13',
      [
        row('09:30', 'Initial Jobless Claims', '206K'),
        row('09:30', 'CPI', '0.4%'),
        row('09:30', 'CPI', '7.1%'),
      ],
      '2026-07-31T02:30:00Z',
    ),
    schedule(),
  ];
  const forward = await worldOf(answers);
  const backward = await worldOf(answers.toReversed());
  for (const date of ['2026-02-11', '2026-02-12', '2026-03-02', '2026-03-05', '2026-03-06']) {
    const path = `/v1/calendar/economic?date=${date}`;
    expect(await backward.request(path)).toBe(await forward.request(path));
  }
  const [cpi, claims] = await rowsOf(forward, '2026-02-12&usmajor=true');
  expect(cpi).toMatchObject({ id: 'us-cpi-mom:2026-01', time: '08:30', actualValue: 0.4 });
  expect(claims).toMatchObject({ id: 'us-cpi-yoy:2026-01', scheduledAt: '2026-02-12T13:30:00Z' });
  expect(await rowsOf(forward, '2026-02-12')).toMatchObject([
    {},
    {},
    { id: 'us-initial-jobless-claims:2026-02-12', actual: '206K', unit: 'thousand' },
  ]);
  expect(await rowsOf(forward, '2026-03-06')).toContainEqual(
    expect.objectContaining({ id: 'us-nonfarm-payrolls:2026-02', actual: null, time: '08:30' }),
  );
  expect(await versionsOf(forward)).toEqual(await versionsOf(backward));
  await forward.close();
  await backward.close();
});

test('quarantines an economic release without a settled day until a capture settles the day', async () => {
  const world = await worldOf([day('2026-02-11', [row('09:30', 'CPI', '0.4%')])]);
  expect(await reasons(world)).toEqual(['unsettled-day']);
  expect(await rowsOf(world, '2026-02-10')).toEqual([]);
  await world.ingest(day('2026-02-13', [row('09:30', 'Initial Jobless Claims', '204K')]));
  expect(await reasons(world)).toEqual([]);
  expect(await rowsOf(world, '2026-02-10')).toMatchObject([{ id: 'us-cpi-mom:2026-01' }]);
  await world.close();
});

async function worldOf(answers: readonly SourceResponse[]): Promise<RecordedWorld> {
  const world = await openRecordedWorld(NOW);
  for (const answer of answers) await world.ingest(answer);
  return world;
}

async function rowsOf(world: RecordedWorld, query: string): Promise<object[]> {
  return JSON.parse(await world.request(`/v1/calendar/economic?date=${query}`)) as object[];
}

async function reasons(world: RecordedWorld): Promise<string[]> {
  const held = await world.db.query<{ reason: string }>(
    `select reason from held_record where dataset = 'economic-events'`,
  );
  return held.map(({ reason }) => reason);
}

/** Returns the current state, independent of the order of writes. */
function versionsOf(world: RecordedWorld): Promise<object[]> {
  return world.db.query(
    `select id, date, "time", actual, provenance, updated_at
       from economic_event where known_to is null order by id`,
  );
}

function row(gmt: string, eventName: string, actual: string): object {
  const empty = { consensus: ' ', previous: '&nbsp;', description: 'Made up.' };
  return { gmt, country: 'United States', eventName, actual, ...empty };
}

function day(date: string, rows: readonly object[], at = '2026-07-31T01:30:00Z'): SourceResponse {
  return createSourceResponse({
    url: `https://api.nasdaq.com/api/calendar/economicevents?date=${date}`,
    status: 200,
    contentType: 'application/json',
    observedAt: Date.parse(at),
    text: JSON.stringify({ data: { rows }, message: null, status: { rCode: 200 } }),
  });
}

function schedule(): SourceResponse {
  const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:one', 'SUMMARY:Employment Situation'];
  const rest = ['DTSTART;TZID=US-Eastern:20260306T083000', 'END:VEVENT', 'END:VCALENDAR', ''];
  return createSourceResponse({
    url: 'https://www.bls.gov/schedule/news_release/bls.ics',
    status: 200,
    contentType: 'text/calendar',
    observedAt: Date.parse('2026-01-05T12:00:00Z'),
    text: [...lines, ...rest].join('\r\n'),
  });
}
