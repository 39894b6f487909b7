import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Db, Queryable } from '../db.ts';
import { SqlError, sqlState } from '../errors.ts';

export interface Migration {
  number: number;
  /** The file name without its number and extension. */
  name: string;
  sql: string;
  /** SHA-256 of the file, in hexadecimal. */
  checksum: string;
}

/**
 * Thrown when the store is incompatible with this program. The message gives the reason and says
 * what to do.
 */
export class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MigrationError';
  }
}

/** The folder with the numbered migration files, `service/migrations`. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));

/**
 * Applies all pending migrations in numeric order, each in its own transaction. Returns their
 * names. Several processes may call it at the same time.
 *
 * Throws before changing anything if the store has migrations that this program doesn't know, if an
 * applied file was changed, if a pending file is numbered below an applied one, or if a store would
 * be created among the tables of another program. Skips files numbered above `upTo`.
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
    // The table is created only when needed, so a user without the privilege to create tables can
    // start when no migration is pending.
    if (before.length === 0) {
      await rejectForeignTables(db);
      await makeTable(db);
    }
    if (await apply(db, next)) applied.push(fileName(next));
  }
}

/** Returns the names of the pending migrations without applying them. Throws like `migrate`. */
export async function pendingMigrations(
  db: Db,
  folder: string = MIGRATIONS_FOLDER,
): Promise<string[]> {
  const migrations = await loadMigrations(folder);
  const next = nextMigration(migrations, await loadApplied(db));
  if (next === undefined) return [];
  return migrations.filter(({ number }) => number >= next.number).map(fileName);
}

/** Returns the name of the newest applied migration, such as `0007-bars`. */
export async function readSchemaVersion(db: Queryable): Promise<string> {
  const [row] = await db.query<{ number: number; name: string }>(
    'select number, name from schema_migration order by number desc limit 1',
  );
  return row === undefined ? 'none' : `${String(row.number).padStart(4, '0')}-${row.name}`;
}

/** Reads `NNNN-name.sql` files in numeric order. Throws if two files share a number. */
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
    const applied = migrations[index - 1];
    if (applied?.number === migration.number) {
      throw new MigrationError(
        `${fileName(applied)} and ${fileName(migration)} share a number. Rename one to the next free number.`,
      );
    }
  });
  return migrations;
}

// Acquires the advisory lock for all schema changes, which is held until the transaction of each
// script ends. On a large store, a migration or the wait for another process may take longer than
// the timeouts allow.
const LOCK = `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local lock_timeout = 0; select pg_advisory_xact_lock(7209465171)`;

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
    const fix = fixOf(error);
    if (fix === undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`Creating a table in the store failed (${reason}): ${fix}.`, {
      cause: error,
    });
  }
}

/** Throws if the database holds another program's tables, before it is changed in any way. */
async function rejectForeignTables(db: Db): Promise<void> {
  // Returns the first tables that no extension has created, from the catalog; none if the migrations
  // have started, in this process or another one.
  const tables = await db.query<{ name: string }>(
    `select c.relname::text as name
       from pg_class c
      where c.relnamespace = current_schema()::regnamespace
        and c.relkind in ('r', 'p')
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
        and not exists (select 1 from pg_class s
                         where s.relnamespace = c.relnamespace and s.relname = 'schema_migration')
      order by c.relname limit 4`,
  );
  if (tables.length === 0) return;
  const names = tables.map(({ name }) => name);
  const shown = names.length > 3 ? [...names.slice(0, 3), '…'] : names;
  throw new MigrationError(
    `This database holds the tables of another program (${shown.join(', ')}), and nothing was changed: ` +
      'create a database with createdb and set DATABASE_URL to it.',
  );
}

function fixOf(error: unknown): string | undefined {
  return FIXES[sqlState(error) ?? ''];
}

/** Fixes to suggest when the server doesn't let this user create tables, by SQLSTATE. */
const FIXES: Readonly<Record<string, string>> = {
  // insufficient_privilege
  '42501':
    'let the user of DATABASE_URL own the database, by `alter database NAME owner to USER`, or ' +
    '`grant create on schema public to USER` in it; or let a role that owns the tables run ' +
    '`afterbell migrate`',
  // read_only_sql_transaction
  '25006':
    'if this server is a standby, set DATABASE_URL to its primary (a standby belongs in ' +
    'DATABASE_REPLICA_URL); otherwise set default_transaction_read_only to off',
};

interface Applied extends Record<string, unknown> {
  number: number;
  name: string;
  checksum: string;
}

async function loadApplied(db: Db): Promise<Applied[]> {
  // Returns one row.
  const [row] = await db.query<{ is_there: boolean }>(
    `select to_regclass('schema_migration') is not null as is_there`,
  );
  if (row?.is_there !== true) return [];
  try {
    // Returns every applied migration, in order.
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
  const byNumber = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const row of applied) {
    const file = byNumber.get(row.number);
    if (file === undefined) {
      throw new MigrationError(
        `The store is at version ${fileName(applied.at(-1))}, newer than this program, which supports up to ` +
          `${fileName(migrations.at(-1))}. Run a newer release, or restore an older backup.`,
      );
    }
    if (file.checksum !== row.checksum) {
      throw new MigrationError(
        `The migration ${fileName(file)} was changed after this store applied it ` +
          `(as ${fileName(row)}). Restore the file and write the change as a new migration.`,
      );
    }
  }
  const newest = applied.at(-1);
  const appliedNumbers = new Set(applied.map((row) => row.number));
  const next = migrations.find((migration) => !appliedNumbers.has(migration.number));
  if (next !== undefined && newest !== undefined && next.number < newest.number) {
    throw new MigrationError(
      `The migration ${fileName(next)} is numbered below ${fileName(newest)}, which this store ` +
        'has already applied. Rename it to the next free number, or start with a new store.',
    );
  }
  return next;
}

/** Applies one file. Returns false if another process has just applied it. */
async function apply(db: Db, migration: Migration): Promise<boolean> {
  const { number, name, checksum } = migration;
  try {
    // The script runs as one transaction. Its row is inserted first, under the lock, so that one of
    // two concurrent processes fails on the primary key before it changes anything. The name and
    // checksum consist of a fixed set of characters and need no quoting.
    await db.execute(`${LOCK};
      insert into schema_migration (number, name, checksum)
      values (${number}, '${name}', '${checksum}');
      ${migration.sql}`);
    return true;
  } catch (error) {
    if (error instanceof SqlError && error.constraint === 'schema_migration_pkey') return false;
    const reason = error instanceof Error ? error.message : String(error);
    const fix = fixOf(error);
    throw new MigrationError(
      `The migration ${fileName(migration)} failed: ${reason}${fix === undefined ? '' : `: ${fix}.`}`,
      { cause: error },
    );
  }
}

function fileName(migration: { number: number; name: string } | undefined): string {
  if (migration === undefined) return 'no migration';
  return `${String(migration.number).padStart(4, '0')}-${migration.name}`;
}
