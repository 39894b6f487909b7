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

/** Copies the whole store into one file, from whichever process has it open. */
export const command: CliCommand = {
  name: 'backup',
  add(program, context) {
    program
      .command('backup')
      .description('Copy the whole store into one file, while the service runs.')
      .requiredOption('--to <path>', 'the file, or a folder in which it gets a name of its own')
      .option(
        '--with-secrets-key',
        'with the file that opens stored secrets: whoever has the backup can then read them',
      )
      .option('--json', 'print what was done for programs on stdout')
      .action((flags: Flags) => run(context, flags));
  },
};

async function run(context: CliContext, { to, withSecretsKey, json }: Flags): Promise<void> {
  const { writeBackup } = await import('../../storage/backup/write-backup.ts');
  // Of a store that is about to be upgraded the backup is the way back to the older release.
  const { db, close } = await context.openStore({ migrates: false });
  try {
    const now = context.clock.now();
    const startedMs = context.clock.monotonicMs();
    const kind = (await readMarker(db, 'kind')) === 'sandbox' ? 'sandbox' : 'live';
    const settings = context.settings();
    const secretsKey = withSecretsKey === true ? await readKeyFile(settings, kind) : undefined;
    const file = fileFor(resolve(context.cwd, to), to, { kind, now });
    const report = await writeBackup({
      db,
      file,
      now,
      secretsKey,
      program: packageJson.version,
    });
    await db.transaction(async (tx) => {
      await setMarker(tx, LAST_BACKUP_MARKER, formatInstant(now));
      const { sizeBytes, rows } = report;
      await recordAuditEvent(tx, {
        actor: COMMAND_LINE,
        at: now,
        action: 'store.backup',
        subject: null,
        customerId: null,
        details: {
          file,
          sizeBytes,
          rows,
          withSecretsKey: withSecretsKey === true,
        },
      });
    });
    const durationMs = Math.round(context.clock.monotonicMs() - startedMs);
    if (json === true) context.stdout(`${JSON.stringify({ ...report, durationMs })}\n`);
    else context.stdout(`${file}\n`);
    const { rows, tables, sizeBytes } = report;
    context.stderr(`${rows} rows of ${tables} tables in ${sizeBytes} bytes.\n`);
    if (withSecretsKey !== true) {
      const place = settings.secretsKey === null ? keyFileOf(settings, kind) : 'SECRETS_KEY';
      context.stderr(`The key that opens stored secrets is not in it: keep ${place} as well.\n`);
    }
  } finally {
    await close();
  }
}

/** In a folder the name tells kind and time: `afterbell-live-20261120T170000Z.tar`. */
function fileFor(path: string, typed: string, of: { kind: StoreKind; now: number }): string {
  const isFolder =
    typed.endsWith('/') || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const at = formatInstant(of.now).replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  return isFolder ? join(path, `afterbell-${of.kind}-${at}.tar`) : path;
}
