import type { Names } from './names.ts';
import type { Skeleton } from './skeleton.ts';

export const endpointSkeleton: Skeleton = {
  kind: 'endpoint',
  files: (names) =>
    new Map([
      [`service/src/endpoints/${names.kebab}.ts`, endpointFile(names)],
      [`service/src/endpoints/${names.kebab}.test.ts`, testFile(names)],
    ]),
  next: (names) => [
    `Describe the parameters and the response in service/src/endpoints/${names.kebab}.ts.`,
    'Read the rows from the store of a data set, and list the topics that invalidate the response.',
    'Add it to the table of endpoints in README.md.',
    'Run npm run gen to update the registry and the OpenAPI document, then run npm run check.',
  ],
};

function endpointFile({ kebab, camel, pascal, title }: Names): string {
  return `import { topics } from '../datasets/topics.gen.ts';
import { type BodyOf, named, symbol } from './schema/fields.ts';
import type { Endpoint, EndpointResponse, Values } from './endpoint.ts';

const ${camel}Schema = named('${pascal}', { symbol: symbol() });

type ${pascal}Body = BodyOf<typeof ${camel}Schema>;

/** \`GET /v1/${kebab}?symbol=\` */
export const endpoint: Endpoint = {
  name: '${kebab}',
  path: '/v1/${kebab}',
  summary: '${title}',
  describe: '${title} of one symbol.',
  tag: 'companies',
  parameters: [
    { name: 'symbol', in: 'query', required: true, describe: 'Ticker symbol.', kind: 'symbol' },
  ],
  response: ${camel}Schema,
  example: { symbol: 'ACME' } satisfies ${pascal}Body,
  datasets: ['profiles'],
  historicalAccess: false,
  topics: (values) => [topics.profiles.symbol(values.symbol('symbol'))],
  maxAgeSeconds: () => 300,
  handle: (values) => Promise.resolve(respond(values)),
};

function respond(values: Values): EndpointResponse {
  const body: ${pascal}Body = { symbol: values.symbol('symbol') };
  return { kind: 'body', body, asOf: null };
}
`;
}

function testFile({ kebab }: Names): string {
  return `import { expect, test } from 'vitest';
import { parameterValues } from '../../test/support/parameter-values.ts';
import type { Queryable } from '../storage/db.ts';
import { endpoint } from './${kebab}.ts';

const emptyStore: Queryable = { query: () => Promise.resolve([]) };

test('returns the requested symbol', async () => {
  const values = parameterValues({ symbol: 'ACME' });
  const result = await endpoint.handle(values, { db: emptyStore, now: 0 });
  expect(result).toEqual({ kind: 'body', body: { symbol: 'ACME' }, asOf: null });
});

test('invalidates responses for different symbols separately', () => {
  const topicsOf = (symbol: string) => endpoint.topics(parameterValues({ symbol }), 0);
  expect(topicsOf('ACME')).not.toEqual(topicsOf('ZZ'));
});
`;
}
