import { Type } from 'typebox';
import { sightOf } from '../data-access.ts';
import { defineRoute, type RouteGroup } from '../route.ts';

const QUERY_LENGTH_MAX = 2_000;

const readRoute = defineRoute({
  name: 'explore-read',
  method: 'GET',
  path: '/account/v1/explore/{endpoint}',
  summary: 'What a read endpoint answers, for people without a key',
  describe:
    'The endpoint is named as in the description of the read interface, such as ' +
    '`calendar-earnings`. The answer is that of the endpoint, letter by letter, with its headers ' +
    '`Link`, `X-Total-Count`, `X-History-From` and so on; the history of the plan holds, its ' +
    'quotas are not touched. A person looks 120 times a minute at most.',
  access: 'data.read',
  withoutCustomer: 'data.explore',
  query: Type.Object({
    query: Type.Optional(
      Type.String({
        maxLength: QUERY_LENGTH_MAX,
        description:
          'Parameters of the endpoint, those of its path too, as one text: `symbol=ACME&limit=8`.',
      }),
    ),
  }),
  status: 200,
  response: Type.Unknown({ description: 'As the endpoint documents it.' }),
  alsoAs: 'text/csv',
  async handle(call) {
    const sight = await sightOf(call);
    if ('refused' in sight) return sight.refused;
    const asked = {
      name: call.param('endpoint'),
      query: call.query.query ?? '',
    };
    const found = await call.deps.explorer.get(asked, sight, call.now);
    if ('refusal' in found)
      return {
        kind: 'refused',
        problem: found.refusal,
      };
    return {
      kind: 'text',
      mediaType: found.mediaType,
      text: found.body,
      headers: found.headers,
    };
  },
});

export const group: RouteGroup = {
  name: 'explore',
  describe: 'The data themselves, for people who look at them on a page.',
  routes: [readRoute],
};
