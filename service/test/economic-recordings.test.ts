import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from './support/afterbell-process.ts';
import { openRecordedWorld, type RecordedWorld } from './support/recorded-world.ts';

/** Folder with responses recorded from real sources: `PROVIDER/NAME/`, each with a `meta.json`. */
const ROOT = process.env['AFTERBELL_RECORDINGS'];
const NOW = '2026-08-01T15:00:00Z';

test.skipIf(ROOT === undefined)(
  'assigns real economic releases to the right days and hours (set AFTERBELL_RECORDINGS to their folder)',
  { timeout: 300_000 },
  async () => {
    const world = await openRecordedWorld(NOW);
    const { recordings } = await world.replay(linksTo(ROOT ?? ''));
    expect(recordings.length).toBeGreaterThan(70);
    expect(await countOf(world, `country_code = 'US' and extract(dow from date) in (0, 6)`)).toBe(
      0,
    );
    const claims = `id like 'us-initial-jobless-claims:%'`;
    expect(await countOf(world, claims)).toBe(11);
    const onThursday = `${claims} and extract(dow from date) = 4 and "time" = '08:30'`;
    expect(await countOf(world, onThursday)).toBe(11);
    const held = await world.db.query(`select 1 from held_record where dataset = $1`, [
      'economic-events',
    ]);
    expect(held).toEqual([]);
    // Calendars and agencies agree on the ids of auctions and meetings, so none appears twice.
    const fomc = `id like 'us-fomc-rate-decision:202%' and date >= '2025-01-01'`;
    expect(await countOf(world, fomc)).toBe(24);
    expect(await countOf(world, `id = 'us-10-year-note-auction:2022-05-11'`)).toBe(1);
    const path = '/v1/calendar/economic?date=2022-10-20';
    expect(JSON.parse(await world.request(path))).toHaveLength(47);
    const cpi = await world.db.query(
      `select id, "time", actual from economic_event
        where known_to is null and date = '2021-03-10' and id like 'us-cpi-%' and us_major
        order by id`,
    );
    expect(cpi).toEqual([
      { id: 'us-cpi-mom:2021-02', time: '08:30', actual: '0.4%' },
      { id: 'us-cpi-yoy:2021-02', time: '08:30', actual: '1.7%' },
    ]);
    const gdp = await world.db.query(
      `select id, date::text, "time" from economic_event
        where known_to is null and id like 'us-gdp-qoq%' and date >= '2026-01-01' order by date`,
    );
    expect(gdp).toEqual([
      { id: 'us-gdp-qoq:2025-Q3', date: '2026-01-22', time: '08:30' },
      { id: 'us-gdp-qoq-advance:2025-Q4', date: '2026-02-20', time: '08:30' },
      { id: 'us-gdp-qoq-second:2025-Q4', date: '2026-03-13', time: '08:30' },
      { id: 'us-gdp-qoq-third:2025-Q4', date: '2026-04-09', time: '08:30' },
      { id: 'us-gdp-qoq-advance:2026-Q1', date: '2026-04-30', time: '08:30' },
      { id: 'us-gdp-qoq-second:2026-Q1', date: '2026-05-28', time: '08:30' },
      { id: 'us-gdp-qoq-third:2026-Q1', date: '2026-06-25', time: '08:30' },
      { id: 'us-gdp-qoq-advance:2026-Q2', date: '2026-07-30', time: '08:30' },
      { id: 'us-gdp-qoq-second:2026-Q2', date: '2026-08-26', time: '08:30' },
      { id: 'us-gdp-qoq-third:2026-Q2', date: '2026-09-30', time: '08:30' },
      { id: 'us-gdp-qoq-advance:2026-Q3', date: '2026-10-29', time: '08:30' },
      { id: 'us-gdp-qoq-second:2026-Q3', date: '2026-11-25', time: '08:30' },
      { id: 'us-gdp-qoq-third:2026-Q3', date: '2026-12-23', time: '08:30' },
    ]);
    await world.close();
  },
);

async function countOf(world: RecordedWorld, where: string): Promise<number> {
  const rows = await world.db.query<{ n: number }>(
    `select count(*)::int4 as n from economic_event where known_to is null and ${where}`,
  );
  return rows[0]?.n ?? -1;
}

/** Creates a folder with links to only the recorded economic calendars. */
function linksTo(root: string): string {
  const folder = scratchFolder();
  for (const [provider, wanted] of [
    ['nasdaq', /^calendar-economicevents-/],
    ['bls', /^release-calendar-/],
    ['bea', /^/],
    ['fed', /^fomc-calendar-/],
    ['treasury-auctions', /^/],
  ] as const) {
    mkdirSync(join(folder, provider), { recursive: true });
    for (const name of readdirSync(join(root, provider)).filter((one) => wanted.test(one))) {
      symlinkSync(join(root, provider, name), join(folder, provider, name));
    }
  }
  return folder;
}
