import type { Names } from './names.ts';
import type { Skeleton } from './skeleton.ts';

export const providerSkeleton: Skeleton = {
  kind: 'provider',
  files: (names) => {
    const folder = `service/src/providers/${names.kebab}`;
    return new Map([
      [`${folder}/index.ts`, indexFile(names)],
      [`${folder}/companies.ts`, feedFile(names)],
      [`${folder}/companies.test.ts`, testFile(names)],
      [`${folder}/conformance.test.ts`, CONFORMANCE],
      [`${folder}/fixtures/companies/body.json`, BODY],
      [`${folder}/fixtures/companies/meta.json`, metaFile(names)],
      [`${folder}/readme.md`, readmeFile(names)],
    ]);
  },
  next: (names) => [
    `Set title, provides, homepage, terms, hosts and limits in service/src/providers/${names.kebab}/index.ts.`,
    'Write one file per feed: claims() recognizes a response, parse() reads it, plan() lists requests.',
    'Write fixtures by hand, about fictional companies; meta.json holds the expected result of each.',
    'Set the schedule of each feed, and its ranks for values that other sources also have.',
    'Run npm run gen to update the registry, the precedence and the documents, then run npm run check.',
  ],
};

function indexFile({ kebab, title }: Names): string {
  return `import type { Provider } from '../provider.ts';
import { companies, HOST } from './companies.ts';

export const provider: Provider = {
  name: '${kebab}',
  title: '${title}',
  provides: 'names and exchanges of companies',
  homepage: \`https://\${HOST}/\`,
  redistribution: 'not-granted',
  terms: 'Terms unknown: for your own use only.',
  termsUrl: \`https://\${HOST}/terms\`,
  hosts: [HOST],
  limits: {
    intervalMsMin: 3000,
    timeoutMs: 15_000,
    bodyBytesMax: 4 * 1024 * 1024,
    cooldownMs: 15 * 60_000,
  },
  settings: [],
  feeds: [companies],
};
`;
}

function feedFile({ kebab }: Names): string {
  return `import type { ProfileObservation } from '../../datasets/profiles/observation.ts';
import { daily } from '../../domain/market/due-times.ts';
import { entityKeyOrNull, readText, requireSymbol } from '../kit/fields.ts';
import { type JsonObject, requireJson } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import {
  type Feed,
  type FeedRequest,
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';

export const HOST = '${kebab}.example';

/** \`/companies\`: an array of \`{ticker, name, exchange}\`. */
export const companies: Feed = {
  name: 'companies',
  datasets: ['profiles'],
  ranks: { profiles: ['vendor', 90] },
  schedule: [{ name: 'nightly', times: daily('05:50'), scope: 'all' }],
  claims: (response) => response.host === HOST && response.path === '/companies',
  parse,
  plan,
};

function plan(): FeedRequest[] {
  return [{ url: \`https://\${HOST}/companies\`, headers: { accept: 'application/json' } }];
}

function parse(response: SourceResponse): ParseResult {
  const rows = requireJson(response);
  if (!Array.isArray(rows)) {
    throw new SourceResponseError('damaged', 'not-an-array', 'expected a list of rows');
  }
  return readRows({
    dataset: 'profiles',
    rows,
    entityKeyOf: (row) => entityKeyOrNull(row, 'ticker'),
    read: readRow,
  });
}

function readRow(row: JsonObject): ParsedRow<'profiles'> {
  const symbol = requireSymbol(row, 'ticker');
  const fields: ProfileObservation = {
    companyName: readText(row, 'name'),
    exchange: readText(row, 'exchange'),
  };
  return { dataset: 'profiles', entityKey: symbol, naturalKey: 'profile', fields };
}
`;
}

const BODY = `[
  { "ticker": "ACME", "name": "Acme Anvils Inc.", "exchange": "NYSE" },
  { "ticker": "QZZ-B", "name": "Quizzical Holdings", "exchange": null },
  { "ticker": "", "name": "No ticker at all", "exchange": "NYSE" }
]
`;

function metaFile({ kebab }: Names): string {
  const meta = {
    url: `https://${kebab}.example/companies`,
    status: 200,
    content_type: 'application/json',
    recorded_at: '2026-11-20T15:00:00Z',
    body_file: 'body.json',
    feed: 'companies',
    rows: 3,
    bad: 1,
  };
  return `${JSON.stringify(meta, null, 2)}\n`;
}

const CONFORMANCE = `import { describeProvider } from '../../../test/support/providers/conformance.ts';
import { loadFixtures } from '../../../test/support/providers/fixtures.ts';
import { provider } from './index.ts';

describeProvider({ provider, fixtures: loadFixtures(import.meta.url), testUrl: import.meta.url });
`;

function testFile({ kebab }: Names): string {
  return `import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createSourceResponse } from '../source-response.ts';
import type { SourceResponse } from '../provider.ts';
import { companies } from './companies.ts';

const LIST_URL = 'https://${kebab}.example/companies';

function responseWith(text: string, url = LIST_URL): SourceResponse {
  const contentType = 'application/json';
  return createSourceResponse({ url, status: 200, contentType, observedAt: 0, text });
}

const fixture = readFileSync(new URL('fixtures/companies/body.json', import.meta.url), 'utf8');

test('keeps every row: valid ones as observations, invalid ones with their reason', () => {
  const { rows, bad } = companies.parse(responseWith(fixture));
  expect(rows.map((row) => row.entityKey)).toEqual(['ACME', 'QZZ.B']);
  expect(bad.map((row) => row.reason)).toEqual(['bad-symbol']);
});

test('claims only responses from its own host and path', () => {
  expect(companies.claims(responseWith(fixture))).toBe(true);
  expect(companies.claims(responseWith(fixture, 'https://other.example/companies'))).toBe(false);
});

test('rejects a body that is not a list of rows', () => {
  expect(() => companies.parse(responseWith('{"error":"try later"}'))).toThrow('expected a list');
  expect(() => companies.parse(responseWith('<html></html>'))).toThrow(/html/);
});
`;
}

function readmeFile({ title, kebab }: Names): string {
  return `# ${title}

A list of companies from ${kebab}.example.

**Terms.** Unknown: for your own use only.

| feed        | path         | fills    | fetched |
| ----------- | ------------ | -------- | ------- |
| \`companies\` | \`/companies\` | profiles | live    |
`;
}
