import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { endpoints } from '../src/endpoints/registry.gen.ts';
import {
  runAfterbell,
  startAfterbell,
  type StartedAfterbell,
} from './support/afterbell-process.ts';
import { sampleShell, sampledDocuments, samplesOf } from './support/guide-samples.ts';

/**
 * Runs the commands from the README and the guides in order, against one sandbox. A sample fails on
 * a response of 400 or above, or on a command with a non-zero exit code.
 */

// One document starts the program up to ten times, which takes long on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

/**
 * The first operator can only be created while there is none, so the samples in this document run
 * first.
 */
const FIRST = 'docs/management-api.md';
const DOCUMENTS = sampledDocuments().toSorted(
  (a, b) => Number(b.path === FIRST) - Number(a.path === FIRST),
);
const ALL = DOCUMENTS.flatMap(({ samples }) => samples);
const LEFT_OUT = ALL.filter(({ skipReason }) => skipReason !== null);
const PASSWORD = 'four quiet herons wait';

let folder: string;
let service: StartedAfterbell;
let variables: Record<string, string>;
let replacements: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'afterbell-samples-'));
  const data = join(folder, 'data');
  const settings = { SANDBOX_SYMBOLS: '60', WEBHOOK_DEV_ALLOW: '127.0.0.1:3000' };
  service = await startAfterbell(['--data-dir', data], settings);
  const key = /eds_test_\w+/.exec(service.output.stderr)?.[0] ?? '';
  const { body } = await service.get('/v1/calendar/dividends?limit=1', key);
  const [{ symbol }] = body as [{ symbol: string }];
  const made = await runAfterbell(
    [
      '--data-dir',
      data,
      'webhooks',
      'add',
      'http://127.0.0.1:3000/',
      '--customer',
      'Demo',
      '--json',
    ],
    settings,
  );
  const endpoint = JSON.parse(made.stdout) as { id: string; secret: string };
  variables = {
    URL: service.url,
    KEY: key,
    SYMBOL: symbol,
    DATA_DIR: data,
    PASSWORD,
    SETUP_TOKEN: /set-up#([\w-]+)/.exec(service.output.stderr)?.[1] ?? '',
    TIMESTAMP: '1795185000',
    WEBHOOK_SECRET: endpoint.secret,
  };
  replacements = {
    'http://127.0.0.1:8080': service.url,
    'eds_test_…': key,
    'whe_…': endpoint.id,
  };
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

test(`runs ${ALL.length - LEFT_OUT.length} of ${ALL.length} documentation samples, and finds a reason for each excluded sample`, () => {
  expect(ALL.length - LEFT_OUT.length).toBeGreaterThan(30);
  for (const { skipReason } of LEFT_OUT) expect(skipReason?.length).toBeGreaterThan(20);
});

test.each(DOCUMENTS)(
  'runs the samples in $path with the documented exit codes',
  async ({ path, samples }) => {
    const own = mkdtempSync(join(folder, 'run-'));
    writeFileSync(join(own, 'body.json'), '{}');
    const run = sampleShell({ folder: own, variables, replacements });
    for (const sample of samples.filter(({ skipReason }) => skipReason === null)) {
      const { code, output } = await run(sample);
      expect(sample.exitCodes, `${path}\n${sample.code}\n${output}`).toContain(code);
    }
  },
);

test('returns a successful response for every sample in llms.txt', async () => {
  const { body } = await service.get('/llms.txt');
  const addresses = [...String(body).matchAll(/^Sample: GET (\S+)$/gm)].map(([, url]) => url ?? '');
  expect(addresses).toHaveLength(endpoints.length);
  const { KEY: key = '', SYMBOL: symbol = '' } = variables;
  const [{ id }] = (await service.get(`/v1/earnings?symbol=${symbol}`, key)).body as [
    { id: string },
  ];
  for (const address of addresses) {
    const asked = address.replace('AAPL', symbol).replace(/ern_\w+/, id);
    const { status, body } = await service.get(asked.replace(service.url, ''), key);
    expect([asked, status], JSON.stringify(body)).toEqual([asked, 200]);
  }
});

test('fails a sample if a request in it fails, even within a pipe', async () => {
  const run = sampleShell({
    folder: mkdtempSync(join(folder, 'run-')),
    variables,
    replacements,
  });
  const text =
    '```sh\ncurl "$URL/v1/market-status" | cat\n```\n\n```sh\nnpx afterbell nothing\n```\n';
  const [refused, unknown] = samplesOf(text);
  expect(refused === undefined ? null : await run(refused)).toMatchObject({
    code: 22,
    output: expect.stringContaining('missing-api-key') as string,
  });
  expect(unknown === undefined ? null : (await run(unknown)).code).not.toBe(0);
});
