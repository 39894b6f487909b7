import { COMMAND_LINE, recordAuditEvent } from '../../accounts/audit-log.ts';
import { startEpoch } from '../../app/store-epoch.ts';
import type { CliCommand, CliContext } from '../command.ts';

export const command: CliCommand = {
  name: 'store',
  add(program, context) {
    const store = program.command('store').description('Maintain the store');
    store
      .command('new-epoch')
      .description('Continue from an older state of the store that was restored by other means')
      .addHelpText(
        'after',
        '\nRun it before you start the service, after you restored files of the store or a snapshot of its\n' +
          'disk. Clients that follow changes are then told to load their data again, and pending deliveries\n' +
          'get new ids. `afterbell restore` does this by itself.',
      )
      .action(() => run(context));
  },
};

async function run(context: CliContext): Promise<void> {
  const { db, close } = await context.openStore();
  try {
    const epoch = await startEpoch(db, 'operator', context.clock);
    await db.transaction((tx) =>
      recordAuditEvent(tx, {
        actor: COMMAND_LINE,
        at: context.clock.now(),
        action: 'store.new-epoch',
        subject: null,
        customerId: null,
        details: { ...epoch },
      }),
    );
    context.stdout(`${JSON.stringify(epoch)}\n`);
  } finally {
    await close();
  }
}
