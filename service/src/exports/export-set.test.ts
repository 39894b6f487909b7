import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { readInPlace } from '../../test/support/read-in-place.ts';
import { eventOf, SEEN_AT, storeRows } from '../../test/support/stored-earnings.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { barOf } from '../../test/support/stored-bars.ts';
import { recordBars } from '../datasets/bars/record.ts';
import { earningsVersions } from '../datasets/earnings/store.ts';
import { replaceSplits, type SourcedSplit } from '../datasets/splits/store.ts';
import { localDate } from '../domain/local-date.ts';
import { loadManifest } from '../endpoints/tables/manifest.ts';
import { tables } from '../endpoints/tables/registry.gen.ts';
import type { Db } from '../storage/db.ts';
import { exportSet, ExportRunningError } from './export-set.ts';

const folder = mkdtempSync(join(tmpdir(), 'afterbell-sets-'));
const latest = join(folder, 'latest');
const clock = fakeClock(SEEN_AT);
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
  await storeRows(db, {
    events: [
      eventOf('NRTH', { id: 'ern_1', date: localDate('2025-02-11') }),
      eventOf('NRTH', { id: 'ern_2', date: localDate('2026-02-10') }),
    ],
  });
});
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

/** Returns the store; a statement with this text kills the export. */
function viewedStore(killedBy?: string): Db {
  return readInPlace(db, (sql) => {
    if (killedBy !== undefined && sql.includes(killedBy)) throw new Error('the process was killed');
  });
}

/** Returns the path, checksum and time of each file in the newest set. */
async function listFiles(): Promise<Record<string, string>> {
  const { tables: listed = [] } = (await loadManifest(latest)) ?? {};
  return Object.fromEntries(
    listed.flatMap(({ dataset, files }) =>
      files.map(({ file, sha256, writtenAt }) => [`${dataset}/${file}`, `${sha256} ${writtenAt}`]),
    ),
  );
}

function checksumsOnDisk(paths: readonly string[]): string[] {
  return paths.map((path) =>
    createHash('sha256')
      .update(readFileSync(join(latest, path)))
      .digest('hex'),
  );
}

test('writes a file per year and an empty one for an empty table, with their checksums', async () => {
  const { written } = await exportSet(viewedStore(), tables, { folder, clock });
  const files = await listFiles();
  expect(Object.keys(files)).toEqual([
    'bars/all.parquet',
    'dividends/all.parquet',
    'earnings/2025.parquet',
    'earnings/2026.parquet',
    'economic-events/all.parquet',
    'ipos/all.parquet',
    'market-overrides/all.parquet',
    'profiles/all.parquet',
    'securities/all.parquet',
    'splits/all.parquet',
  ]);
  expect(written).toBe(10);
  const listed = Object.values(files).map((file) => file.split(' ')[0]);
  expect(checksumsOnDisk(Object.keys(files))).toEqual(listed);
});

test('writes only the years whose rows have changed, and keeps the set before', async () => {
  const before = await listFiles();
  await clock.advance(86_400_000);
  const changed = eventOf('NRTH', { id: 'ern_2', date: localDate('2026-02-12') });
  await db.transaction(async (tx) => {
    await earningsVersions.close(tx, ['ern_2'], clock.now());
    await earningsVersions.insert(tx, [changed], clock.now());
  });
  const { written } = await exportSet(viewedStore(), tables, { folder, clock });
  // Profiles and securities show which symbols price lists have dropped, so they are always written.
  expect(written).toBe(3);
  const after = await listFiles();
  const differing = Object.keys(after).filter((path) => after[path] !== before[path]);
  expect(differing).toEqual([
    'earnings/2026.parquet',
    'profiles/all.parquet',
    'securities/all.parquet',
  ]);
  expect(readdirSync(folder).filter((name) => /^\d/.test(name))).toHaveLength(2);
});

test('keeps the last complete set if an export is interrupted, and continues that export', async () => {
  const before = await listFiles();
  await clock.advance(86_400_000);
  // All sources of bars and earnings are as before, so a new rule makes every file change.
  const withheld = ['elsewhere'];
  const killed = viewedStore('from ipo v');
  await expect(exportSet(killed, tables, { folder, clock, withheld })).rejects.toThrow('killed');
  expect(await listFiles()).toEqual(before);
  expect(readdirSync(latest).filter((name) => name.endsWith('.part'))).toEqual([]);

  await clock.advance(60_000);
  const { written } = await exportSet(viewedStore(), tables, { folder, clock, withheld });
  // The five files of bars, dividends, earnings and economic events were complete.
  expect(written).toBe(5);
  const after = await listFiles();
  expect(checksumsOnDisk(Object.keys(after))).toEqual(
    Object.values(after).map((file) => file.split(' ')[0]),
  );
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  expect(readdirSync(folder).filter((name) => /^\d/.test(name))).toHaveLength(2);
});

test('writes a file again if a correction is older than its newest row', async () => {
  const at = (day: string) => Date.parse(`${day}T12:00:00Z`);
  const split = (day: string, seenAt: number, numerator = 2): SourcedSplit => {
    const source = { provider: 'files', feed: 'splits', seenAt };
    return { symbol: 'NRTH', date: localDate(day), numerator, denominator: 1, ...source };
  };
  const storeSplits = (splits: SourcedSplit[]) =>
    db.transaction((tx) => replaceSplits(tx, ['NRTH'], splits));
  const storeBar = (day: string, close: string, observedAt: number) =>
    db.transaction((tx) =>
      recordBars(
        tx,
        [{ ...barOf('NRTH', day, close), date: localDate(day), basisDate: localDate(day) }],
        { provider: 'files', feed: 'bars', list: null, observedAt, responseId: 1 },
      ),
    );
  await storeSplits([split('2026-03-02', at('2026-03-01')), split('2026-06-01', at('2026-06-01'))]);
  await storeBar('2026-03-02', '10', at('2026-03-02'));
  await storeBar('2026-06-01', '10', at('2026-06-01'));
  const folder2026 = join(folder, 'corrected');
  const written = async (): Promise<string[]> => {
    await clock.advance(60_000);
    const { manifest } = await exportSet(viewedStore(), tables, { folder: folder2026, clock });
    const { exportedAt } = manifest;
    return manifest.tables.flatMap(({ dataset, files }) =>
      files.filter(({ writtenAt }) => writtenAt === exportedAt).map(() => dataset),
    );
  };
  await written();
  expect(await written()).not.toContain('splits');
  await storeSplits([split('2026-03-02', at('2026-03-03'), 3)]);
  await storeBar('2026-03-02', '11', at('2026-03-03'));
  expect(await written()).toEqual(expect.arrayContaining(['bars', 'splits']));
});

test('refuses a second export to the same folder at a time', async () => {
  const both = await Promise.allSettled([
    exportSet(viewedStore(), tables, { folder, clock }),
    exportSet(viewedStore(), tables, { folder, clock }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const [refused] = both.flatMap((result) => (result.status === 'rejected' ? [result] : []));
  expect(refused?.reason).toBeInstanceOf(ExportRunningError);
});
