import { chmod, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyPostgres } from '../../../test/support/empty-postgres.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import { formatInstant } from '../../platform/instant.ts';
import { CELL_MARKER } from '../cells/cell-marker.ts';
import type { Db } from '../db.ts';
import { openPglite } from '../engines/pglite/pglite.ts';
import { openPostgres } from '../engines/postgres/postgres.ts';
import { setMarker } from '../marker.ts';
import { openStore } from '../open-store.ts';
import { renderSchema } from '../schema/schema.ts';
import { BackupError } from './backup-error.ts';
import { loadCounters, loadTables, measureTable } from './tables.ts';
import { openArchive } from './read-archive.ts';
import { restoreEmbedded, restorePostgres } from './restore-backup.ts';
import { writeArchive } from './write-archive.ts';
import { writeBackup } from './write-backup.ts';

const NOW = Date.parse('2026-11-20T17:00:00.123Z');
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'afterbell-backup-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Enough bars for an archive with more than one part per table. Tests that don't depend on size use
 * SOME_BARS.
 */
const MANY_BARS = 60_000;
const SOME_BARS = 3_000;

/** Inserts rows that cover every column type in the schema, with values that need escaping. */
async function fill(db: Db, bars: number): Promise<void> {
  await db.execute(`
    insert into store_marker values ('kind', 'live');
    insert into customer (id, name, plan, created_at)
      values ('c1', E'tab\\there, back\\\\slash, line\\nend, "quotes", \\\\N, café 東京', 'pro', '2026-11-20 17:00:00.123456+00');
    insert into api_key (id, customer_id, hash, prefix, last4, created_at, scopes, allowed_cidrs)
      values ('k1', 'c1', '\\x00ff0a5c', 'eds', '1234', now(), '{read,manage}', '{"10.0.0.0/8"}');
    insert into raw_body select sha256(i::text::bytea), sha256(i::text::bytea) || '\\x00', i
      from generate_series(1, 40) i;
    insert into raw_answer (provider, feed, url, status, content_type, observed_at, received_at, body_sha256, outcome)
      select 'p', 'f', 'u' || size_bytes, 200, '', now(), now(), sha256, 'ingested' from raw_body;
    insert into price_bar (symbol, date, provider, feed, basis_date, close, volume, observed_at, answer_id)
      select 'S' || i % 700, date '2020-01-01' + i / 700, 'p', 'f', '2020-01-01', i / 7.0, i * 1000000007::int8, now(), 1
      from generate_series(1, ${bars}) i;
    insert into change_record (dataset, entity_id, symbol, changed_fields, observed_at, committed_at, kind, fields)
      values ('earnings', 'e', 'S1', '{"a b","c\\"d"}', now(), now(), 'changed', '{"x": 1e-30, "y": "\\u00e9"}');
    insert into ingest_run (provider, datasets, url, started_at, duration_ms, outcome, rows_seen, rows_new, rows_changed, rows_same, rows_quarantined)
      values ('p', '{}', '', 'infinity', 0.1, 'ingested', 0, 0, 0, 0, 0);`);
}

async function stateOf(db: Db): Promise<unknown> {
  const tables = [];
  for (const table of await loadTables(db)) tables.push(await measureTable(db, table));
  return { tables, counters: await loadCounters(db), schema: await renderSchema(db) };
}

const source: { db?: Db } = {};
function filled(): Db {
  if (source.db === undefined) throw new Error('no store');
  return source.db;
}

async function backUp(name: string, extras: { secretsKey?: Uint8Array } = {}): Promise<string> {
  const file = join(folder, name);
  await writeBackup({ db: filled(), file, now: NOW, program: '0.0.0', ...extras });
  return file;
}

async function restored(file: string): Promise<Db> {
  const into = await mkdtemp(join(folder, 'store-'));
  await withArchive(file, (archive) => restoreEmbedded(into, { archive, fixups: [] }));
  return openStore({ folder: into });
}

async function withArchive<T>(
  file: string,
  work: (archive: Awaited<ReturnType<typeof openArchive>>) => Promise<T>,
): Promise<T> {
  const archive = await openArchive(file);
  try {
    return await work(archive);
  } finally {
    await archive.close();
  }
}

async function crossOver(): Promise<void> {
  const file = await backUp(`both-${filled().engine}.tar`);
  const expected = await stateOf(filled());
  const embedded = await restored(file);
  expect(await stateOf(embedded)).toEqual(expected);
  await embedded.query(`insert into commit_log (topics, committed_at) values ('{}', now())`);
  await embedded.close();
  const empty = await emptyPostgres();
  if ('missing' in empty) return;
  await withArchive(file, (archive) => restorePostgres(empty.url, { archive, fixups: [] }));
  const db = openPostgres({ url: empty.url });
  expect(await stateOf(db)).toEqual(expected);
  // The second restore of the same file fails because the database is no longer empty.
  await expect(
    withArchive(file, (archive) => restorePostgres(empty.url, { archive, fixups: [] })),
  ).rejects.toThrow(/not empty \(it has rows in api_key/);
  await db.close();
}

describe('embedded store', () => {
  beforeAll(async () => {
    source.db = await memoryStore();
    await fill(filled(), MANY_BARS);
  });
  afterAll(() => filled().close());
  test(
    'restores a backup of an embedded store with the same rows, sequences and schema on either engine',
    crossOver,
  );
});

describe('PostgreSQL', () => {
  let why: string | null = null;
  beforeAll(async () => {
    const empty = await emptyPostgres();
    if ('missing' in empty) return void (why = empty.missing);
    source.db = await openStore({ databaseUrl: empty.url });
    await fill(filled(), MANY_BARS);
  });
  afterAll(async () => (why === null ? filled().close() : undefined));
  test('restores a backup of a PostgreSQL store with the same rows, sequences and schema on either engine', async ({
    skip,
  }) => {
    if (why !== null) skip(why);
    await crossOver();
  });
});

describe('backups of one store', () => {
  beforeAll(async () => {
    source.db = await memoryStore();
    await fill(filled(), SOME_BARS);
  });
  afterAll(() => filled().close());

  test("records the engine, the kind of store and the program version in the backup's manifest", async () => {
    const file = await backUp('manifest.tar');
    await withArchive(file, async ({ manifest, secretsKey, sizeBytes }) => {
      expect(manifest).toMatchObject({ engine: 'pglite', kind: 'live', program: '0.0.0' });
      expect(manifest.createdAt).toBe(formatInstant(NOW));
      expect(secretsKey).toBeNull();
      expect(sizeBytes).toBe((await readFile(file)).byteLength);
    });
    await expect(backUp('manifest.tar')).rejects.toThrow(/already exists/);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('rejects the slower of two concurrent backups to one file and keeps the faster one intact', async () => {
    const file = join(folder, 'twice.tar');
    const options = { atSeconds: 0, mayReplace: false };
    const faster = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const slow = writeArchive(file, options, async (archive) => {
      await archive.add('a', Buffer.from('slow'));
      begun.resolve();
      await faster.promise;
      await archive.add('b', Buffer.from('slow'));
    });
    await begun.promise;
    await writeArchive(file, options, (archive) => archive.add('a', Buffer.from('fast')));
    const backup = await readFile(file);
    faster.resolve();
    await expect(slow).rejects.toThrow('twice.tar already exists: choose another name');
    expect(backup.includes('slow')).toBe(false);
    expect(await readFile(file)).toEqual(backup);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('ignores a temporary file left behind by a killed backup', async () => {
    await writeFile(join(folder, 'left.tar.part'), 'half of a backup');
    const file = await backUp('left.tar');
    await withArchive(file, async ({ manifest }) => expect(manifest.program).toBe('0.0.0'));
    expect(await readFile(join(folder, 'left.tar.part'), 'utf8')).toBe('half of a backup');
    await rm(join(folder, 'left.tar.part'));
  });

  test('rejects a backup in which any bit has changed or whose end is missing', async () => {
    const file = await backUp('whole.tar', { secretsKey: Buffer.from('a key\n') });
    const whole = await readFile(file);
    const bad = join(folder, 'bad.tar');
    const places = [0, 100, 257, 600, whole.length - 1, whole.length - 1100, whole.length - 2000];
    for (let at = 5; at < whole.length; at += Math.ceil(whole.length / 60)) places.push(at);
    for (const at of places) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await writeFile(bad, changed);
      await expect(openArchive(bad), `byte ${at}`).rejects.toThrow(/damaged|not a backup/);
    }
    for (const length of [0, 1, 511, 700, whole.length >> 1, whole.length - 1]) {
      await writeFile(bad, whole);
      await truncate(bad, length);
      await expect(openArchive(bad), `${length} bytes`).rejects.toThrow(/damaged|not a backup/);
    }
    await writeFile(bad, Buffer.concat([whole, Buffer.alloc(512)]));
    await expect(openArchive(bad)).rejects.toThrow(/damaged/);
    await withArchive(file, async ({ secretsKey }) =>
      expect(Buffer.from(secretsKey ?? []).toString()).toBe('a key\n'),
    );
  });

  test('rejects a directory given as a backup file', async () => {
    const opened = openArchive(folder);
    await expect(opened).rejects.toBeInstanceOf(BackupError);
    await expect(opened).rejects.toThrow('is a folder: choose the backup file');
  });

  test('restricts an existing restore folder to its owner and leaves a store in it unchanged', async () => {
    const file = await backUp('again.tar');
    const into = await mkdtemp(join(folder, 'store-'));
    await chmod(into, 0o755);
    await withArchive(file, (archive) => restoreEmbedded(into, { archive, fixups: [] }));
    expect((await stat(into)).mode & 0o777).toBe(0o700);
    await expect(
      withArchive(file, (archive) => restoreEmbedded(into, { archive, fixups: [] })),
    ).rejects.toThrow(/already holds a store.* choose another one/);
  });

  // The migrations may add rows to further tables: this test then fails until SEEDED lists them.
  test('restores a backup into a migrated PostgreSQL database, as a restore leaves it when it is killed', async ({
    skip,
  }) => {
    const file = await backUp('migrated.tar');
    const empty = await emptyPostgres();
    if ('missing' in empty) return skip(empty.missing);
    await (await openStore({ databaseUrl: empty.url })).close();
    await withArchive(file, (archive) => restorePostgres(empty.url, { archive, fixups: [] }));
    const db = openPostgres({ url: empty.url });
    expect(await db.query('select id from customer')).toEqual([{ id: 'c1' }]);
    await db.close();
  });

  test('leaves no store behind when a restore fails halfway, and can then repeat the restore', async () => {
    const file = await backUp('half.tar');
    const into = await mkdtemp(join(folder, 'store-'));
    const settle = [{ table: 'customer', sql: 'select 1 / 0' }];
    await expect(
      withArchive(file, (archive) => restoreEmbedded(into, { archive, fixups: settle })),
    ).rejects.toThrow(/division by zero/);
    expect(await readdir(into)).not.toContain('pg');
    await withArchive(file, (archive) => restoreEmbedded(into, { archive, fixups: [] }));
    expect(await readdir(into)).toContain('pg');
    expect(await readdir(into)).not.toContain('restoring');
  });

  test("rejects a backup whose rows don't match the manifest", async () => {
    const file = await backUp('sums.tar');
    await withArchive(file, async (archive) => {
      const bars = archive.manifest.tables.find(({ name }) => name === 'price_bar');
      if (bars !== undefined) bars.checksum = '1';
      const into = await mkdtemp(join(folder, 'store-'));
      await expect(restoreEmbedded(into, { archive, fixups: [] })).rejects.toThrow(
        /price_bar has 3000 rows with checksum/,
      );
    });
  });

  test('rejects a backup with a newer or different schema before it writes anything', async () => {
    const file = await backUp('later.tar');
    const into = join(folder, 'never');
    await withArchive(file, async (archive) => {
      const { schema } = archive.manifest;
      schema.push({ number: 9999, name: 'to-come', checksum: '' });
      await expect(restoreEmbedded(into, { archive, fixups: [] })).rejects.toThrow(
        /schema 9999-to-come, newer than this program/,
      );
      schema.pop();
      schema[0] = { number: 1, name: 'spine', checksum: 'another' };
      await expect(restoreEmbedded(into, { archive, fixups: [] })).rejects.toThrow(
        /0001-spine of this backup differs/,
      );
    });
    await expect(readdir(into)).rejects.toThrow('ENOENT');
  });

  test('refuses to back up a cell and leaves no file', async () => {
    const db = await memoryStore();
    await setMarker(db, CELL_MARKER, 'east');
    const file = join(folder, 'cell.tar');
    await expect(writeBackup({ db, file, now: NOW, program: '1.2.3' })).rejects.toThrow(
      /^this store is the cell "east".*pg_basebackup/,
    );
    expect((await readdir(folder)).filter((name) => name.startsWith('cell.tar'))).toEqual([]);
    await db.close();
  });

  test("backs up a snapshot that later writes don't change", async () => {
    const storeFolder = await mkdtemp(join(folder, 'live-'));
    const db = await openPglite({ dataDir: join(storeFolder, 'pg') });
    await db.execute('create table t (n int4); insert into t values (1)');
    const rows = await db.readSnapshot?.(async (view) => {
      await db.query('insert into t values (2)');
      return view.query('select n from t');
    });
    expect(rows).toEqual([{ n: 1 }]);
    expect(await db.query('select n from t')).toEqual([{ n: 1 }, { n: 2 }]);
    await db.close();
    expect(await readdir(storeFolder)).toEqual(['pg']);
  });
});
