import type { Command } from 'commander';
import { COMMAND_LINE } from '../../accounts/audit-log.ts';
import { resetFutureQuotas } from '../../http/management/reset-future-quotas.ts';
import type { CliCommand, CliContext } from '../command.ts';

/** Counts of requests, where an operator has to mend them. */
export const command: CliCommand = {
  name: 'quotas',
  add(program, context) {
    const quotas = program.command('quotas').description('Counts of requests by day and month.');
    addResetAhead(quotas, context);
  },
};

function addResetAhead(quotas: Command, context: CliContext): void {
  quotas
    .command('reset-ahead')
    .description(
      'After the clock was ahead: customers counted in days to come start the present one at zero.',
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
