import type { CliCommand, CliContext } from '../command.ts';

interface Flags {
  dryRun?: boolean;
  json?: boolean;
}

/**
 * Migrates the store without starting the service, for example with a database role that may change
 * tables when the service's own role may not.
 */
export const command: CliCommand = {
  name: 'migrate',
  add(program, context) {
    program
      .command('migrate')
      .description('Migrate the store to the schema of this release')
      .option('--dry-run', 'List pending migrations without applying them')
      .option('--json', 'Print applied and pending migrations as JSON')
      .action((flags: Flags) => run(context, flags));
  },
};

async function run(context: CliContext, { dryRun = false, json }: Flags): Promise<void> {
  // An empty database is normal before the first start, but a missing folder may be a typo.
  const mayCreate = context.settings().databaseUrl !== null;
  const pending = await loadPending(context, mayCreate);
  if (!dryRun && pending.length > 0) {
    const { close } = await context.openStore({ mayCreate });
    await close();
  }
  if (json === true) {
    const result = dryRun ? { applied: [], pending } : { applied: pending, pending: [] };
    context.stdout(`${JSON.stringify(result)}\n`);
  } else context.stdout(pending.map((name) => `${name}\n`).join(''));
  context.stderr(renderSummary(pending.length, dryRun));
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

function renderSummary(count: number, isDryRun: boolean): string {
  if (count === 0) return 'The store is up to date.\n';
  const migrations = count === 1 ? '1 migration' : `${count} migrations`;
  return isDryRun ? `${migrations} pending; nothing was changed.\n` : `Applied ${migrations}.\n`;
}
