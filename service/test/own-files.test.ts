import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAuditEvents } from '../src/accounts/audit-log.ts';
import { command } from '../src/cli/commands/import.ts';
import { CliError } from '../src/cli/command.ts';
import type { Settings } from '../src/config/settings.ts';
import type { Db } from '../src/storage/db.ts';
import { fakeClock } from './support/fake-clock.ts';
import { openRecordedWorld, type RecordedWorld } from './support/recorded-world.ts';
import { runCommand } from './support/run-command.ts';
import { currentState } from './support/store-state.ts';
import {
  submissions,
  submissionsUrl,
  tickers,
  TICKERS_URL,
  writeRecording,
} from './support/write-recording.ts';

const CIK = '0001900001';
const NOW = '2026-02-23T15:00:00Z';
const clock = fakeClock(Date.parse(NOW));
const settings = { now: null } as Settings;

let world: RecordedWorld;
let db: Db;
let folder: string;

beforeAll(async () => {
  world = await openRecordedWorld(NOW);
  ({ db } = world);
  folder = mkdtempSync(join(tmpdir(), 'own-files-'));
  const recordings = join(folder, 'recordings');
  const filers = tickers([1_900_001, 'MERD Tools Inc', 'MERD']);
  writeRecording(recordings, { path: 'sec/tickers', url: TICKERS_URL, body: filers });
  writeRecording(recordings, {
    path: 'sec/submissions',
    recordedAt: '2026-02-22T12:00:00Z',
    url: submissionsUrl(CIK),
    body: submissions(CIK, 'MERD', ['2026-02-19T21:05:00.000Z']),
  });
  await world.replay(recordings);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.close();
});

function importOf(name: string, text: string | Buffer, ...flags: string[]) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return runCommand(command, { db, clock, settings }, [path, ...flags]);
}

const REPORTS = [
  'Ticker;Report Date;Time;Fiscal Quarter Ending;EPS Est;Reported EPS;Surprise (%);Reported At',
  'MERD;19.02.2026;AMC;Dec/2025;1,255;1,30;3,6;2026-02-19T22:30:00Z',
  'QUAY;20.02.2026;bmo;Dec/2025;soon;;;',
  'LARK;20.02.2026;bmo;Dec/2025;0,4000000000005;;;',
  '',
].join('\r\n');

test('previews each row of a file without changing the store', async () => {
  const before = await currentState(db);
  const { out, error } = await importOf('q4.csv', REPORTS, '--dry-run');
  expect(await currentState(db)).toEqual(before);
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(/^1 row would be/) });
  expect(out).toContain('3 rows of earnings');
  expect(out).toContain('not used: Surprise (%)');
  expect(out).toContain('new 2, changed 0, same 0, quarantined 1');
  expect(out).toContain('line 2: MERD new');
  expect(out).toContain(
    'line 3: QUAY quarantined (bad-number): column "EPS Est" is "soon"; accepted: a number',
  );
  expect(out).toMatch(
    /line 2: MERD stored, but its reportedAt 2026-02-19T22:30:00Z is not shown: 2026-02-19T21:05:00Z, from sec\//,
  );
  expect(out).toContain('Dry run: nothing is stored.');
});

test('imports the valid rows of a file, serves them and reports each other row', async () => {
  const { out, error } = await importOf('q4.csv', REPORTS, '--json');
  expect(error).toMatchObject({ exitCode: 2 });
  expect(JSON.parse(out)).toMatchObject({
    dryRun: false,
    files: [
      {
        kind: 'earnings',
        columns: { Ticker: 'symbol', 'Report Date': 'date', 'Surprise (%)': null },
        new: 2,
        changed: 0,
        same: 0,
        quarantined: 1,
        rows: [
          { line: 2, entity: 'MERD', outcome: 'new' },
          { line: 3, entity: 'QUAY', reason: 'bad-number', column: 'EPS Est', value: 'soon' },
          { line: 4, entity: 'LARK', outcome: 'new' },
        ],
        overruled: [
          {
            line: 2,
            field: 'reportedAt',
            shown: '2026-02-19T21:05:00Z',
            source: { provider: 'sec' },
          },
        ],
      },
    ],
  });
  const path = '/v1/earnings?symbol=MERD&include=provenance';
  const [merd] = JSON.parse(await world.request(path)) as Record<string, unknown>[];
  expect(merd).toMatchObject({
    date: '2026-02-19',
    epsEstimate: 1.255,
    eps: 1.3,
    provenance: { eps: { source: 'files' }, reportedAt: { source: 'sec' } },
  });
  const [lark] = JSON.parse(await world.request('/v1/earnings?symbol=LARK')) as object[];
  expect(lark).toMatchObject({ date: '2026-02-20', time: 'time-pre-market', epsEstimate: 0.4 });
  expect(await listAuditEvents(db, { customerId: null, limit: 1 })).toMatchObject([
    { action: 'ingest.import', details: { files: ['q4.csv (earnings)'] } },
  ]);
});

test('counts the rows of a repeated import as same, and a corrected row as changed', async () => {
  const again = await importOf('q4.csv', REPORTS, '--json');
  expect(JSON.parse(again.out)).toMatchObject({ files: [{ new: 0, changed: 0, same: 2 }] });
  const corrected = await importOf('fixed-earnings.csv', REPORTS.replace('soon', '0,5'));
  expect(corrected.error).toBeNull();
  expect(corrected.out).toContain('new 1, changed 0, same 2, quarantined 0');
});

test('reports two rows of a file for the same report, instead of merging them silently', async () => {
  const rows = [
    { symbol: 'PIKE', date: '2026-02-24', eps: 1 },
    { symbol: 'PIKE', date: '2026-02-24', eps: 2 },
    { symbol: 'PIKE', date: '2026-02-24', eps: 1 },
  ];
  const text = rows.map((row) => JSON.stringify(row)).join('\n');
  const { out } = await importOf('pike.ndjson', text, '--kind', 'estimates', '--json');
  expect(JSON.parse(out)).toMatchObject({
    files: [
      {
        new: 1,
        same: 1,
        quarantined: 1,
        rows: [
          { line: 1, outcome: 'new' },
          { line: 2, outcome: 'quarantined', reason: 'conflicting-duplicate' },
          { line: 3, outcome: 'same' },
        ],
      },
    ],
  });
});

test('imports bars with a constant symbol and a left-out column', async () => {
  const text =
    'Date\tClose/Last\tVolume\tNotes\n02/20/2026\t$12.50\t1,000\tx\n02/21/2026\t$1\t1\ty\n';
  const { out } = await importOf(
    'h.txt',
    text,
    '--set',
    'symbol=PIKE',
    '--kind',
    'bars',
    '--column',
    'Notes=',
  );
  expect(out).toContain('new 1, changed 0, same 0, quarantined 1');
  expect(out).toContain('line 3: PIKE quarantined (no-session)');
});

test('reads a file that is not UTF-8 as Windows-1252', async () => {
  const text = Buffer.from('symbol,companyName,sector\nNEST,Nestl\u00e9 Tools,Food\n', 'latin1');
  expect((await importOf('p.csv', text)).error).toBeNull();
  expect(await world.request('/v1/profile/NEST')).toContain('Nestl\u00e9 Tools');
});

const UNUSABLE: readonly [
  name: string,
  text: string | Buffer,
  message: string,
  flags?: string[],
][] = [
  ['unknown.csv', 'symbol,date,epsEstimte\n', 'did you mean epsEstimate?', ['--kind', 'earnings']],
  ['unclear.csv', 'a,b\n1,2\n', 'use --kind with one of earnings, profiles'],
  ['bars.csv', 'Date,Close\n', 'use --set symbol=VALUE'],
  ['book-earnings.csv', Buffer.from('PK\u0003\u0004'), 'is a workbook: save the sheet as CSV'],
  ['broken-earnings.csv', 'symbol,date\n"MERD,2026\n', '(bad-csv)'],
  ['object-earnings.json', '{\n"rows": []}', 'neither a list of rows nor one JSON object per line'],
  ['empty-earnings.csv', '', '(empty-body)'],
];

test.each(UNUSABLE)(
  'imports nothing of %s and explains the fix',
  async (name, text, message, flags = []) => {
    const before = await currentState(db);
    const { out, error } = await importOf(name, text, ...flags);
    expect(error).toBeInstanceOf(CliError);
    expect(error).toMatchObject({ exitCode: 1 });
    expect(error?.message).toContain(message);
    expect(out).toBe('');
    expect(await currentState(db)).toEqual(before);
  },
);

test('imports no file if one of several has a problem', async () => {
  const before = await currentState(db);
  writeFileSync(join(folder, 'good-splits.csv'), 'symbol,date,ratio\nPIKE,2026-02-02,2:1\n');
  const paths = [join(folder, 'good-splits.csv'), join(folder, 'missing.csv')];
  const { error } = await runCommand(command, { db, clock, settings }, paths);
  expect(error?.message).toMatch(/missing\.csv does not exist$/);
  expect(await currentState(db)).toEqual(before);
});
