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
import { expectKind } from '../accounts/account-command.ts';
import { type CliContext, CliError } from '../command.ts';
import { addJsonOption } from '../options.ts';
import { formatInstantOrNull, printRows } from '../print-rows.ts';
import { requireEndpoint, withWebhooks } from './webhook-command.ts';

/** Adds `webhooks secret`, which shows secrets and rotates them in two steps. */
export function addSecretCommands(webhooks: Command, context: CliContext, random: Random): void {
  const secret = webhooks
    .command('secret')
    .description('Show and rotate the signing secrets of an endpoint');
  addShow(secret, context, random);
  addPrepare(secret, context, random);
  addActivate(secret, context, random);
  secret
    .command('withdraw <endpoint>')
    .description('Discard a prepared secret')
    .action((endpointId: string) =>
      withWebhooks(context, random, async (deps) => {
        const endpoint = await requireEndpoint(deps, endpointId);
        expectKind(await withdrawSecret(deps, endpoint, COMMAND_LINE), 'changed');
        context.stderr(`Discarded the prepared secret of ${endpointId}\n`);
      }),
    );
}

function addShow(secret: Command, context: CliContext, random: Random): void {
  const show = secret
    .command('show <endpoint>')
    .description('Print the secrets of an endpoint; recorded in the audit log');
  addJsonOption(show).action((endpointId: string, { json }: { json?: boolean }) =>
    withWebhooks(context, random, async (deps) => {
      const endpoint = await requireEndpoint(deps, endpointId);
      const { secrets } = expectKind(await revealSecrets(deps, endpoint, COMMAND_LINE), 'revealed');
      const rows = secrets.map(({ role, secret, createdAt, expiresAt }) => ({
        role,
        secret,
        createdAt: formatInstantOrNull(createdAt),
        expiresAt: formatInstantOrNull(expiresAt),
      }));
      printRows(context, rows, {
        json,
        columns: {
          ROLE: (row) => row.role,
          EXPIRES: (row) => row.expiresAt,
          SECRET: (row) => row.secret,
        },
      });
    }),
  );
}

function addPrepare(secret: Command, context: CliContext, random: Random): void {
  const prepare = secret
    .command('prepare <endpoint>')
    .description('Start a rotation: print the next secret, which now signs as well');
  addJsonOption(prepare).action((endpointId: string, { json }: { json?: boolean }) =>
    withWebhooks(context, random, async (deps) => {
      const endpoint = await requireEndpoint(deps, endpointId);
      const outcome = await prepareSecret(deps, endpoint, COMMAND_LINE);
      const { secret: next } = expectKind(outcome, 'prepared');
      const result = { secret: next };
      context.stdout(json === true ? `${JSON.stringify(result, null, 2)}\n` : `${next}\n`);
    }),
  );
}

function addActivate(secret: Command, context: CliContext, random: Random): void {
  const activate = secret
    .command('activate <endpoint>')
    .description('Finish a rotation: make the next secret the current one')
    .addOption(
      new Option(
        '--overlap <hours>',
        `Hours in which the old secret also signs, 0 to ${OVERLAP_HOURS_MAX}`,
      )
        .default(OVERLAP_HOURS)
        .argParser(readHours),
    );
  type Flags = { overlap: number; json?: boolean };
  addJsonOption(activate).action((endpointId: string, { overlap, json }: Flags) =>
    withWebhooks(context, random, async (deps) => {
      const options = { ...(await requireEndpoint(deps, endpointId)), overlapHours: overlap };
      const outcome = expectKind(await activateSecret(deps, options, COMMAND_LINE), 'activated');
      const previousEndsAt = formatInstantOrNull(outcome.previousEndsAt);
      if (json === true) context.stdout(`${JSON.stringify({ previousEndsAt }, null, 2)}\n`);
      else
        context.stderr(
          `The old secret expires ${previousEndsAt === null ? 'now' : `at ${previousEndsAt}`}\n`,
        );
    }),
  );
}

function readHours(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new CliError(`--overlap must be a number of hours from 0 to ${OVERLAP_HOURS_MAX}`);
}
