import { resolve } from 'node:path';
import { storeFolder } from '../../app/store-kind.ts';
import type { Archive } from '../../storage/backup/read-archive.ts';
import { totalRows } from '../../storage/backup/manifest.ts';
import { keyFileOf, readIfThere, refuseOtherKey, writeKeyFile } from '../backup/key-file.ts';
import { SETTLE } from '../backup/settle.ts';
import type { CliCommand, CliContext } from '../command.ts';

/** Makes a store from a backup. No service may run on it, so no service does it for another. */
export const command: CliCommand = {
  name: 'restore',
  forwardable: false,
  add(program, context) {
    program
      .command('restore')
      .description('Make a store from a backup, in an empty data folder or an empty database.')
      .argument('<file>', 'what `afterbell backup` wrote, from either engine')
      .option('--json', 'print what was done for programs on stdout')
      .addHelpText(
        'after',
        '\nThe store is the one of --data-dir, or of --database-url. The file is checked to its last\n' +
          'bit before anything is written.',
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
    else context.stdout(`${rows} rows of ${tables.length} tables, as of ${createdAt}.\n`);
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
  const wantsKey = settings.secretsKey === null;
  if (wantsKey && secretsKey !== null) await refuseOtherKey(keyFile, secretsKey);
  const options = { archive, fixups: SETTLE };
  if (settings.databaseUrl === null) await restoreEmbedded(folder, options);
  else await restorePostgres(settings.databaseUrl, options);
  if (!wantsKey) return;
  if (secretsKey !== null) await writeKeyFile(keyFile, secretsKey);
  else if ((await readIfThere(keyFile)) === null) {
    context.stderr(
      'The key that opens stored secrets was not in the backup: before a start put the file at\n' +
        `${keyFile}, or set SECRETS_KEY.\n`,
    );
  }
}
