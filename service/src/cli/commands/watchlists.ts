import type { Command } from 'commander';
import { COMMAND_LINE } from '../../accounts/audit-log.ts';
import {
  findWatchlist,
  listWatchlists,
  loadWatchlistMembers,
} from '../../accounts/watchlists/watchlist-store.ts';
import { parseWatchlistName } from '../../domain/watchlist-name.ts';
import { type Random, systemRandom } from '../../platform/random.ts';
import {
  patchWatchlist,
  putWatchlist,
  removeWatchlist,
  type SaveOutcome,
  type WatchlistKey,
} from '../../watchlists/watchlist-actions.ts';
import type { WebhookDeps } from '../../webhooks/webhook-deps.ts';
import { expectKind, requireCustomer } from '../accounts/account-command.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { addJsonOption } from '../options.ts';
import { formatInstantOrNull, printRows } from '../print-rows.ts';
import { withWebhooks } from '../webhooks/webhook-command.ts';

export const command: CliCommand = watchlistsCommand(systemRandom());

export function watchlistsCommand(random: Random): CliCommand {
  return {
    name: 'watchlists',
    add(program, context) {
      const watchlists = program
        .command('watchlists')
        .description('Manage watchlists, used in requests as symbols=@name');
      addList(watchlists, context, random);
      addShow(watchlists, context, random);
      for (const change of CHANGES) addChange(watchlists, change, context, random);
      addDelete(watchlists, context, random);
    },
  };
}

function addList(watchlists: Command, context: CliContext, random: Random): void {
  const list = withCustomer(watchlists.command('list').description('List watchlists'));
  addJsonOption(list).action(({ customer, json }: { customer: string; json?: boolean }) =>
    withWebhooks(context, random, async ({ db }) => {
      const { id } = await requireCustomer(db, customer);
      const rows = (await listWatchlists(db, id)).map(({ name, size, updatedAt }) => ({
        name,
        size,
        updatedAt: formatInstantOrNull(updatedAt),
      }));
      printRows(context, rows, {
        json,
        columns: {
          NAME: (row) => row.name,
          COMPANIES: (row) => row.size,
          UPDATED: (row) => row.updatedAt,
        },
      });
    }),
  );
}

function addShow(watchlists: Command, context: CliContext, random: Random): void {
  withCustomer(
    watchlists.command('show <name>').description('Print the symbols on a watchlist, one per line'),
  ).action((text: string, { customer }: { customer: string }) =>
    withWebhooks(context, random, async ({ db }) => {
      const { id } = await requireCustomer(db, customer);
      const name = parseWatchlistName(text);
      const watchlist = name === null ? null : await findWatchlist(db, id, name);
      if (watchlist === null) throw new CliError(`no watchlist has the name ${text}`);
      const members = await loadWatchlistMembers(db, watchlist.id);
      for (const { symbol } of members) context.stdout(`${symbol}\n`);
    }),
  );
}

interface Change {
  name: string;
  summary: string;
  apply(deps: WebhookDeps, key: WatchlistKey, symbols: string[]): Promise<SaveOutcome>;
}

const CHANGES: readonly Change[] = [
  {
    name: 'set',
    summary: 'Create a watchlist, or replace the companies on it',
    apply: (deps, key, symbols) => putWatchlist(deps, { ...key, symbols }, COMMAND_LINE),
  },
  {
    name: 'add',
    summary: 'Add companies to a watchlist',
    apply: (deps, key, add) => patchWatchlist(deps, { ...key, add }, COMMAND_LINE),
  },
  {
    name: 'remove',
    summary: 'Remove companies from a watchlist',
    apply: (deps, key, remove) => patchWatchlist(deps, { ...key, remove }, COMMAND_LINE),
  },
];

function addChange(
  watchlists: Command,
  { name: verb, summary, apply }: Change,
  context: CliContext,
  random: Random,
): void {
  withCustomer(watchlists.command(`${verb} <name> [symbols...]`).description(summary)).action(
    (name: string, symbols: string[], { customer }: { customer: string }) =>
      withWebhooks(context, random, async (deps) => {
        const { id: customerId } = await requireCustomer(deps.db, customer);
        const outcome = await apply(deps, { customerId, name }, symbols);
        if (outcome.kind === 'invalid-symbols') {
          const words = [...outcome.unknown, ...outcome.invalid].join(', ');
          throw new CliError(`no company has the symbol ${words}; nothing was changed`);
        }
        const { watchlist } = expectKind(outcome, 'saved', {
          'not-found': `no watchlist has the name ${name}`,
        });
        context.stderr(`@${watchlist.name} has ${watchlist.size} companies\n`);
      }),
  );
}

function addDelete(watchlists: Command, context: CliContext, random: Random): void {
  withCustomer(
    watchlists
      .command('delete <name>')
      .description('Delete a watchlist that no webhook endpoint subscribes to'),
  ).action((name: string, { customer }: { customer: string }) =>
    withWebhooks(context, random, async (deps) => {
      const { id: customerId } = await requireCustomer(deps.db, customer);
      expectKind(await removeWatchlist(deps, { customerId, name }, COMMAND_LINE), 'removed', {
        'not-found': `no watchlist has the name ${name}`,
      });
      context.stderr(`Deleted @${name}\n`);
    }),
  );
}

function withCustomer(command: Command): Command {
  return command.requiredOption('--customer <name>', 'Customer that owns the list, by name or ID');
}
