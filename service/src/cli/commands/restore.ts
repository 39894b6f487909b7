import { resolve } from 'node:path';
import { startEpoch } from '../../app/store-epoch.ts';
import { storeFolder } from '../../app/store-kind.ts';
import type { Archive } from '../../storage/backup/read-archive.ts';
import type { Db } from '../../storage/db.ts';
import { PENDING_EPOCH_MARKER } from '../../storage/marker.ts';
import { totalRows } from '../../storage/backup/manifest.ts';
import type { RestoreFixup } from '../../storage/backup/load-backup.ts';
import { keyFileOf, readIfExists, requireSameKey, writeKeyFile } from '../backup/key-file.ts';
import type { CliCommand, CliContext } from '../command.ts';

/** Changes that are applied to a restored store. */
export const RESTORE_FIXUPS: readonly RestoreFixup[] = [
  {
    // The service starts the epoch if this command is interrupted before it does.
    table: 'store_marker',
    sql: `insert into store_marker (name, value) select '${PENDING_EPOCH_MARKER}', 'restore'
           where not exists (select 1 from store_marker where name = '${PENDING_EPOCH_MARKER}')`,
  },
  // Signs everyone out, because the backup may contain sessions that were ended after it was made.
  { table: 'session', sql: 'delete from session' },
  { table: 'process_loop', sql: 'delete from process_loop' },
];

/**
 * Restores a store from a backup. The command cannot be forwarded to a running service,
 * because no service must have the store open during a restore.
 */
export const command: CliCommand = {
  name: 'restore',
  forwardable: false,
  add(program, context) {
    program
      .command('restore')
      .description('Restore a store from a backup into an empty data folder or database')
      .argument('<file>', 'Backup file from either store engine')
      .option('--json', 'Print the result as JSON')
      .addHelpText(
        'after',
        '\nRestores into --data-dir or --database-url. The whole file is verified before anything is\n' +
          'written.',
      )
      .action((file: string, { json }: { json?: boolean }) =>
        run(context, resolve(context.cwd, file), json === true),
      );
  },
};

async function run(context: CliContext, file: string, isJson: boolean): Promise<void> {
  const { openArchive } = await import('../../storage/backup/read-archive.ts');
  const startedMs = context.clock.monotonicMs();
  const archive = await openArchive(file);
  try {
    await restore(context, archive);
    const { manifest } = archive;
    const durationMs = Math.round(context.clock.monotonicMs() - startedMs);
    const rows = totalRows(manifest);
    const { kind, createdAt, tables } = manifest;
    const outcome = { kind, createdAt, tables: tables.length, rows, durationMs };
    if (isJson) context.stdout(`${JSON.stringify(outcome)}\n`);
    else context.stdout(`Restored ${rows} rows of ${tables.length} tables, as of ${createdAt}.\n`);
  } finally {
    await archive.close();
  }
}

async function restore(context: CliContext, archive: Archive): Promise<void> {
  const { restoreEmbedded, restorePostgres } =
    await import('../../storage/backup/restore-backup.ts');
  const settings = context.settings();
  const kind = archive.manifest.kind === 'sandbox' ? 'sandbox' : 'live';
  const folder = storeFolder(settings.dataDir, kind);
  const keyFile = keyFileOf(settings, kind);
  const { secretsKey } = archive;
  const usesKeyFile = settings.secretsKey === null;
  if (usesKeyFile && secretsKey !== null) await requireSameKey(keyFile, secretsKey);
  const options = {
    archive,
    fixups: RESTORE_FIXUPS,
    onRestored: async (db: Db) => void (await startEpoch(db, 'restore', context.clock)),
  };
  if (settings.databaseUrl === null) await restoreEmbedded(folder, options);
  else await restorePostgres(settings.databaseUrl, { ...options, pooler: settings.databasePooler });
  if (!usesKeyFile) return;
  if (secretsKey !== null) await writeKeyFile(keyFile, secretsKey);
  else if ((await readIfExists(keyFile)) === null) {
    context.stderr(
      'The backup does not include the key of the stored secrets. Before you start the service,\n' +
        `copy the key file to ${keyFile}, or set SECRETS_KEY.\n`,
    );
  }
}
