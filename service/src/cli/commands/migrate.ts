import type { CliCommand, CliContext } from '../command.ts';

interface Flags {
  dryRun?: boolean;
  json?: boolean;
}

/**
 * Brings the store forward and does nothing else: before the service starts anew, by a role that may
 * change tables where that of the service may not.
 */
export const command: CliCommand = {
  name: 'migrate',
  add(program, context) {
    program
      .command('migrate')
      .description('Bring the store to the schema of this release, as a start would.')
      .option('--dry-run', 'say what is pending, and change nothing')
      .option('--json', 'print what was done, or is to do, for programs on stdout')
      .action((flags: Flags) => run(context, flags));
  },
};

async function run(context: CliContext, { dryRun = false, json }: Flags): Promise<void> {
  // The owner of a database makes its tables before the service comes; a folder may be mistyped.
  const mayCreate = context.settings().databaseUrl !== null;
  const pending = await loadPending(context, mayCreate);
  if (!dryRun && pending.length > 0) {
    const { close } = await context.openStore({ mayCreate });
    await close();
  }
  if (json === true) {
    const done = dryRun ? { applied: [], pending } : { applied: pending, pending: [] };
    context.stdout(`${JSON.stringify(done)}\n`);
  } else context.stdout(pending.map((name) => `${name}\n`).join(''));
  context.stderr(sum(pending.length, dryRun));
}

async function loadPending(context: CliContext, mayCreate: boolean): Promise<string[]> {
  const { pendingMigrations } = await import('../../storage/schema/migrate.ts');
  const { db, close } = await context.openStore({ mayCreate, migrates: false });
  try {
    return await pendingMigrations(db);
  } finally {
    await close();
  }
}

function sum(count: number, isDryRun: boolean): string {
  if (count === 0) return 'The store has the schema of this release.\n';
  const steps = count === 1 ? '1 step' : `${count} steps`;
  return isDryRun ? `${steps} to do; nothing was changed.\n` : `${steps} done.\n`;
}
