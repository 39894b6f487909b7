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
  ] as const) {
    mkdirSync(join(folder, provider), { recursive: true });
    for (const name of readdirSync(join(root, provider)).filter((one) => wanted.test(one))) {
      symlinkSync(join(root, provider, name), join(folder, provider, name));
    }
  }
  return folder;
}
