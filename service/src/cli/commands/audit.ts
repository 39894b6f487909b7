import { verifyAuditChains } from '../../accounts/audit-chain.ts';
import { type CliCommand, CliError } from '../command.ts';
import { addJsonOption } from '../options.ts';

export const command: CliCommand = {
  name: 'audit',
  add(program, context) {
    const audit = program.command('audit').description('Check the audit log');
    const verify = audit
      .command('verify')
      .description('Check that no audit event was changed or deleted, and name the first that was')
      .addHelpText('after', '\nExit codes: 0 intact, 1 an event was changed or is missing.');
    addJsonOption(verify).action(async ({ json }: { json?: boolean }) => {
      const { db, close } = await context.openStore();
      try {
        const report = await verifyAuditChains(db);
        const { events, chains, broken } = report;
        if (json === true) context.stdout(`${JSON.stringify(report, null, 2)}\n`);
        else if (broken === null) {
          context.stdout(`${events} audit events in ${chains} chains are intact\n`);
        }
        if (broken === null) return;
        const { eventId, customerId, reason } = broken;
        const owner = customerId === null ? 'the service' : `customer ${customerId}`;
        throw new CliError(`audit event ${eventId} of ${owner} ${reason}`);
      } finally {
        await close();
      }
    });
  },
};
