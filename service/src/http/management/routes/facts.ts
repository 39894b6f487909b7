import { Type } from 'typebox';
import { type FactPlace, loadFact, placeOf, searchFacts } from '../../../datasets/explore-facts.ts';
import type { Explore } from '../../../datasets/explore.ts';
import { datasets } from '../../../datasets/registry.gen.ts';
import { parseLocalDate } from '../../../domain/local-date.ts';
import { parseSymbol } from '../../../domain/symbol.ts';
import { date, list, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import { foundFactSchema, fullFactSchema, renderFact, renderFound } from '../fact-view.ts';
import { refusedInvalid, refusedNotFound } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';

const PATH = '/operator/v1/facts';

const datasetsRoute = defineRoute({
  name: 'facts-datasets-list',
  method: 'GET',
  path: PATH,
  summary: 'Data sets whose facts can be looked through',
  access: 'data.explore',
  status: 200,
  response: list(
    named('FactDataset', {
      name: text('As in the path.'),
      describe: text('What is in it.'),
    }),
    'By name.',
  ),
  handle() {
    const explored = datasets.filter(({ explore }) => explore !== undefined);
    return Promise.resolve(
      done(
        explored.map(({ name, describe }) => ({
          name,
          describe,
        })),
      ),
    );
  },
});

const listRoute = defineRoute({
  name: 'facts-list',
  method: 'GET',
  path: `${PATH}/{dataset}`,
  summary: 'Facts that stand',
  access: 'data.explore',
  query: Type.Object({
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'A part of a name.',
      }),
    ),
    symbol: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 24,
        description: 'Those about this company.',
      }),
    ),
    date: Type.Optional(date('Those of this day.')),
    before: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 400,
        description: 'The `next` of a page.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 200,
        description: 'Rows of a page; 50 unless given.',
      }),
    ),
  }),
  status: 200,
  response: named('FactPage', {
    facts: list(foundFactSchema, 'The latest days first; facts without days by symbol.'),
    next: nullable(text('Give it as `before` for the page behind this one; null: no more.')),
  }),
  async handle(call) {
    const { deps, query } = call;
    const explore = exploreOf(call.param('dataset'));
    if (explore === null) return refusedNotFound();
    const { search, limit = 50 } = query;
    const symbol = query.symbol === undefined ? undefined : parseSymbol(query.symbol);
    const day = query.date === undefined ? undefined : parseLocalDate(query.date);
    const before = query.before === undefined ? undefined : readPlace(query.before);
    if (symbol === null) return invalid('symbol', 'a ticker symbol');
    if (day === null) return invalid('date', 'a day such as 2026-11-20');
    if (before === null) return invalid('before', '`next` of a page');
    const asked = {
      text: search?.trim(),
      symbol,
      day,
      before,
      limit: limit + 1,
    };
    const found = await searchFacts(deps.db, explore, asked);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const next = found.length > limit && last !== undefined ? writePlace(placeOf(last)) : null;
    return done({
      facts: page.map(renderFound),
      next,
    });
  },
});

const readRoute = defineRoute({
  name: 'facts-read',
  method: 'GET',
  path: `${PATH}/{dataset}/{factId}`,
  summary: 'A fact: who said each field, all that was said, and every version',
  access: 'data.explore',
  status: 200,
  response: fullFactSchema,
  async handle(call) {
    const [dataset, id] = [call.param('dataset'), call.param('factId')];
    const explore = exploreOf(dataset);
    if (explore === null) return refusedNotFound();
    const fact = await loadFact(call.deps.db, dataset, explore, id);
    return fact === null ? refusedNotFound() : done(renderFact(dataset, id, fact));
  },
});

function exploreOf(dataset: string): Explore | null {
  return datasets.find(({ name }) => name === dataset)?.explore ?? null;
}

function invalid(parameter: string, detail: string) {
  return refusedInvalid({ kind: 'invalid', parameter, detail });
}

function writePlace({ first, id }: FactPlace): string {
  return `${first}~${id}`;
}

/** Null when it is none of ours. */
function readPlace(place: string): FactPlace | null {
  const [, first, id] = /^([\w.-]{1,40})~(.{1,300})$/.exec(place) ?? [];
  return first === undefined || id === undefined ? null : { first, id };
}

export const group: RouteGroup = {
  name: 'facts',
  describe: 'The facts themselves: where each comes from, and how it came to be.',
  routes: [datasetsRoute, listRoute, readRoute],
};
