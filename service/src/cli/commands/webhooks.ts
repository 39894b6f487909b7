import { type Command, Option } from 'commander';
import { COMMAND_LINE } from '../../accounts/audit-log.ts';
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpointManually,
  enableEndpointManually,
} from '../../webhooks/endpoint/endpoint-actions.ts';
import { listEndpoints, loadRecentDeliveries } from '../../webhooks/endpoint/webhook-endpoint.ts';
import { subscribe, unsubscribe } from '../../webhooks/subscription/subscription-actions.ts';
import { PAYLOAD_FORMATS, type PayloadFormat } from '../../webhooks/message/payload.ts';
import type { WebhookDeps } from '../../webhooks/webhook-deps.ts';
import { type Random, systemRandom } from '../../platform/random.ts';
import { expectKind, requireCustomer } from '../accounts/account-command.ts';
import type { CliCommand, CliContext } from '../command.ts';
import { addJsonOption } from '../options.ts';
import { formatInstantOrNull, printRows } from '../print-rows.ts';
import { addDeliveryCommands } from '../webhooks/webhook-deliveries.ts';
import { addSecretCommands } from '../webhooks/webhook-secrets.ts';
import { requireEndpoint, withWebhooks } from '../webhooks/webhook-command.ts';

export const command: CliCommand = webhooksCommand(systemRandom());

export function webhooksCommand(random: Random): CliCommand {
  return {
    name: 'webhooks',
    add(program, context) {
      const webhooks = program
        .command('webhooks')
        .description('Manage webhook endpoints, subscriptions and deliveries');
      addAdd(webhooks, context, random);
      addList(webhooks, context, random);
      addStateChanges(webhooks, context, random);
      addSubscribe(webhooks, context, random);
      addUnsubscribe(webhooks, context, random);
      addDeliveryCommands(webhooks, context, random);
      addSecretCommands(webhooks, context, random);
    },
  };
}

function addAdd(webhooks: Command, context: CliContext, random: Random): void {
  const add = webhooks
    .command('add <url>')
    .description('Add a webhook endpoint and print its secret')
    .requiredOption('--customer <name>', 'Customer that owns the endpoint, by name or ID')
    .option('--description <text>', 'Description of the endpoint')
    .option('--standard-webhooks', 'Also send the headers of Standard Webhooks')
    .addOption(
      new Option('--format <format>', 'Form of the request body').choices(PAYLOAD_FORMATS),
    );
  type Flags = {
    customer: string;
    description?: string;
    standardWebhooks?: boolean;
    format?: PayloadFormat;
    json?: boolean;
  };
  addJsonOption(add).action((url: string, flags: Flags) =>
    withWebhooks(context, random, async (deps) => {
      const { customer, description, standardWebhooks, format: payloadFormat, json } = flags;
      const { id: customerId } = await requireCustomer(deps.db, customer);
      const options = { customerId, url, description, standardWebhooks, payloadFormat };
      const outcome = await createEndpoint(deps, options, COMMAND_LINE);
      const { id, secret } = expectKind(outcome, 'created');
      if (json === true) {
        context.stdout(`${JSON.stringify({ id, customerId, url, secret }, null, 2)}\n`);
        return;
      }
      context.stdout(`${secret}\n`);
      context.stderr(`Added ${id}. Subscribe it with: afterbell webhooks subscribe ${id} …\n`);
    }),
  );
}

function addList(webhooks: Command, context: CliContext, random: Random): void {
  const list = webhooks
    .command('list')
    .description('List webhook endpoints with their state and recent deliveries')
    .option('--customer <name>', 'Only endpoints of this customer, by name or ID');
  addJsonOption(list).action(({ customer, json }: { customer?: string; json?: boolean }) =>
    withWebhooks(context, random, async (deps) => {
      const customerId =
        customer === undefined ? null : (await requireCustomer(deps.db, customer)).id;
      const endpoints = await listEndpoints(deps.db, customerId);
      const ids = endpoints.map(({ id }) => id);
      const recent = await loadRecentDeliveries(deps.db, ids);
      const rows = endpoints.map((endpoint) => {
        const { delivered = 0, failed = 0, lastDeliveryAt = null } = recent.get(endpoint.id) ?? {};
        const { id, url, description, isDev, disabledReason, subscriptionCount } = endpoint;
        return {
          id,
          customerId: endpoint.customerId,
          url,
          description,
          isDev,
          state: endpoint.disabledAt === null ? 'enabled' : 'disabled',
          disabledReason,
          subscriptionCount,
          recentDelivered: delivered,
          recentFailed: failed,
          createdBy: endpoint.createdBy,
          lastDeliveryAt: formatInstantOrNull(lastDeliveryAt),
          lastSuccessAt: formatInstantOrNull(endpoint.lastSuccessAt),
          failingSince: formatInstantOrNull(endpoint.failingSince),
        };
      });
      printRows(context, rows, {
        json,
        columns: {
          ID: (row) => row.id,
          STATE: (row) =>
            row.disabledReason === null ? row.state : `${row.state} (${row.disabledReason})`,
          SUBSCRIPTIONS: (row) => row.subscriptionCount,
          'RECENT DELIVERIES': (row) => `${row.recentDelivered} ok, ${row.recentFailed} failed`,
          'LAST SUCCESS': (row) => row.lastSuccessAt,
          'CREATED BY': (row) => row.createdBy?.label ?? null,
          CUSTOMER: (row) => row.customerId,
          URL: (row) => row.url,
        },
      });
    }),
  );
}

interface StateChange {
  name: string;
  past: string;
  summary: string;
  change(
    deps: WebhookDeps,
    endpoint: { customerId: string; endpointId: string },
  ): ReturnType<typeof deleteEndpoint> | ReturnType<typeof enableEndpointManually>;
}

const STATE_CHANGES: readonly StateChange[] = [
  {
    name: 'disable',
    past: 'disabled',
    summary: 'Disable an endpoint and hold its deliveries',
    change: (deps, endpoint) =>
      disableEndpointManually(deps, { ...endpoint, reason: 'operator' }, COMMAND_LINE),
  },
  {
    name: 'enable',
    past: 'enabled',
    summary: 'Enable a disabled endpoint',
    change: (deps, endpoint) =>
      enableEndpointManually(deps, { ...endpoint, isOperator: true }, COMMAND_LINE),
  },
  {
    name: 'remove',
    past: 'removed',
    summary: 'Permanently remove an endpoint',
    change: (deps, endpoint) => deleteEndpoint(deps, endpoint, COMMAND_LINE),
  },
];

function addStateChanges(webhooks: Command, context: CliContext, random: Random): void {
  for (const { name, change, past, summary } of STATE_CHANGES) {
    webhooks
      .command(`${name} <endpoint>`)
      .description(summary)
      .action((endpointId: string) =>
        withWebhooks(context, random, async (deps) => {
          const outcome = await change(deps, await requireEndpoint(deps, endpointId));
          const isUnchanged = outcome.kind === 'unchanged';
          if (!isUnchanged) expectKind(outcome, 'changed');
          context.stderr(`${endpointId} ${isUnchanged ? 'was already' : 'is now'} ${past}\n`);
        }),
      );
  }
}

interface SymbolsInput {
  customerId: string;
  endpointId: string;
  templateId: string;
  symbols: string | string[];
}

function addSubscribe(webhooks: Command, context: CliContext, random: Random): void {
  const command = webhooks
    .command('subscribe <endpoint> [symbols...]')
    .description('Subscribe an endpoint to symbols; - reads them from standard input');
  addSymbolsAction(command, { context, random }, async (deps, input, json) => {
    const outcome = expectKind(await subscribe(deps, input, COMMAND_LINE), 'subscribed');
    const { added, standing, unknown, repeated, refused } = outcome;
    if (json) {
      const result = { added, standing, unknown, repeated, refused };
      context.stdout(`${JSON.stringify(result, null, 2)}\n`);
      return;
    }
    context.stdout(`${added} added, ${standing} already subscribed\n`);
    if (unknown.length > 0) context.stderr(`Not known yet: ${unknown.join(', ')}\n`);
    if (refused.length > 0) context.stderr(`Invalid symbols: ${refused.join(', ')}\n`);
  });
}

function addUnsubscribe(webhooks: Command, context: CliContext, random: Random): void {
  const command = webhooks
    .command('unsubscribe <endpoint> [symbols...]')
    .description('Unsubscribe an endpoint from symbols; - reads them from standard input');
  addSymbolsAction(command, { context, random }, async (deps, input, json) => {
    const outcome = expectKind(await unsubscribe(deps, input, COMMAND_LINE), 'unsubscribed');
    const { removed, refused } = outcome;
    context.stdout(
      json ? `${JSON.stringify({ removed, refused }, null, 2)}\n` : `${removed} removed\n`,
    );
  });
}

/**
 * Sets the action for a command whose arguments are an endpoint, a template and a list of symbols.
 */
function addSymbolsAction(
  command: Command,
  { context, random }: { context: CliContext; random: Random },
  action: (deps: WebhookDeps, input: SymbolsInput, json: boolean) => Promise<void>,
): void {
  command.option('--template <id>', 'Webhook template', 'earnings_schedule');
  type Flags = { template: string; json?: boolean };
  addJsonOption(command).action((endpointId: string, words: string[], flags: Flags) =>
    withWebhooks(context, random, async (deps) => {
      const endpoint = await requireEndpoint(deps, endpointId);
      const symbols = await readSymbols(words, context);
      const input = { ...endpoint, templateId: flags.template, symbols };
      await action(deps, input, flags.json === true);
    }),
  );
}

async function readSymbols(
  words: readonly string[],
  context: CliContext,
): Promise<string | string[]> {
  if (words.length !== 1 || words[0] !== '-') return [...words];
  const lines: string[] = [];
  for await (const line of context.stdinLines()) lines.push(line);
  return lines.join('\n');
}
