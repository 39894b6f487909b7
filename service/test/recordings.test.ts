import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRecordings } from '../src/ingest/replay/find-recordings.ts';
import { linkRecordings } from './support/link-recordings.ts';
import {
  openRecordedWorld,
  type RecordedWorld,
  findPlaceholders,
} from './support/recorded-world.ts';
import { currentState } from './support/store-state.ts';

/** Folder with responses recorded from real sources: `PROVIDER/NAME/`, each with a `meta.json`. */
const ROOT = process.env['AFTERBELL_RECORDINGS'];
/** True to compare orders too, which takes minutes; other tests compare orders of small sets. */
const IS_WHOLE = process.env['AFTERBELL_RECORDINGS_ALL'] === 'true';
const WANTED: Readonly<Record<string, RegExp>> = {
  sec: /^/,
  nasdaq:
    /^calendar-earnings-|^screener-(nasdaq|nyse)-(2023-11-07|2026-04-30)$|-nasdaq-2024-06-28$|-nyse-20(24-07-05|25-10-03)$/,
  finnhub: /^calendar-earnings-/,
  fmp: /^invalid-key$|^profile-|^stable-(earnings|profile)-/,
};
const NOW = '2026-08-01T15:00:00Z';
const SYMBOLS = ['AAPL', 'MSFT', 'COST', 'WMT', 'KO', 'NVDA', 'GOOGL'];
const DAYS = ['2024-07-01', '2024-07-02', '2025-11-20', '2026-04-29', '2026-04-30', '2026-05-08'];

// Symbol, date and further facts for each report, as published by the companies.
const FACTS: [symbol: string, date: string, facts: object][] = [
  ['AAPL', '2026-04-30', { time: 'time-after-hours', fiscalYear: 2026, fiscalQuarter: 2 }],
  ['AAPL', '2025-10-30', { fiscalYear: 2025, fiscalQuarter: 4, revenue: 102_466_000_000 }],
  ['MSFT', '2025-10-29', { time: 'time-after-hours', fiscalYear: 2026, fiscalQuarter: 1 }],
  // One calendar reports revenue of 87.47 bn, which excludes payments to partners, although its
  // consensus includes them.
  ['GOOGL', '2025-10-29', { fiscalYear: 2025, fiscalQuarter: 3, revenue: 102_346_000_000 }],
  ['COST', '2025-12-11', { time: 'time-after-hours', fiscalYear: 2026, fiscalQuarter: 1 }],
  ['WMT', '2025-11-20', { time: 'time-pre-market', fiscalYear: 2026, fiscalQuarter: 3 }],
  ['KO', '2025-10-21', { time: 'time-pre-market', fiscalYear: 2025, fiscalQuarter: 3 }],
];

/** Number of companies that had a symbol which two lists of filers give to different filers. */
const COMPANIES = {
  CAAS: 1,
  DMRC: 1,
  LSBK: 1,
  PNFP: 1,
  UNIT: 1,
  VNOM: 1,
  BNY: 2,
  CLBR: 2,
  GOLD: 2,
};

/** Former symbols that no list gives to the filer. The companies' names show them. */
const FORMER: Readonly<Record<string, string>> = {
  XYZ: 'SQ',
  ATYR: 'LIFE',
  DOC: 'PEAK',
  CNH: 'CNHI',
};

test.skipIf(ROOT === undefined)(
  'ingests real recordings completely, and serves the published facts (set AFTERBELL_RECORDINGS to their folder)',
  { timeout: 600_000 },
  async () => {
    const folder = linkRecordings(ROOT ?? '', WANTED);
    const forward = await openRecordedWorld(NOW);
    const report = await forward.replay(folder);
    expect(report.recordings.filter(({ isDamaged }) => isDamaged)).toEqual([]);
    expect(report.recordings.length).toBeGreaterThan(20);
    for (const { path, datasets } of report.recordings) {
      for (const { rowsSeen, rowsNew, rowsChanged, rowsSame, rowsQuarantined } of datasets) {
        expect(rowsNew + rowsChanged + rowsSame + rowsQuarantined, path).toBe(rowsSeen);
      }
    }
    for (const [symbol, date, facts] of FACTS) {
      const rows = JSON.parse(await forward.request(`/v1/earnings?symbol=${symbol}`)) as Row[];
      const row = rows.find((each) => each.date === date);
      expect(row, `${symbol} on ${date}`).toMatchObject({ dateStatus: 'reported', ...facts });
      expect(row?.revenue === null && symbol === 'AAPL').toBe(false);
    }
    expect(await companiesOf(forward)).toMatchObject(COMPANIES);
    for (const [symbol, former] of Object.entries(FORMER)) {
      const { formerSymbols } = JSON.parse(await forward.request(`/v1/profile/${symbol}`)) as {
        formerSymbols: { symbol: string }[];
      };
      expect(formerSymbols).toMatchObject([{ symbol: former }]);
    }
    expect(await forward.request('/v1/profile/LIFE')).toContain('Ethos');
    const answers = await askAll(forward);
    for (const text of answers) expect(findPlaceholders(JSON.parse(text))).toEqual([]);

    if (IS_WHOLE) await compareBackward(forward, folder, answers);
    await forward.close();
  },
);

/** Replays the recordings one by one in reverse order and compares all that is served and stored. */
async function compareBackward(
  forward: RecordedWorld,
  folder: string,
  answers: readonly string[],
): Promise<void> {
  const backward = await openRecordedWorld(NOW);
  const paths = (await findRecordings(folder)).map(({ path }) => path).toReversed();
  for (const path of paths) await backward.replay(join(folder, path));
  expect(await askAll(backward)).toEqual(answers);
  expect(await currentState(backward.db)).toEqual(await currentState(forward.db));
  await backward.close();
}

async function companiesOf({ db }: RecordedWorld): Promise<Record<string, number>> {
  // Returns one row per symbol of several filers.
  const rows = await db.query<{ symbol: string; companies: number }>(
    `select symbol, count(*)::int4 as companies from security_symbol
      where symbol in (select subject from source_record where dataset = 'securities'
                        group by subject having count(distinct natural_key) > 1)
      group by symbol`,
  );
  return Object.fromEntries(rows.map(({ symbol, companies }) => [symbol, companies]));
}

async function askAll(world: RecordedWorld): Promise<string[]> {
  const answers: string[] = [];
  for (const symbol of SYMBOLS) {
    answers.push(await world.request(`/v1/earnings?symbol=${symbol}`));
    answers.push(await world.request(`/v1/profile/${symbol}`));
  }
  for (const day of DAYS) answers.push(await world.request(`/v1/calendar/earnings?date=${day}`));
  return answers;
}

interface Row {
  date: string;
  revenue: number | null;
}
