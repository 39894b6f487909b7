import type { Command } from 'commander';
import { COMMAND_LINE } from '../../accounts/audit-log.ts';
import { resetFutureQuotas } from '../../http/management/reset-future-quotas.ts';
import type { CliCommand, CliContext } from '../command.ts';

export const command: CliCommand = {
  name: 'quotas',
  add(program, context) {
    const quotas = program.command('quotas').description('Manage request quotas');
    addResetAhead(quotas, context);
  },
};

function addResetAhead(quotas: Command, context: CliContext): void {
  quotas
    .command('reset-ahead')
    .description(
      'Reset the request counts of customers that were counted on future days because the clock ' +
        'was ahead',
    )
    .action(async () => {
      const { db, close } = await context.openStore();
      try {
        const customers = await resetFutureQuotas(db, COMMAND_LINE, context.clock.now());
        context.stdout(`${JSON.stringify({ customers })}\n`);
      } finally {
        await close();
      }
    });
}
