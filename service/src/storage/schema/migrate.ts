import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Db } from '../db.ts';
import { SqlError, sqlState } from '../errors.ts';

export interface Migration {
  number: number;
  /** The file's name without number and ending. */
  name: string;
  sql: string;
  /** SHA-256 of the file, hexadecimal. */
  checksum: string;
}

/** The store and the code do not fit: `message` says how and what to do. */
export class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MigrationError';
  }
}

/** Where the numbered files lie: `service/migrations`. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));

/**
 * Brings the store to the newest migration: each pending file in a transaction of its own, in
 * order of number, forward only. Returns the names applied. Several processes may call it at once.
 *
 * Refuses, before changing anything, a store with migrations this code does not know, an applied
 * file whose content changed since, and a pending file numbered below an applied one. Files numbered
 * above `upTo` are left for later.
 */
export async function migrate(
  db: Db,
  folder: string = MIGRATIONS_FOLDER,
  upTo: number = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const migrations = await loadMigrations(folder);
  const applied: string[] = [];
  for (;;) {
    const before = await loadApplied(db);
    const next = nextMigration(migrations, before);
    if (next === undefined || next.number > upTo) return applied;
    // Only then: where there is nothing to do, no right to make tables is needed.
    if (before.length === 0) await makeTable(db);
    if (await apply(db, next)) applied.push(fileName(next));
  }
}

/** The names of the files that `migrate` would apply; changes nothing, and refuses the same stores. */
export async function pendingMigrations(
  db: Db,
  folder: string = MIGRATIONS_FOLDER,
): Promise<string[]> {
  const migrations = await loadMigrations(folder);
  const next = nextMigration(migrations, await loadApplied(db));
  if (next === undefined) return [];
  return migrations.filter(({ number }) => number >= next.number).map(fileName);
}

/** Reads `NNNN-name.sql` files in order of number; two files may not share a number. */
export async function loadMigrations(folder: string = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}-[a-z0-9-]+\.sql$/.test(file));
  const migrations = await Promise.all(
    files.toSorted().map(async (file): Promise<Migration> => {
      const sql = await readFile(`${folder}/${file}`, 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { number: Number(file.slice(0, 4)), name: file.slice(5, -4), sql, checksum };
    }),
  );
  migrations.forEach((migration, index) => {
    const before = migrations[index - 1];
    if (before?.number === migration.number) {
      throw new MigrationError(
        `${fileName(before)} and ${fileName(migration)} share a number; give one the next free one.`,
      );
    }
  });
  return migrations;
}

// One key of our own for all schema work, held to the end of each script's transaction. On a store of
// years a step, and the wait for another process that takes it, go on for longer than a request may.
const LOCK = `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  select pg_advisory_xact_lock(7209465171)`;

const CREATE_TABLE = `create table if not exists schema_migration (
  number integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
)`;

async function makeTable(db: Db): Promise<void> {
  try {
    await db.execute(`${LOCK}; ${CREATE_TABLE};`);
  } catch (error) {
    const mend = mendOf(error);
    if (mend === undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`No table can be made in the store (${reason}): ${mend}.`, {
      cause: error,
    });
  }
}

function mendOf(error: unknown): string | undefined {
  return MENDS[sqlState(error) ?? ''];
}

/** What to do about a server that lets nobody make tables, by SQLSTATE. */
const MENDS: Readonly<Record<string, string>> = {
  // Insufficient privilege.
  '42501':
    'let the user of DATABASE_URL own the database, by `alter database NAME owner to USER`, or ' +
    '`grant create on schema public to USER` in it; or let a role that owns the tables run ' +
    '`afterbell migrate`',
  // A transaction that only reads.
  '25006':
    'name the primary in DATABASE_URL, where this is a standby (that is for DATABASE_REPLICA_URL), ' +
    'or set default_transaction_read_only to off',
};

interface Applied extends Record<string, unknown> {
  number: number;
  name: string;
  checksum: string;
}

async function loadApplied(db: Db): Promise<Applied[]> {
  // One row: whether there is the table that the first migration finds.
  const [row] = await db.query<{ is_there: boolean }>(
    `select to_regclass('schema_migration') is not null as is_there`,
  );
  if (row?.is_there !== true) return [];
  try {
    // Every applied migration in order; a handful of rows by the primary key.
    return await db.query<Applied>(
      'select number, name, checksum from schema_migration order by number',
    );
  } catch (error) {
    if (sqlState(error) !== '42501') throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(
      `The store cannot be read (${reason}): let the owner of its tables \`grant select, insert, ` +
        'update, delete on all tables in schema public to USER`, and by `alter default privileges` ' +
        'on those to come.',
      { cause: error },
    );
  }
}

function nextMigration(migrations: Migration[], applied: Applied[]): Migration | undefined {
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const row of applied) {
    const file = known.get(row.number);
    if (file === undefined) {
      throw new MigrationError(
        `The store is at version ${fileName(applied.at(-1))}, newer than this program, which knows up to ` +
          `${fileName(migrations.at(-1))}. Run a newer release, or restore a backup of before.`,
      );
    }
    if (file.checksum !== row.checksum) {
      throw new MigrationError(
        `The migration ${fileName(file)} was changed after this store had applied it ` +
          `(as ${fileName(row)}). Put the file back and write the change as a new migration.`,
      );
    }
  }
  const newest = applied.at(-1);
  const done = new Set(applied.map((row) => row.number));
  const next = migrations.find((migration) => !done.has(migration.number));
  if (next !== undefined && newest !== undefined && next.number < newest.number) {
    throw new MigrationError(
      `The migration ${fileName(next)} is numbered below ${fileName(newest)}, which this store ` +
        'has applied already. Give it the next free number, or start with a new store.',
    );
  }
  return next;
}

/** Applies one file; false when another process had just done it. */
async function apply(db: Db, migration: Migration): Promise<boolean> {
  const { number, name, checksum } = migration;
  try {
    // A script is one transaction. Its row goes in first, under the lock, so that of two processes
    // one fails on the primary key before it touches anything. Name and checksum come from a file
    // name and a hash of fixed alphabets and need no quoting.
    await db.execute(`${LOCK};
      insert into schema_migration (number, name, checksum)
      values (${number}, '${name}', '${checksum}');
      ${migration.sql}`);
    return true;
  } catch (error) {
    if (error instanceof SqlError && error.constraint === 'schema_migration_pkey') return false;
    const reason = error instanceof Error ? error.message : String(error);
    const mend = mendOf(error);
    throw new MigrationError(
      `The migration ${fileName(migration)} failed: ${reason}${mend === undefined ? '' : `: ${mend}.`}`,
      { cause: error },
    );
  }
}

function fileName(migration: { number: number; name: string } | undefined): string {
  if (migration === undefined) return 'no migration';
  return `${String(migration.number).padStart(4, '0')}-${migration.name}`;
}
