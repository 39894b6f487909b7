import { type Command, Option } from 'commander';
import { COMMAND_LINE } from '../../accounts/audit-log.ts';
import {
  activateSecret,
  OVERLAP_HOURS,
  OVERLAP_HOURS_MAX,
  prepareSecret,
  revealSecrets,
  withdrawSecret,
} from '../../webhooks/secret/secret-actions.ts';
import type { Random } from '../../platform/random.ts';
import { addJsonOption, printRows, shownInstant } from '../accounts/account-command.ts';
import { type CliContext, CliError } from '../command.ts';
import { acted, endpointNamed, withWebhooks } from './webhook-command.ts';

/** `webhooks secret`: shown, and changed in two steps. */
export function addSecretCommands(webhooks: Command, context: CliContext, random: Random): void {
  const secret = webhooks
    .command('secret')
    .description('The secrets that sign for an endpoint, and how they are changed.');
  addShow(secret, context, random);
  addPrepare(secret, context, random);
  addActivate(secret, context, random);
  secret
    .command('withdraw <endpoint>')
    .description('Take a prepared secret back.')
    .action((endpoint: string) =>
      withWebhooks(context, random, async (deps) => {
        const of = await endpointNamed(deps, endpoint);
        acted(await withdrawSecret(deps, of, COMMAND_LINE), 'changed');
        context.stderr(`the prepared secret of ${endpoint} is gone\n`);
      }),
    );
}

function addShow(secret: Command, context: CliContext, random: Random): void {
  const show = secret
    .command('show <endpoint>')
    .description('Print the secrets of an endpoint; the audit keeps that it was done.');
  addJsonOption(show).action((endpoint: string, { json }: { json?: boolean }) =>
    withWebhooks(context, random, async (deps) => {
      const of = await endpointNamed(deps, endpoint);
      const { secrets } = acted(await revealSecrets(deps, of, COMMAND_LINE), 'revealed');
      const rows = secrets.map((one) => ({
        role: one.role,
        secret: one.secret,
        createdAt: shownInstant(one.createdAt),
        expiresAt: shownInstant(one.expiresAt),
      }));
      printRows(context, rows, {
        json,
        columns: {
          ROLE: (row) => row.role,
          ENDS: (row) => row.expiresAt,
          SECRET: (row) => row.secret,
        },
      });
    }),
  );
}

function addPrepare(secret: Command, context: CliContext, random: Random): void {
  const prepare = secret
    .command('prepare <endpoint>')
    .description('First step of a change: print the next secret, which signs beside from now on.');
  addJsonOption(prepare).action((endpoint: string, { json }: { json?: boolean }) =>
    withWebhooks(context, random, async (deps) => {
      const of = await endpointNamed(deps, endpoint);
      const prepared = acted(await prepareSecret(deps, of, COMMAND_LINE), 'prepared');
      const shown = { secret: prepared.secret };
      context.stdout(json === true ? `${JSON.stringify(shown, null, 2)}\n` : `${shown.secret}\n`);
    }),
  );
}

function addActivate(secret: Command, context: CliContext, random: Random): void {
  const activate = secret
    .command('activate <endpoint>')
    .description('Second step: the next secret signs, and the old one beside it for a while.')
    .addOption(
      new Option('--overlap <hours>', `0 to ${OVERLAP_HOURS_MAX}`)
        .default(OVERLAP_HOURS)
        .argParser(readHours),
    );
  type Flags = { overlap: number; json?: boolean };
  addJsonOption(activate).action((endpoint: string, { overlap, json }: Flags) =>
    withWebhooks(context, random, async (deps) => {
      const options = { ...(await endpointNamed(deps, endpoint)), overlapHours: overlap };
      const outcome = acted(await activateSecret(deps, options, COMMAND_LINE), 'activated');
      const previousEndsAt = shownInstant(outcome.previousEndsAt);
      if (json === true) context.stdout(`${JSON.stringify({ previousEndsAt }, null, 2)}\n`);
      else context.stderr(`the old secret ends ${previousEndsAt ?? 'now'}\n`);
    }),
  );
}

function readHours(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new CliError(`--overlap takes hours, 0 to ${OVERLAP_HOURS_MAX}`);
}
