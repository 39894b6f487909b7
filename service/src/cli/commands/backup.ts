import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { COMMAND_LINE, recordAuditEvent } from '../../accounts/audit-log.ts';
import { formatInstant } from '../../platform/instant.ts';
import { LAST_BACKUP_MARKER, readMarker, setMarker } from '../../storage/marker.ts';
import type { StoreKind } from '../../app/store-kind.ts';
import { keyFileOf, readKeyFile } from '../backup/key-file.ts';
import type { CliCommand, CliContext } from '../command.ts';

interface Flags {
  to: string;
  withSecretsKey?: boolean;
  json?: boolean;
}

/** Copies the store into a single file. Runs in the process that has the store open. */
export const command: CliCommand = {
  name: 'backup',
  add(program, context) {
    program
      .command('backup')
      .description('Back up the store to one file; the service can keep running')
      .requiredOption('--to <path>', 'Output file, or a folder in which to create one')
      .option(
        '--with-secrets-key',
        'Include the key file of the stored secrets; the backup can then be used to read them',
      )
      .option('--json', 'Print the result as JSON')
      .action((flags: Flags) => run(context, flags));
  },
};

async function run(context: CliContext, { to, withSecretsKey, json }: Flags): Promise<void> {
  const { writeBackup } = await import('../../storage/backup/write-backup.ts');
  // The store is not migrated, so that a backup made before an upgrade works with the older
  // release.
  const { db, close } = await context.openStore({ migrates: false });
  try {
    const now = context.clock.now();
    const startedMs = context.clock.monotonicMs();
    const kind = (await readMarker(db, 'kind')) === 'sandbox' ? 'sandbox' : 'live';
    const settings = context.settings();
    const secretsKey = withSecretsKey === true ? await readKeyFile(settings, kind) : undefined;
    const file = fileFor(resolve(context.cwd, to), to, { kind, now });
    const report = await writeBackup({ db, file, now, secretsKey, program: packageJson.version });
    await db.transaction(async (tx) => {
      await setMarker(tx, LAST_BACKUP_MARKER, formatInstant(now));
      const { sizeBytes, rows } = report;
      await recordAuditEvent(tx, {
        actor: COMMAND_LINE,
        at: now,
        action: 'store.backup',
        subject: null,
        customerId: null,
        details: { file, sizeBytes, rows, withSecretsKey: withSecretsKey === true },
      });
    });
    const durationMs = Math.round(context.clock.monotonicMs() - startedMs);
    if (json === true) context.stdout(`${JSON.stringify({ ...report, durationMs })}\n`);
    else context.stdout(`${file}\n`);
    const { rows, tables, sizeBytes } = report;
    context.stderr(`Backed up ${rows} rows of ${tables} tables (${sizeBytes} bytes).\n`);
    if (withSecretsKey !== true) {
      const location = settings.secretsKey === null ? keyFileOf(settings, kind) : 'SECRETS_KEY';
      context.stderr(
        `The key of the stored secrets is not included. Back up ${location} separately.\n`,
      );
    }
  } finally {
    await close();
  }
}

/** Generates a name such as `afterbell-live-20261120T170000Z.tar` if the path is a folder. */
function fileFor(
  path: string,
  argument: string,
  { kind, now }: { kind: StoreKind; now: number },
): string {
  const isFolder =
    argument.endsWith('/') || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const timestamp = formatInstant(now).replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  return isFolder ? join(path, `afterbell-${kind}-${timestamp}.tar`) : path;
}
