import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryStore } from '../../test/support/stores.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createSourceResponse } from '../providers/source-response.ts';
import { SourceResponseError, type Provider } from '../providers/provider.ts';
import type { Db } from '../storage/db.ts';
import { createIngest } from './ingest.ts';

let db: Db;

beforeAll(async () => {
  db = await memoryStore();
});

afterAll(() => db.close());

const provider: Provider = {
  name: 'quay',
  title: 'Quay',
  provides: '',
  homepage: '',
  redistribution: 'allowed',
  terms: 'Free.',
  hosts: ['quay.example'],
  limits: {
    intervalMsMin: 0,
    timeoutMs: 0,
    bodyBytesMax: 0,
    cooldownMs: 0,
  },
  settings: [],
  feeds: [
    {
      name: 'movers',
      datasets: ['earnings'],
      claims: ({ host }) => host === 'quay.example',
      parse() {
        throw new SourceResponseError(
          'unsupported',
          'movers-are-computed',
          'nothing is wanted of it',
        );
      },
    },
  ],
};

test('reports an unsupported response with its reason and does not archive it', async () => {
  const clock = fakeClock(Date.UTC(2026, 10, 20));
  const ingest = createIngest({ db, clock, providers: [provider], onCommit: () => undefined });
  const report = await ingest(
    createSourceResponse({
      url: 'https://quay.example/movers',
      status: 200,
      contentType: 'application/json',
      observedAt: clock.now(),
      text: '{}',
    }),
  );
  expect(report).toMatchObject({ provider: 'quay', feed: 'movers', isDamaged: false });
  expect(report.datasets).toMatchObject([
    { dataset: null, outcome: 'unsupported', reason: 'movers-are-computed', rowsSeen: 0 },
  ]);
  expect(await db.query('select provider from raw_answer')).toEqual([]);
});
