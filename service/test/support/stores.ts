import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/platform/clock.ts';
import type { Db } from '../../src/storage/db.ts';
import { loadMigrations, migrate } from '../../src/storage/migrate.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { openPglite } from '../../src/storage/pglite.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { postgresServer } from './postgres-server.ts';

/**
 * A fresh embedded store in memory with every migration applied; the caller closes it. The first
 * one for a set of migrations takes seconds and leaves a snapshot that the others start from.
 */
export async function memoryStore(): Promise<Db> {
  return openPglite({ dataDir: 'memory://', snapshotFile: await snapshotFile() });
}

/**
 * Takes everything out of a store but its schema and what the migrations put in, so that tests can
 * use one store again. Only tables that were written to are emptied: each costs milliseconds, and
 * there are dozens.
 */
export async function emptyStore(db: Db): Promise<void> {
  // The names of all tables of our own, from the catalogue.
  const tables = await db.query<{ name: string }>(
    `select tablename as name from pg_tables
      where schemaname = 'public'
        and tablename not in ('schema_migration', 'plan', 'key_ring_version')`,
  );
  const filled = tables.map(({ name }) => `select '${name}' where exists (select 1 from ${name})`);
  // Those that hold rows, and those whose numbering has begun.
  const used = await db.query<{ name: string }>(
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
  const names = used.map(({ name }) => name).join(', ');
  if (names !== '') await db.query(`truncate ${names} restart identity cascade`);
  // Plans that a test added.
  await db.query("delete from plan where name not in ('free', 'pro')");
}

/** A file that a store in memory can start from, with every migration applied. */
export async function snapshotFile(): Promise<string> {
  const hash = createHash('sha256');
  for (const { number, checksum } of await loadMigrations()) hash.update(`${number} ${checksum}\n`);
  const folder = join(tmpdir(), `afterbell-test-${process.getuid?.() ?? 'user'}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `store-${hash.digest('hex').slice(0, 16)}.tar`);
  if (!(await exists(file))) await makeSnapshot(file);
  return file;
}

/**
 * Two test files may make it at once, as threads of one process even: each writes a draft of its
 * own, tries it, and the rename makes either's file whole.
 */
async function makeSnapshot(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.draft`;
  const db = await openPglite({ dataDir: 'memory://' });
  try {
    await migrate(db);
    // Writes every page to its file, so that the copy needs no recovery.
    await db.execute('checkpoint');
    await db.snapshot(draft);
  } finally {
    await db.close();
  }
  const copy = await openPglite({ dataDir: 'memory://', snapshotFile: draft });
  await copy.close();
  await rename(draft, file);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/**
 * A fresh database on a real PostgreSQL server with every migration applied, or why there is no
 * server: a test then skips with `missing` as its reason, except under CI, where this throws.
 */
export async function postgresStore(): Promise<{ db: Db; url: string } | { missing: string }> {
  const server = await postgresServer();
  if ('missing' in server) {
    if (process.env['CI'] === undefined || process.env['CI'] === '') return server;
    throw new Error(`PostgreSQL is required under CI: ${server.missing}`);
  }
  databases += 1;
  const name = `afterbell_test_${process.pid}_${Math.trunc(systemClock().monotonicMs())}_${databases}`;
  const admin = openPostgres({ url: server.url, poolSize: 1 });
  try {
    await admin.query(`create database ${name}`);
  } finally {
    await admin.close();
  }
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return { db: await openStore({ databaseUrl: url.href }), url: url.href };
}

let databases = 0;
