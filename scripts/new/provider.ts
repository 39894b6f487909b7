import type { Names } from './names.ts';
import type { Skeleton } from './skeleton.ts';

export const providerSkeleton: Skeleton = {
  kind: 'provider',
  files: (names) => {
    const folder = `service/src/providers/${names.kebab}`;
    return new Map([
      [`${folder}/index.ts`, indexFile(names)],
      [`${folder}/securities.ts`, feedFile(names)],
      [`${folder}/securities.test.ts`, testFile(names)],
      [`${folder}/conformance.test.ts`, CONFORMANCE],
      [`${folder}/fixtures/securities/body.json`, BODY],
      [`${folder}/fixtures/securities/meta.json`, metaFile(names)],
      [`${folder}/readme.md`, readmeFile(names)],
    ]);
  },
  next: (names) => [
    `Set title, homepage, terms, hosts and pace in service/src/providers/${names.kebab}/index.ts.`,
    'One file per feed: claims() recognises the answer, parse() reads it, plan() says what to ask.',
    'Write fixtures by hand, about made-up companies; meta.json says what is to become of each.',
    'Say when it is asked: in docs/ingest.md, and in service/src/ingest/jobs.ts unless nightly will do.',
    'Run npm run gen, which adds it to the registry and docs/providers.md, then npm run check.',
  ],
};

function indexFile({ kebab, title }: Names): string {
  return `import type { Provider } from '../provider.ts';
import { HOST, securities } from './securities.ts';

export const provider: Provider = {
  name: '${kebab}',
  title: '${title}',
  homepage: \`https://\${HOST}/\`,
  redistribution: 'not-granted',
  terms: 'Nothing is known of the terms of this source: for your own use only.',
  termsUrl: \`https://\${HOST}/terms\`,
  hosts: [HOST],
  pace: {
    intervalMsMin: 3000,
    timeoutMs: 15_000,
    bodyBytesMax: 4 * 1024 * 1024,
    cooldownMs: 15 * 60_000,
  },
  settings: [],
  feeds: [securities],
};
`;
}

function feedFile({ kebab }: Names): string {
  return `import type { SecurityObservation } from '../../datasets/securities/observation.ts';
import { readText, requireSymbol, subjectOrNull } from '../kit/fields.ts';
import { type JsonObject, requireJson } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { refuseConflicts } from '../kit/reject-conflicts.ts';
import {
  type Answer,
  AnswerError,
  type Feed,
  type FeedRequest,
  type Parsed,
  type ParsedRow,
} from '../provider.ts';

export const HOST = '${kebab}.example';

/** \`/securities\`: an array of \`{ticker, name, exchange}\`. */
export const securities: Feed = {
  name: 'securities',
  datasets: ['securities'],
  claims: (answer) => answer.host === HOST && answer.path === '/securities',
  parse,
  plan,
};

function plan(): FeedRequest[] {
  return [{ url: \`https://\${HOST}/securities\`, headers: { accept: 'application/json' } }];
}

function parse(answer: Answer): Parsed {
  const rows = requireJson(answer);
  if (!Array.isArray(rows)) throw new AnswerError('damaged', 'not-an-array', 'rows were due');
  const parsed = readRows({
    dataset: 'securities',
    rows,
    subjectOf: (row) => subjectOrNull(row, 'ticker'),
    read: readRow,
  });
  return refuseConflicts(parsed);
}

function readRow(row: JsonObject): ParsedRow {
  const symbol = requireSymbol(row, 'ticker');
  const fields: SecurityObservation = {
    symbol,
    cik: null,
    name: readText(row, 'name'),
    exchange: readText(row, 'exchange'),
  };
  return { dataset: 'securities', subject: symbol, naturalKey: 'listing', fields };
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
    url: `https://${kebab}.example/securities`,
    status: 200,
    content_type: 'application/json',
    recorded_at: '2026-11-20T15:00:00Z',
    body_file: 'body.json',
    feed: 'securities',
    rows: 3,
    bad: 1,
  };
  return `${JSON.stringify(meta, null, 2)}\n`;
}

const CONFORMANCE = `import { describeProvider } from '../../../test/support/providers/conformance.ts';
import { loadFixtures } from '../../../test/support/providers/fixtures.ts';
import { provider } from './index.ts';

describeProvider({ provider, fixtures: loadFixtures(import.meta.url), here: import.meta.url });
`;

function testFile({ kebab }: Names): string {
  return `import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeAnswer } from '../source-response.ts';
import type { Answer } from '../provider.ts';
import { securities } from './securities.ts';

function answerWith(text: string, url = 'https://${kebab}.example/securities'): Answer {
  return makeAnswer({ url, status: 200, contentType: 'application/json', observedAt: 0, text });
}

const fixture = readFileSync(new URL('fixtures/securities/body.json', import.meta.url), 'utf8');

test('every row is kept: good ones as observations, bad ones with their reason', () => {
  const { rows, bad } = securities.parse(answerWith(fixture));
  expect(rows.map((row) => row.subject)).toEqual(['ACME', 'QZZ.B']);
  expect(bad.map((row) => row.reason)).toEqual(['bad-symbol']);
});

test('only answers of its own host and path are claimed', () => {
  expect(securities.claims(answerWith(fixture))).toBe(true);
  expect(securities.claims(answerWith(fixture, 'https://other.example/securities'))).toBe(false);
});

test('a body that is not a list of rows is refused as a whole', () => {
  expect(() => securities.parse(answerWith('{"error":"try later"}'))).toThrow('rows were due');
  expect(() => securities.parse(answerWith('<html></html>'))).toThrow(/html/);
});
`;
}

function readmeFile({ title, kebab }: Names): string {
  return `# ${title}

A list of securities from ${kebab}.example.

**Terms.** Nothing is known of the terms of this source: for your own use only.

| feed         | path          | fills      | asked |
| ------------ | ------------- | ---------- | ----- |
| \`securities\` | \`/securities\` | securities | live  |
`;
}
