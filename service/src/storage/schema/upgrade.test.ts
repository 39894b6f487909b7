import { copyFile, cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openArchive } from '../backup/read-archive.ts';
import { restoreEmbedded } from '../backup/restore-backup.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { MIGRATIONS_FOLDER, MigrationError, loadMigrations, migrate } from './migrate.ts';
import { openStore } from '../open-store.ts';
import { openPglite } from '../engines/pglite/pglite.ts';
import { renderSchema } from './schema.ts';

/** The oldest release upgraded in these tests, which is the first with accounts. */
const OLD_VERSION = 3;
let folder: string;
/** Folder of a store from that release with rows, copied for each test. */
let templateFolder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afterbell-upgrade-'));
  templateFolder = join(folder, 'old');
  await mkdir(templateFolder);
  const db = await openPglite({ dataDir: join(templateFolder, 'pg') });
  await migrate(db, MIGRATIONS_FOLDER, OLD_VERSION);
  await db.execute(`
    insert into store_marker values ('kind', 'live');
    insert into customer (id, name, plan, created_at)
      values ('c1', 'Old customer', 'pro', '2026-01-02T03:04:05Z');
    insert into earnings_event
      (id, security_id, symbol, date, time, date_status, eps, currency, marker_ahead,
       split_factor, provenance, updated_at, known_from)
      values ('e1', 's1', 'OLD', '2026-01-30', 'after-hours', 'confirmed', 1.60, 'USD', false,
              1, '{}', '2026-01-01Z', '2026-01-01Z')`);
  await db.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function oldStore(name: string): Promise<string> {
  const copy = join(folder, name);
  await cp(templateFolder, copy, { recursive: true });
  return copy;
}

const ROWS = `select c.name, c.plan, e.symbol, e.eps, e.known_from as "knownFrom"
                from customer c, earnings_event e`;
const EXPECTED = [
  {
    name: 'Old customer',
    plan: 'pro',
    symbol: 'OLD',
    eps: '1.60',
    knownFrom: Date.parse('2026-01-01Z'),
  },
];

test('backs up a store from an old release, then upgrades it and keeps its rows', async () => {
  const store = await oldStore('upgraded');
  const backups: string[] = [];
  const db = await openStore({ folder: store, onBackup: (file) => backups.push(file) });
  const newest = (await loadMigrations()).at(-1)?.number;
  expect(await db.query('select max(number) as n from schema_migration')).toEqual([{ n: newest }]);
  expect(await db.query(ROWS)).toEqual(EXPECTED);
  const schema = await renderSchema(db);
  await db.close();
  expect(backups).toEqual([join(folder, 'upgraded.before-0004.tar')]);

  // No migrations are pending when the store is opened a second time.
  await (await openStore({ folder: store, onBackup: (file) => backups.push(file) })).close();
  expect(backups).toHaveLength(1);

  // This release restores the old release's backup to an identical store.
  const archive = await openArchive(backups[0] ?? '');
  expect(archive.manifest.schema.at(-1)?.number).toBe(OLD_VERSION);
  const restoredFolder = join(folder, 'restored');
  await restoreEmbedded(restoredFolder, { archive, fixups: [] });
  await archive.close();
  const restored = await openStore({ folder: restoredFolder });
  expect(await restored.query(ROWS)).toEqual(EXPECTED);
  expect(await renderSchema(restored)).toBe(schema);
  await restored.close();
});

test('stops the upgrade when the backup fails, and says what to do', async () => {
  const store = await oldStore('unkeepable');
  await mkdir(join(`${store}.before-0004.tar`, 'in the way'), { recursive: true });
  const opening = openStore({ folder: store });
  await expect(opening).rejects.toBeInstanceOf(MigrationError);
  await expect(opening).rejects.toThrow('BACKUP_BEFORE_UPGRADE=false');
  const db = await openPglite({ dataDir: join(store, 'pg') });
  expect(await db.query('select max(number) as n from schema_migration')).toEqual([
    { n: OLD_VERSION },
  ]);
  await db.close();
});

test('opens a store from an old release for a backup without migrating it', async () => {
  const store = await oldStore('as-it-is');
  const db = await openStore({ folder: store, migrates: false });
  expect(await db.query('select max(number) as n from schema_migration')).toEqual([
    { n: OLD_VERSION },
  ]);
  const file = join(folder, 'as-it-is.tar');
  await writeBackup({ db, file, now: 0, program: '0.0.0' });
  await db.close();
  const archive = await openArchive(file);
  expect(archive.manifest.schema.at(-1)?.number).toBe(OLD_VERSION);
  await archive.close();
  expect((await readdir(folder)).filter((name) => name.startsWith('as-it-is.before'))).toEqual([]);
});

test('makes no backup before migrating if such backups are disabled', async () => {
  const store = await oldStore('unkept');
  await (await openStore({ folder: store, backsUpBeforeMigrating: false })).close();
  expect((await readdir(folder)).filter((name) => name.startsWith('unkept.'))).toEqual([]);
});

test('rejects a store from a newer release before changing or copying anything', async () => {
  const store = await oldStore('newer');
  const migrations = join(folder, 'older-release');
  await mkdir(migrations);
  for (const file of (await readdir(MIGRATIONS_FOLDER)).filter((name) => /^000[12]-/.test(name))) {
    await copyFile(join(MIGRATIONS_FOLDER, file), join(migrations, file));
  }
  const db = await openPglite({ dataDir: join(store, 'pg') });
  await expect(migrate(db, migrations)).rejects.toThrow(
    /at version 0003-accounts, newer than this program, which supports up to 0002-.* Run a newer release, or restore an older backup/,
  );
  expect(await db.query(ROWS)).toEqual(EXPECTED);
  await db.close();
  await expect(stat(`${store}.before-0004.tar`)).rejects.toThrow('ENOENT');
});
