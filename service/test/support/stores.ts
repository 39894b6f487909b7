import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/platform/clock.ts';
import type { Db } from '../../src/storage/db.ts';
import { loadMigrations, migrate } from '../../src/storage/schema/migrate.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { openPglite } from '../../src/storage/engines/pglite/pglite.ts';
import { openPostgres } from '../../src/storage/engines/postgres/postgres.ts';
import { startPooler } from './poolers.ts';
import { postgresServer } from './postgres-server.ts';
import { reusableStore } from './reusable-stores.ts';

/**
 * Returns an embedded store in memory with all migrations applied and without other rows. The caller
 * must close it. The first call for a set of migrations takes seconds and leaves a snapshot for later
 * calls. In processes that run many test files, it may be a store that an earlier test has closed.
 */
export async function memoryStore(): Promise<Db> {
  const open = async () => openPglite({ dataDir: 'memory://', snapshotFile: await snapshotFile() });
  return process.env['REUSES_STORES'] === '1' ? reusableStore(open, emptyStore) : open();
}

/**
 * Empties a store except for its schema and the rows from migrations, so that tests can share it.
 * Truncates only tables that have rows, because each of the dozens of tables takes milliseconds.
 */
export async function emptyStore(db: Db): Promise<void> {
  // Returns the names of all user tables, from the catalog.
  const tables = await db.query<{ name: string }>(
    `select tablename as name from pg_tables
      where schemaname = 'public'
        and tablename not in ('schema_migration', 'plan', 'key_ring_version')`,
  );
  const filled = tables.map(({ name }) => `select '${name}' where exists (select 1 from ${name})`);
  // Returns the tables that have rows or whose sequence has started.
  const populated = await db.query<{ name: string }>(
    `select name from (${filled.join(' union all ')}) as filled (name)
     union
     select t.relname::text from pg_sequences s
       join pg_class q on q.relname = s.sequencename
       join pg_depend d on d.objid = q.oid and d.deptype in ('a', 'i')
       join pg_class t on t.oid = d.refobjid and t.relkind = 'r'
      where s.schemaname = 'public' and s.last_value is not null
        and t.relname in (${tables.map(({ name }) => `'${name}'`).join(', ')})
     order by name`,
  );
  const names = populated.map(({ name }) => name).join(', ');
  if (names !== '') await db.query(`truncate ${names} restart identity cascade`);
  // Deletes plans that a test has added.
  await db.query("delete from plan where name not in ('free', 'pro')");
}

/** Returns a snapshot file for an in-memory store with all migrations applied. */
export async function snapshotFile(): Promise<string> {
  const name = `slim-store-${ENGINE_VERSION}-${await versionOfSchema()}.tar`;
  const file = join(await scratchForStores(), name);
  if (!(await exists(file))) await makeSnapshot(file);
  return file;
}

/**
 * Returns a folder with an on-disk store, which `seeded-stores.cjs` copies: without our schema for
 * tests, which may apply some of the migrations, and with all migrations for the processes that they
 * start.
 */
export async function seedFolder(kind: 'empty' | 'migrated'): Promise<string> {
  const schema = kind === 'empty' ? '' : `-${await versionOfSchema()}`;
  const seed = join(await scratchForStores(), `${kind}-${ENGINE_VERSION}${schema}`);
  if (await exists(seed)) return seed;
  const draft = `${seed}.${randomUUID()}.draft`;
  const db = await openPglite({ dataDir: draft });
  if (kind === 'migrated') await migrate(db);
  await db.close();
  // A concurrent run may have finished first.
  await rename(draft, seed).catch(() => rm(draft, { recursive: true }));
  return seed;
}

/** Returns a version that differs for every set of migrations. */
async function versionOfSchema(): Promise<string> {
  const hash = createHash('sha256');
  for (const { number, checksum } of await loadMigrations()) hash.update(`${number} ${checksum}\n`);
  return hash.digest('hex').slice(0, 16);
}

/**
 * Part of the file name, because a snapshot from one engine version may not work with a different
 * version.
 */
const ENGINE_VERSION = (
  JSON.parse(
    readFileSync(
      join(
        dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')),
        '../package.json',
      ),
      'utf8',
    ),
  ) as { version: string }
).version;

/** Returns the folder for cached stores, which are kept between runs. */
async function scratchForStores(): Promise<string> {
  const folder = join(tmpdir(), `afterbell-test-${process.getuid?.() ?? 'user'}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * Creates a snapshot. Concurrent test files, even threads in one process, may create it at the same
 * time, so each writes its own temporary file, verifies it and renames it.
 */
async function makeSnapshot(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.draft`;
  const db = await openPglite({ dataDir: 'memory://' });
  try {
    await migrate(db);
    // Flushes every page to its file, so that the copy needs no recovery.
    await db.execute('checkpoint');
    await db.dump(draft);
  } finally {
    await db.close();
  }
  await writeFile(draft, withoutTemplates(await readFile(draft)));
  const copy = await openPglite({ dataDir: 'memory://', snapshotFile: draft });
  await copy.close();
  await rename(draft, file);
}

/**
 * Removes the template databases' files. They make up two thirds of all files, and every start from
 * the snapshot would write them although no test creates a database in memory.
 */
function withoutTemplates(tar: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let offset = 0; offset < tar.length;) {
    const name = tar.toString('latin1', offset, offset + NAME_BYTES).replace(/\0.*$/s, '');
    const size =
      Number.parseInt(tar.toString('latin1', offset + SIZE_AT, offset + SIZE_AT + 11), 8) || 0;
    const next = offset + BLOCK_BYTES * (1 + Math.ceil(size / BLOCK_BYTES));
    if (!/^\/?base\/[14]\/./.test(name)) parts.push(tar.subarray(offset, next));
    offset = next;
  }
  return Buffer.concat(parts);
}

const BLOCK_BYTES = 512;
const NAME_BYTES = 100;
const SIZE_AT = 124;

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/**
 * Creates a fresh database on a real PostgreSQL server with all migrations applied, or returns the
 * reason why there is no server. A test then skips with `missing` as its reason, except under CI,
 * where this throws.
 */
export async function postgresStore(): Promise<{ db: Db; url: string } | { missing: string }> {
  const server = await postgresServer();
  if ('missing' in server) {
    if (process.env['CI'] === undefined || process.env['CI'] === '') return server;
    throw new Error(`PostgreSQL is required under CI: ${server.missing}`);
  }
  databases += 1;
  const name = `afterbell_test_${process.pid}_${Math.trunc(systemClock().monotonicMs())}_${databases}`;
  // Another process may be creating the template for longer than the default.
  const admin = openPostgres({ url: server.url, poolSize: 1, lockTimeoutMs: 0 });
  try {
    await admin.query(`create database ${name} template ${await templateDatabase(admin, server)}`);
  } finally {
    await admin.close();
  }
  const url = await withPooler(server, addressOf(server, name));
  return { db: await openStore({ databaseUrl: url }), url };
}

/**
 * Returns the URL through a pooler of this process if AFTERBELL_TEST_POOLER names a kind, which runs
 * any test on PostgreSQL behind it.
 */
async function withPooler(server: { url: string }, url: string): Promise<string> {
  const kind = process.env['AFTERBELL_TEST_POOLER'];
  if (kind !== 'transaction' && kind !== 'session' && kind !== 'pgpool') return url;
  const started = await (pooler ??= startPooler(server.url, kind));
  if ('missing' in started) throw new Error(started.missing);
  return started.urlOf(url);
}

let pooler: ReturnType<typeof startPooler> | undefined;

/**
 * Returns the name of a database with all migrations applied, created by the first caller. Test
 * databases are copies of it, which avoids running all migrations again.
 */
async function templateDatabase(admin: Db, server: { url: string }): Promise<string> {
  const name = `afterbell_template_${await versionOfSchema()}`;
  // Returns a row if the database exists.
  const lookup = 'select 1 as found from pg_database where datname = $1';
  if ((await admin.query(lookup, [name])).length > 0) return name;
  // The only connection of `admin` holds the lock, which is released when that connection is closed
  // soon after.
  await admin.query('select pg_advisory_lock(7209465172)');
  if ((await admin.query(lookup, [name])).length > 0) return name;
  const draft = `${name}_${process.pid}`;
  await admin.query(`create database ${draft}`);
  await (await openStore({ databaseUrl: addressOf(server, draft) })).close();
  await admin.query(`alter database ${draft} rename to ${name}`);
  return name;
}

function addressOf(server: { url: string }, database: string): string {
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  return url.href;
}

let databases = 0;
