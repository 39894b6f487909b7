import { Type } from 'typebox';
import {
  findWatchlist,
  listWatchlists,
  loadWatchlistMembers,
  type Watchlist,
  type WatchlistMember,
} from '../../../accounts/watchlists/watchlist-store.ts';
import { parseWatchlistName } from '../../../domain/watchlist-name.ts';
import { instant, integer, list, named, text } from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import {
  patchWatchlist,
  putWatchlist,
  removeWatchlist,
  type SaveOutcome,
} from '../../../watchlists/watchlist-actions.ts';
import { reject, rejectNotFound, webhookRejection } from '../refusals.ts';
import { type CallResult, defineRoute, done, type RouteGroup } from '../route.ts';

const PATH = '/account/v1/watchlists';
const ONE = `${PATH}/{name}`;

const summaryFields = {
  name: text('Name, in lower case. Use the list as `symbols=@name`.'),
  size: integer('Number of companies.'),
  createdAt: instant('Time of creation.'),
  updatedAt: instant('Time of the last change of companies.'),
};

const watchlistSchema = named('Watchlist', {
  ...summaryFields,
  symbols: list(text('Ticker symbol.'), 'Current symbols of the companies, sorted.'),
});

const SYMBOLS = Type.Union([Type.String(), Type.Array(Type.String())], {
  description:
    'Ticker symbols: an array, or text with symbols separated by commas, spaces or line breaks.',
});

const listRoute = defineRoute({
  name: 'watchlists-list',
  method: 'GET',
  path: PATH,
  summary: 'List watchlists',
  access: 'watchlists.read',
  status: 200,
  response: list(named('WatchlistSummary', summaryFields), 'Ordered by name.'),
  async handle({ deps, customerId }) {
    return done((await listWatchlists(deps.db, customerId)).map(summaryOf));
  },
});

const readRoute = defineRoute({
  name: 'watchlists-read',
  method: 'GET',
  path: ONE,
  summary: 'Get a watchlist',
  access: 'watchlists.read',
  status: 200,
  response: watchlistSchema,
  async handle({ deps, customerId, param }) {
    const name = parseWatchlistName(param('name'));
    const watchlist = name === null ? null : await findWatchlist(deps.db, customerId, name);
    if (watchlist === null) return rejectNotFound();
    return done(render(watchlist, await loadWatchlistMembers(deps.db, watchlist.id)));
  },
});

const putRoute = defineRoute({
  name: 'watchlists-upsert',
  method: 'PUT',
  path: ONE,
  summary: 'Create or replace a watchlist',
  describe:
    'A company stays on the list when its symbol changes. Webhook subscriptions follow the list ' +
    'at once. If a symbol is unknown, nothing is saved. ' +
    'The plan limits the number of watchlists and of companies on each.',
  access: 'watchlists.change',
  body: Type.Object({ symbols: SYMBOLS }),
  status: 200,
  response: watchlistSchema,
  async handle({ deps, customerId, param, body, actor }) {
    const key = { customerId, name: param('name') };
    return resultOf(await putWatchlist(deps, { ...key, ...body }, actor));
  },
});

const patchRoute = defineRoute({
  name: 'watchlists-update',
  method: 'PATCH',
  path: ONE,
  summary: 'Add or remove companies',
  describe:
    'Both changes apply together. Removing a company that is not on the list has no effect.',
  access: 'watchlists.change',
  body: Type.Object({ add: Type.Optional(SYMBOLS), remove: Type.Optional(SYMBOLS) }),
  status: 200,
  response: watchlistSchema,
  async handle({ deps, customerId, param, body, actor }) {
    const key = { customerId, name: param('name') };
    return resultOf(await patchWatchlist(deps, { ...key, ...body }, actor));
  },
});

const removeRoute = defineRoute({
  name: 'watchlists-delete',
  method: 'DELETE',
  path: ONE,
  summary: 'Delete a watchlist',
  describe: 'Refused while webhook endpoints subscribe to it.',
  access: 'watchlists.change',
  status: 204,
  response: null,
  async handle({ deps, customerId, param, actor }) {
    const outcome = await removeWatchlist(deps, { customerId, name: param('name') }, actor);
    return outcome.kind === 'removed' ? done() : resultOf(outcome);
  },
});

export const group: RouteGroup = {
  name: 'watchlists',
  describe: 'Named lists of companies for `symbols=@name` and webhook subscriptions.',
  routes: [listRoute, readRoute, putRoute, patchRoute, removeRoute],
};

function resultOf(outcome: SaveOutcome): CallResult {
  if (outcome.kind === 'saved') return done(render(outcome.watchlist, outcome.members));
  if (outcome.kind !== 'invalid-symbols') return webhookRejection(outcome);
  const { parameter, unknown, invalid } = outcome;
  const detail = `No company has the symbol ${[...unknown, ...invalid].slice(0, 10).join(', ')}.`;
  return reject('invalid-symbol', detail, { parameter, unknown, invalid });
}

function render(watchlist: Watchlist, members: readonly WatchlistMember[]) {
  const { length: size } = members;
  return { ...summaryOf({ ...watchlist, size }), symbols: members.map(({ symbol }) => symbol) };
}

function summaryOf({ name, size, createdAt, updatedAt }: Watchlist) {
  return {
    name,
    size,
    createdAt: formatInstant(createdAt),
    updatedAt: formatInstant(updatedAt),
  };
}
