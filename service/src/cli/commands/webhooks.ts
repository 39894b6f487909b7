import type { Command } from 'commander';
import { findCustomer, findCustomerByName } from '../../accounts/customers/customer-store.ts';
import { COMMAND_LINE } from '../../accounts/audit-log.ts';
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpointByHand,
  enableEndpointByHand,
} from '../../webhooks/endpoint/endpoint-actions.ts';
import { listEndpoints, loadRecentDeliveries } from '../../webhooks/endpoint/webhook-endpoint.ts';
import { subscribe, unsubscribe } from '../../webhooks/subscription/subscription-actions.ts';
import type { WebhookDeps } from '../../webhooks/webhook-deps.ts';
import { type Random, systemRandom } from '../../platform/random.ts';
import { addJsonOption, printRows, shownInstant } from '../accounts/account-command.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { addDeliveryCommands } from '../webhooks/webhook-deliveries.ts';
import { addSecretCommands } from '../webhooks/webhook-secrets.ts';
import { acted, endpointNamed, withWebhooks } from '../webhooks/webhook-command.ts';

export const command: CliCommand = webhooksCommand(systemRandom());

/** Webhook endpoints, what they are told of, and what was sent to them. */
export function webhooksCommand(random: Random): CliCommand {
  return {
    name: 'webhooks',
    add(program, context) {
      const webhooks = program
        .command('webhooks')
        .description('Webhook endpoints, what they are told of, and what was sent to them.');
      addAdd(webhooks, context, random);
      addList(webhooks, context, random);
      addEnds(webhooks, context, random);
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
    .description('Add an endpoint and print its secret. Nothing is sent until it is subscribed.')
    .requiredOption('--customer <name>', 'whose it is, by name or id')
    .option('--description <text>', 'what it is called');
  type Flags = { customer: string; description?: string; json?: boolean };
  addJsonOption(add).action((url: string, { customer, description, json }: Flags) =>
    withWebhooks(context, random, async (deps) => {
      const customerId = await customerNamed(deps, customer);
      const options = { customerId, url, description };
      const made = acted(await createEndpoint(deps, options, COMMAND_LINE), 'created');
      const { id, secret } = made;
      if (json === true) {
        context.stdout(`${JSON.stringify({ id, customerId, url, secret }, null, 2)}\n`);
        return;
      }
      context.stdout(`${secret}\n`);
      context.stderr(`${id} is added: subscribe it with afterbell webhooks subscribe ${id} …\n`);
    }),
  );
}

function addList(webhooks: Command, context: CliContext, random: Random): void {
  const list = webhooks
    .command('list')
    .description('Endpoints with their state, and how their last deliveries went.')
    .option('--customer <name>', 'only those of one customer');
  addJsonOption(list).action(({ customer, json }: { customer?: string; json?: boolean }) =>
    withWebhooks(context, random, async (deps) => {
      const customerId = customer === undefined ? null : await customerNamed(deps, customer);
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
          lastDeliveryAt: shownInstant(lastDeliveryAt),
          lastSuccessAt: shownInstant(endpoint.lastSuccessAt),
          failingSince: shownInstant(endpoint.failingSince),
        };
      });
      printRows(context, rows, {
        json,
        columns: {
          ID: (row) => row.id,
          STATE: (row) =>
            row.disabledReason === null ? row.state : `${row.state} (${row.disabledReason})`,
          TOLD: (row) => row.subscriptionCount,
          'OF LAST': (row) => `${row.recentDelivered} ok, ${row.recentFailed} failed`,
          'LAST 2XX': (row) => row.lastSuccessAt,
          CUSTOMER: (row) => row.customerId,
          URL: (row) => row.url,
        },
      });
    }),
  );
}

function addEnds(webhooks: Command, context: CliContext, random: Random): void {
  const acts = [
    {
      name: 'disable',
      done: 'is disabled',
      sentence: 'Hold deliveries to an endpoint.',
      act: (
        deps: WebhookDeps,
        of: {
          customerId: string;
          endpointId: string;
        },
      ) =>
        disableEndpointByHand(
          deps,
          {
            ...of,
            reason: 'operator',
          },
          COMMAND_LINE,
        ),
    },
    {
      name: 'enable',
      done: 'is enabled',
      sentence: 'Send to a disabled endpoint again.',
      act: (
        deps: WebhookDeps,
        of: {
          customerId: string;
          endpointId: string;
        },
      ) =>
        enableEndpointByHand(
          deps,
          {
            ...of,
            isOperator: true,
          },
          COMMAND_LINE,
        ),
    },
    {
      name: 'remove',
      done: 'is removed',
      sentence: 'Take an endpoint out for good.',
      act: (
        deps: WebhookDeps,
        of: {
          customerId: string;
          endpointId: string;
        },
      ) => deleteEndpoint(deps, of, COMMAND_LINE),
    },
  ];
  for (const { name, act, done, sentence } of acts) {
    webhooks
      .command(`${name} <endpoint>`)
      .description(sentence)
      .action((endpoint: string) =>
        withWebhooks(context, random, async (deps) => {
          const outcome = await act(deps, await endpointNamed(deps, endpoint));
          if (outcome.kind !== 'unchanged') acted(outcome, 'changed');
          context.stderr(`${endpoint} ${outcome.kind === 'unchanged' ? 'was so before' : done}\n`);
        }),
      );
  }
}

interface SymbolFlags {
  template: string;
  json?: boolean;
}

interface Asked {
  customerId: string;
  endpointId: string;
  templateId: string;
  symbols: string | string[];
}

function addSubscribe(webhooks: Command, context: CliContext, random: Random): void {
  const command = webhooks
    .command('subscribe <endpoint> [symbols...]')
    .description('Tell an endpoint of companies; - reads the symbols from standard input.');
  onSymbols(command, { context, random }, async (deps, asked, json) => {
    const outcome = acted(await subscribe(deps, asked, COMMAND_LINE), 'subscribed');
    const { added, standing, unknown, repeated, refused } = outcome;
    if (json) {
      context.stdout(`${JSON.stringify({ added, standing, unknown, repeated, refused }, null, 2)}
`);
      return;
    }
    context.stdout(`${added} added, ${standing} stood before
`);
    if (unknown.length > 0)
      context.stderr(`not known yet: ${unknown.join(', ')}
`);
    if (refused.length > 0)
      context.stderr(`no symbols: ${refused.join(', ')}
`);
  });
}

function addUnsubscribe(webhooks: Command, context: CliContext, random: Random): void {
  const command = webhooks
    .command('unsubscribe <endpoint> [symbols...]')
    .description('Tell an endpoint no more of companies; - reads them from standard input.');
  onSymbols(command, { context, random }, async (deps, asked, json) => {
    const outcome = acted(await unsubscribe(deps, asked, COMMAND_LINE), 'unsubscribed');
    const { removed, refused } = outcome;
    if (json)
      context.stdout(`${JSON.stringify({ removed, refused }, null, 2)}
`);
    else
      context.stdout(`${removed} removed
`);
  });
}

/** A command about an endpoint, one template and the symbols that are named. */
function onSymbols(
  command: Command,
  { context, random }: { context: CliContext; random: Random },
  act: (deps: WebhookDeps, asked: Asked, json: boolean) => Promise<void>,
): void {
  command.option('--template <id>', 'of what it is told', 'earnings_schedule');
  addJsonOption(command).action((endpoint: string, symbols: string[], flags: SymbolFlags) =>
    withWebhooks(context, random, async (deps) => {
      const of = await endpointNamed(deps, endpoint);
      const read = await readSymbolArguments(symbols, context);
      await act(deps, { ...of, templateId: flags.template, symbols: read }, flags.json === true);
    }),
  );
}

async function readSymbolArguments(
  given: readonly string[],
  context: CliContext,
): Promise<string | string[]> {
  if (given.length !== 1 || given[0] !== '-') return [...given];
  const lines: string[] = [];
  for await (const line of context.stdinLines()) lines.push(line);
  return lines.join('\n');
}

async function customerNamed({ db }: WebhookDeps, named: string): Promise<string> {
  const found = (await findCustomer(db, named)) ?? (await findCustomerByName(db, named));
  if (found === null) throw new CliError(`no customer has the id or name ${named}`);
  return found.id;
}
