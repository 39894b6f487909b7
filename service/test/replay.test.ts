import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findRecordings } from '../src/ingest/replay/find-recordings.ts';
import { replayJson } from '../src/ingest/replay/summary.ts';
import { runAfterbell, scratchFolder } from './support/afterbell-process.ts';
import {
  openRecordedWorld,
  type RecordedWorld,
  findPlaceholders,
} from './support/recorded-world.ts';
import {
  upcomingRow,
  calendarUrl,
  companyfacts,
  companyfactsUrl,
  envelope,
  pastRow,
  screenerRow,
  screenerUrl,
  submissions,
  submissionsUrl,
  tickers,
  TICKERS_URL,
  writeRecording,
} from './support/write-recording.ts';
import { currentState } from './support/store-state.ts';

const CIK = '0001900001';
const PATHS = [
  '/v1/calendar/earnings?date=2026-02-19',
  '/v1/earnings?symbol=MERD',
  '/v1/profile/MERD',
  '/v1/profile/QUAY',
];

describe('a replayed folder', () => {
  test('serves a replayed folder with dates, sessions, results and the last estimate before each release, and null for unknown values', async () => {
    const world = await openWorld();
    await world.replay(recordings());
    const day = JSON.parse(await world.request('/v1/calendar/earnings?date=2026-02-19')) as Day;
    expect(day).toMatchObject({ date: '2026-02-19', isTradingDay: true });
    expect(day.pre.map(({ symbol }) => symbol)).toEqual(['QUAY']);
    expect(day.after).toHaveLength(1);
    expect(day.after[0]).toMatchObject({
      symbol: 'MERD',
      date: '2026-02-19',
      time: 'time-after-hours',
      dateStatus: 'reported',
      reportedAt: '2026-02-19T21:05:00Z',
      fiscalYear: 2025,
      fiscalQuarter: 4,
      fiscalPeriodEnd: '2025-12-31',
      epsEstimate: 1.25,
      eps: 1.3,
    });
    const [merd] = JSON.parse(await world.request('/v1/earnings?symbol=MERD')) as Row[];
    expect(merd).toMatchObject({
      epsOutcome: 'beat',
      epsSurprise: 0.05,
      estimateAsOf: '2026-02-10T12:00:00Z',
      revenue: 900_000_000,
    });
    expect(JSON.parse(await world.request('/v1/profile/MERD'))).toMatchObject({
      symbol: 'MERD',
      cik: CIK,
      fiscalYearEnd: '12-31',
      countryCode: 'US',
    });
    for (const path of PATHS) {
      expect(findPlaceholders(JSON.parse(await world.request(path))), path).toEqual([]);
    }
  });

  test('changes no row, stored value or response byte when a folder is replayed again', async () => {
    const folder = recordings();
    const world = await openWorld();
    await world.replay(folder);
    const before = await currentState(world.db);
    const answers = await askAll(world);
    const report = await world.replay(folder);
    for (const { datasets } of report.recordings) {
      for (const { rowsSame, rowsSeen, rowsQuarantined } of datasets) {
        expect(rowsSame).toBe(rowsSeen - rowsQuarantined);
      }
    }
    expect(await currentState(world.db)).toEqual(before);
    expect(await askAll(world)).toEqual(answers);
  });

  test('reaches the same state and responses regardless of the order of the replayed recordings', async () => {
    const folder = recordings();
    const inOrder = await openWorld();
    await inOrder.replay(folder);
    const reversed = await openWorld();
    const paths = (await findRecordings(folder)).map(({ path }) => path).toReversed();
    for (const path of paths) await reversed.replay(join(folder, path));
    expect(await currentState(reversed.db)).toEqual(await currentState(inOrder.db));
    expect(await askAll(reversed)).toEqual(await askAll(inOrder));
  });

  test('treats a replayed response without a date as older than every dated response', async () => {
    const folder = scratchFolder();
    const url = calendarUrl('2026-02-19');
    const first = envelope([upcomingRow('MERD', { epsForecast: '$9.99' })]);
    const second = envelope([upcomingRow('MERD', { epsForecast: '$1.25' })]);
    writeRecording(folder, { path: 'z-undated', url, body: first, recordedAt: null });
    writeRecording(folder, { path: 'a-dated', url, body: second });
    const world = await openWorld();
    const { recordings: found } = await world.replay(folder);
    expect(found.map(({ path }) => path)).toEqual(['z-undated', 'a-dated']);
    const [row] = JSON.parse(await world.request('/v1/earnings?symbol=MERD')) as Row[];
    expect(row).toMatchObject({ epsEstimate: 1.25 });
  });
});

describe('the replay report', () => {
  test('counts every replayed row once and lists a recording for each data set it fills', async () => {
    const folder = recordings();
    const url = 'https://weather.example/today';
    writeRecording(folder, { path: 'weather', url, body: { rain: true } });
    writeRecording(folder, { path: 'table', url: 'made by hand', body: 'a,b' });
    const blocked = '<html><body>Access denied</body></html>';
    const day = calendarUrl('2026-02-20');
    writeRecording(folder, { path: 'blocked', url: day, body: blocked, status: 403 });
    const rows = envelope([upcomingRow('PIKE'), upcomingRow('^^^'), null]);
    writeRecording(folder, { path: 'bad-rows', url: calendarUrl('2026-03-03'), body: rows });
    const world = await openWorld();
    const report = replayJson(await world.replay(folder), []) as Report;
    expect(report.files).toBe(new Set(report.recordings.map(({ path }) => path)).size);
    for (const entry of report.recordings) {
      expect(Object.keys(entry).toSorted(), entry.path).toEqual(ENTRY_KEYS);
      const { rowsNew, rowsChanged, rowsSame, rowsQuarantined } = entry;
      expect(entry.rowsSeen).toBe(rowsNew + rowsChanged + rowsSame + rowsQuarantined);
    }
    const of = (path: string) => report.recordings.filter((entry) => entry.path === path);
    expect(of('sec/submissions').map(({ dataset }) => dataset)).toEqual([
      'profiles',
      'securities',
      'earnings',
    ]);
    const refused = { provider: null, dataset: null, outcome: 'unsupported' };
    expect(of('weather')).toMatchObject([{ ...refused, reason: 'no-provider' }]);
    expect(of('table')).toMatchObject([{ ...refused, reason: 'no-source-address' }]);
    expect(of('blocked')).toMatchObject([
      { provider: 'nasdaq', dataset: 'earnings', outcome: 'rejected', reason: 'http-403' },
    ]);
    expect(of('bad-rows')).toMatchObject([
      { outcome: 'ingested', reason: null, rowsSeen: 3, rowsNew: 1, rowsQuarantined: 2 },
    ]);
    expect(report.quarantineReasons).toEqual({
      'bad-symbol': 1,
      'not-an-object': 1,
      // These are prices from the list of securities, which was captured while the market was open.
      'session-not-over': 2,
    });
  });

  test('exits with code 0 if the only failures in a replay are rejections by the source itself', async () => {
    const folder = scratchFolder();
    const url = calendarUrl('2026-02-19');
    const body = envelope([upcomingRow('MERD')]);
    writeRecording(folder, { path: 'deep/down/here', url, body, gzip: true });
    writeRecording(folder, { path: 'blocked', url, body: 'Forbidden', status: 403 });
    const run = await replayed(folder, '--json');
    expect(run.code, run.stderr).toBe(0);
    const report = JSON.parse(run.stdout) as Report;
    expect(report.recordings.map(({ path, outcome }) => [path, outcome])).toEqual([
      ['blocked', 'rejected'],
      ['deep/down/here', 'ingested'],
    ]);
    expect(report.recordings.map(({ rowsNew }) => rowsNew)).toEqual([0, 1]);
  });

  test('exits with code 2 if a replayed body is damaged, and still ingests the rest', async () => {
    const folder = scratchFolder();
    const url = calendarUrl('2026-02-19');
    writeRecording(folder, { path: 'good', url, body: envelope([upcomingRow('MERD')]) });
    writeRecording(folder, { path: 'torn', url, body: '{"data": {"rows": [{"sym' });
    const run = await replayed(folder);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('torn (not-json)');
    expect(run.stdout).toMatch(/nasdaq earnings +1 +1 +1 +0 +0 +0/);
  });

  test('exits with code 1 if the folder to replay is missing', async () => {
    const run = await replayed(join(scratchFolder(), 'nowhere'), '--json');
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('folder not found');
  });

  test('exits with code 1 if the folder to replay has no recordings', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'earnings.csv'), 'symbol,date\n');
    const run = await replayed(folder);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain(`no recordings in ${folder}`);
    expect(run.stderr).toContain('use afterbell import');
  });
});

/**
 * Writes recordings of two companies: one with results, a filing and figures, and one that has yet
 * to report.
 */
function recordings(): string {
  const folder = scratchFolder();
  const day = calendarUrl('2026-02-19');
  const ahead = envelope([
    upcomingRow('MERD'),
    upcomingRow('QUAY', { time: 'time-pre-market', epsForecast: '', noOfEsts: 'N/A' }),
  ]);
  writeRecording(folder, { path: 'nasdaq/ahead', url: day, body: ahead });
  const past = { path: 'nasdaq/past', url: day, recordedAt: '2026-02-21T12:00:00Z', gzip: true };
  const reported = pastRow('MERD', { epsForecast: '$1.28' });
  writeRecording(folder, { ...past, body: envelope([reported]) });
  const nyse = envelope([screenerRow('MERD'), screenerRow('QUAY', { sector: '', country: '' })]);
  writeRecording(folder, { path: 'nasdaq/screener', url: screenerUrl('nyse'), body: nyse });
  const filers = tickers([1_900_001, 'MERD Tools Inc', 'MERD'], [1_900_002, 'QUAY plc', 'QUAY']);
  writeRecording(folder, { path: 'sec/tickers', url: TICKERS_URL, body: filers });
  const recordedAt = '2026-02-22T12:00:00Z';
  const filed = submissions(CIK, 'MERD', ['2026-02-19T21:05:00.000Z']);
  writeRecording(folder, {
    path: 'sec/submissions',
    recordedAt,
    url: submissionsUrl(CIK),
    body: filed,
  });
  const facts = companyfacts(CIK, [
    { start: '2025-10-01', end: '2025-12-31', fp: 'Q4', revenue: 900_000_000 },
  ]);
  writeRecording(folder, {
    path: 'sec/facts',
    recordedAt,
    url: companyfactsUrl(CIK),
    body: facts,
  });
  return folder;
}

async function openWorld(): Promise<RecordedWorld> {
  const world = await openRecordedWorld('2026-02-23T15:00:00Z');
  onTestFinished(() => world.close());
  return world;
}

async function askAll(world: RecordedWorld): Promise<string[]> {
  const answers: string[] = [];
  for (const path of PATHS) answers.push(await world.request(path));
  return answers;
}

function replayed(folder: string, ...flags: string[]) {
  return runAfterbell(['replay', folder, ...flags, '--data-dir', scratchFolder()]);
}

type Row = Record<string, unknown>;

interface Day {
  pre: Row[];
  after: Row[];
  notSupplied: Row[];
}

interface Report {
  files: number;
  recordings: Entry[];
  quarantineReasons: Record<string, number>;
}

interface Entry {
  path: string;
  provider: string | null;
  dataset: string | null;
  outcome: string;
  reason: string | null;
  rowsSeen: number;
  rowsNew: number;
  rowsChanged: number;
  rowsSame: number;
  rowsQuarantined: number;
}

const ENTRY_KEYS = [
  'dataset',
  'outcome',
  'path',
  'provider',
  'reason',
  'rowsChanged',
  'rowsNew',
  'rowsQuarantined',
  'rowsSame',
  'rowsSeen',
];
