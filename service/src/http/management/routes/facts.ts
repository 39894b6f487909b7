import { Type } from 'typebox';
import {
  type FactCursor,
  loadFact,
  cursorOf,
  searchFacts,
} from '../../../datasets/explore-facts.ts';
import type { Explore } from '../../../datasets/explore.ts';
import { datasets } from '../../../datasets/registry.gen.ts';
import { parseLocalDate } from '../../../domain/local-date.ts';
import { parseSymbol } from '../../../domain/symbol.ts';
import { list, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import {
  factSummarySchema,
  factDetailSchema,
  renderFact,
  renderFactSummary,
} from '../fact-view.ts';
import { rejectInvalid, rejectNotFound } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';
import { dayText, nextText, symbolText } from '../described-text.ts';

const PATH = '/operator/v1/facts';

const datasetsRoute = defineRoute({
  name: 'facts-datasets-list',
  method: 'GET',
  path: PATH,
  summary: 'List browsable data sets',
  access: 'data.explore',
  status: 200,
  response: list(
    named('FactDataset', {
      name: text('Name, as used in the path.'),
      describe: text('Description.'),
    }),
    'Ordered by name.',
  ),
  handle() {
    const browsable = datasets.filter(({ explore }) => explore !== undefined);
    return Promise.resolve(done(browsable.map(({ name, describe }) => ({ name, describe }))));
  },
});

/** Sort key of the last fact of a page, and its id. */
const CURSOR = /^([\w.-]{1,40})~(.{1,300})$/;

const listRoute = defineRoute({
  name: 'facts-list',
  method: 'GET',
  path: `${PATH}/{dataset}`,
  summary: 'List current facts',
  access: 'data.explore',
  query: Type.Object({
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Only facts whose name contains this text.',
      }),
    ),
    symbol: Type.Optional(symbolText('Only facts about this symbol.')),
    date: Type.Optional(dayText('Only facts of this date.')),
    before: Type.Optional(nextText(CURSOR)),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 200,
        description: 'Page size; 50 by default.',
      }),
    ),
  }),
  status: 200,
  response: named('FactPage', {
    facts: list(
      factSummarySchema,
      'Latest date first; facts without a date are ordered by symbol.',
    ),
    next: nullable(text('Pass as `before` to get the next page; null on the last page.')),
  }),
  async handle(call) {
    const { deps, query } = call;
    const explore = exploreOf(call.param('dataset'));
    if (explore === null) return rejectNotFound();
    const { search, limit = 50 } = query;
    const symbol = query.symbol === undefined ? undefined : parseSymbol(query.symbol);
    const day = query.date === undefined ? undefined : parseLocalDate(query.date);
    const before = query.before === undefined ? undefined : parseCursor(query.before);
    if (symbol === null) return rejectInvalid('symbol', 'must be a ticker symbol');
    if (day === null) return rejectInvalid('date', 'must be a date such as 2026-11-20');
    if (before === null || (before !== undefined && !isCursorFor(explore, before))) {
      return rejectInvalid('before', 'must be the `next` value of a page');
    }
    const filters = { text: search?.trim(), symbol, day, before, limit: limit + 1 };
    const rows = await searchFacts(deps.db, explore, filters);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const next = rows.length > limit && last !== undefined ? formatCursor(cursorOf(last)) : null;
    return done({ facts: page.map(renderFactSummary), next });
  },
});

const readRoute = defineRoute({
  name: 'facts-read',
  method: 'GET',
  path: `${PATH}/{dataset}/{factId}`,
  summary: 'Retrieve a fact',
  describe: 'Includes the source of each field, all observations and the version history.',
  access: 'data.explore',
  status: 200,
  response: factDetailSchema,
  async handle(call) {
    const dataset = call.param('dataset');
    const explore = exploreOf(dataset);
    if (explore === null) return rejectNotFound();
    const id = call.param('factId');
    const fact = await loadFact(call.deps.db, dataset, explore, id);
    return fact === null ? rejectNotFound() : done(renderFact(dataset, id, fact));
  },
});

function exploreOf(dataset: string): Explore | null {
  return datasets.find(({ name }) => name === dataset)?.explore ?? null;
}

function formatCursor({ first, id }: FactCursor): string {
  return `${first}~${id}`;
}

/** Returns true unless the data set is sorted by day and the cursor has none. */
function isCursorFor({ day }: Explore, { first }: FactCursor): boolean {
  return day === null || parseLocalDate(first) !== null;
}

/** Parses a cursor. Returns null if it is invalid. */
function parseCursor(cursor: string): FactCursor | null {
  const [, first, id] = CURSOR.exec(cursor) ?? [];
  return first === undefined || id === undefined ? null : { first, id };
}

export const group: RouteGroup = {
  name: 'facts',
  describe: 'Stored facts with their provenance, observations and version history.',
  routes: [datasetsRoute, listRoute, readRoute],
};
