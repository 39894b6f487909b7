import packageJson from '../../../package.json' with { type: 'json' };
import type { Instant } from '../../platform/instant.ts';
import type { Db } from '../db.ts';
import { loadMigrations, MigrationError, MIGRATIONS_FOLDER } from '../schema/migrate.ts';
import { loadSchemaSteps } from './tables.ts';
import { writeBackup } from './write-backup.ts';

/**
 * Backs up an embedded store to a file beside its folder, such as `live.before-0019.tar`, before
 * migrations run. Returns the path of the backup, or null if no migration is pending or the store
 * is new. Replaces the backup from an earlier attempt. If the backup fails, throws a MigrationError
 * that says what to do.
 */
export async function backUpBeforeMigrating(
  db: Db,
  { folder, now, migrations = MIGRATIONS_FOLDER }: BeforeOptions,
): Promise<string | null> {
  // Returns one row.
  const [row] = await db.query<{ isOld: boolean }>(
    `select to_regclass('schema_migration') is not null as "isOld"`,
  );
  if (row?.isOld !== true) return null;
  const applied = (await loadSchemaSteps(db)).at(-1)?.number ?? 0;
  const next = (await loadMigrations(migrations)).find(({ number }) => number > applied);
  if (next === undefined || applied === 0) return null;
  const file = `${folder}.before-${String(next.number).padStart(4, '0')}.tar`;
  try {
    await writeBackup({ db, file, now, program: packageJson.version, mayReplace: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(
      `The store could not be backed up to ${file} before its upgrade, so the upgrade was not started ` +
        `(${reason}): free disk space for a second copy of the store, or keep a backup elsewhere and set ` +
        'BACKUP_BEFORE_UPGRADE=false.',
      { cause: error },
    );
  }
  return file;
}

interface BeforeOptions {
  /** The store's folder. */
  folder: string;
  now: Instant;
  migrations?: string;
}
