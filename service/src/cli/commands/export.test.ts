import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { readInPlace } from '../../../test/support/read-in-place.ts';
import { runCommand } from '../../../test/support/run-command.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import { readSettings } from '../../config/settings.ts';
import type { Db } from '../../storage/db.ts';
import { command } from './export.ts';

const folder = mkdtempSync(join(tmpdir(), 'afterbell-export-'));
const settings = readSettings({ flags: {}, env: { DATA_DIR: folder }, cwd: '/', sources: [] });
const clock = fakeClock(Date.parse('2026-01-20T08:30:00Z'));
const csv = join(folder, 'csv');
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
  await db.execute(`
    insert into earnings_event
      (id, security_id, symbol, name, date, time, date_status, eps, currency, marker_ahead,
       split_factor, provenance, updated_at, known_from, known_to)
      select 'e' || i, 's', 'S' || i, '=HYPERLINK("x")', date '2026-01-01' + i % 30, 'unknown',
             'confirmed', -1.50, 'USD', false, 1,
             '{"eps": {"provider": "files", "feed": "f", "seenAt": 1767225600000}}', now(),
             '2026-01-01Z', case when i % 3 = 0 then timestamptz '2026-01-02Z' end
        from generate_series(1, 6000) i;
    insert into price_bar
      (symbol, date, provider, feed, basis_date, close, observed_at, answer_id)
      select 'S1', '2026-01-05', p, 'bars', '2026-01-05', c, '2026-01-06Z', 1
        from (values ('files', 10.10), ('other', 20)) as t (p, c)`);
});
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]) =>
  runCommand(command, { db: readInPlace(db), clock, settings }, args);

interface Listed {
  file: string;
  rows: number;
  sha256: string;
  sizeBytes: number;
}

test('exports data sets to CSV files with checksums and without formulas in cells', async () => {
  expect((await run('--to', csv)).error).toBeNull();
  const lines = readFileSync(join(csv, 'earnings.csv'), 'utf8').split('\r\n');
  expect(lines).toHaveLength(4_002);
  expect(lines[0]).toMatch(/^id,symbol,name,date,.*,estimates\.eps\.mean,.*,known_to,public_at$/);
  expect(lines[1]).toContain(`"'=HYPERLINK(""x"")"`);
  expect(lines[1]).toContain(',-1.5,');
  const bars = readFileSync(join(csv, 'bars.csv'), 'utf8').split('\r\n');
  expect([bars.length, bars[1]?.startsWith('S1,2026-01-05,,,,10.1,,')]).toEqual([3, true]);
  const manifest = JSON.parse(readFileSync(join(csv, 'manifest.json'), 'utf8')) as {
    files: Listed[];
  };
  expect(manifest.files).toHaveLength(9);
  for (const { file, sha256, sizeBytes } of manifest.files) {
    const bytes = readFileSync(join(csv, file));
    expect([createHash('sha256').update(bytes).digest('hex'), bytes.length]).toEqual([
      sha256,
      sizeBytes,
    ]);
  }
});

test('exports all versions between two days as NDJSON, with the sources on request', async () => {
  const to = join(folder, 'ndjson');
  const days = ['--from', '2026-01-05', '--until', '2026-01-06'];
  const kind = ['--format', 'ndjson', '--versions', '--include', 'provenance'];
  await run('--dataset', 'earnings', ...days, ...kind, '--to', to);
  const rows = readFileSync(join(to, 'earnings.ndjson'), 'utf8').trim().split('\n');
  expect(rows).toHaveLength(400);
  expect(JSON.parse(rows[0] ?? '')).toMatchObject({
    date: '2026-01-05',
    eps: -1.5,
    known_from: '2026-01-01T00:00:00Z',
    'estimates.eps.mean': null,
    'provenance.eps.source': 'files',
    'provenance.eps.seenAt': '2026-01-01T00:00:00Z',
  });
});

test('exports Parquet files into a folder, or without one to where the service serves them', async () => {
  const to = join(folder, 'parquet');
  const own = await run('--format', 'parquet', '--dataset', 'earnings', '--to', to);
  expect(own.out).toBe(`${join(to, 'latest/earnings/2026.parquet')} 6000\n`);
  expect(readFileSync(join(to, 'latest/earnings/2026.parquet'), 'latin1')).toMatch(/^PAR1.*PAR1$/s);
  const served = await run('--format', 'parquet');
  expect(served.out).toContain(join(folder, 'sandbox/datasets/latest/bars/2026.parquet'));
});

test.each([
  [['--dataset', 'earnings', '--to', csv], 'already exists; use another folder'],
  [
    ['--dataset', 'earning', '--to', csv],
    'unknown data set "earning": choose from bars, dividends',
  ],
  [['--dataset', 'profiles', '--from', '2026-01-01', '--to', csv], 'profiles has no dates'],
  [['--dataset', 'all'], 'set the folder with --to'],
  [['--format', 'parquet', '--from', '2026-01-01'], 'whole years: remove --from and --until'],
  [['--format', 'parquet', '--dataset', 'ipos'], 'remove --dataset, or set --to'],
])('rejects %j and states the fix', async (args, fix) => {
  expect((await run(...args)).error?.message).toContain(fix);
});
