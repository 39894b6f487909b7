import { Option } from 'commander';
import { claimSandbox, sandboxOptions } from '../../app/store-kind.ts';
import { COMMAND_LINE, recordAuditEvent } from '../../accounts/audit-log.ts';
import { changeSandbox } from '../../ingest/change-sandbox.ts';
import { CHANGEABLE_FIELDS, type ChangeableField } from '../../providers/sandbox/change-report.ts';
import { readMarker } from '../../storage/marker.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { addJsonOption } from '../options.ts';

interface Flags {
  field: ChangeableField;
  json?: boolean;
}

export const command: CliCommand = {
  name: 'sandbox',
  add(program, context) {
    const sandbox = program
      .command('sandbox')
      .description('Change the simulated market of a sandbox');
    const change = sandbox
      .command('change <symbol>')
      .description("Change a field of a company's next report, so that webhooks fire")
      .addOption(
        new Option('--field <field>', 'Field to change')
          .choices(CHANGEABLE_FIELDS)
          .default('date' satisfies ChangeableField),
      );
    addJsonOption(change).action((symbol: string, flags: Flags) => run(context, symbol, flags));
  },
};

async function run(context: CliContext, text: string, { field, json }: Flags): Promise<void> {
  const { clock } = context;
  const { db, close } = await context.openStore();
  try {
    if ((await readMarker(db, 'kind')) !== 'sandbox') {
      throw new CliError('this store has real data; only the data of a sandbox can be changed');
    }
    const settings = context.settings();
    await claimSandbox(db, settings);
    const symbol = text.toUpperCase();
    const onCommit = () => undefined;
    const request = { symbol, field };
    const change = await changeSandbox({ db, clock, onCommit }, sandboxOptions(settings), request);
    if (change === null) throw new CliError(`${symbol} has no report to change`);
    if (change.before === change.after) {
      throw new CliError(`${symbol} has just reported, so its estimates are final`);
    }
    await db.transaction((tx) =>
      recordAuditEvent(tx, {
        actor: COMMAND_LINE,
        at: clock.now(),
        action: 'sandbox.change',
        subject: symbol,
        customerId: null,
        details: { field },
      }),
    );
    const { before, after } = change;
    context.stdout(
      json === true
        ? `${JSON.stringify({ symbol, field, ...change }, null, 2)}\n`
        : `${symbol} ${field}: ${before ?? 'unknown'} → ${after ?? 'unknown'}\n`,
    );
  } finally {
    await close();
  }
}
