import { expect, test } from 'vitest';
import { addMarketOverride } from '../src/datasets/market-overrides/store.ts';
import { recordRows } from '../src/datasets/source-records/record-rows.ts';
import type { TopicSet } from '../src/datasets/topic.ts';
import { type Topic, topics } from '../src/datasets/topics.gen.ts';
import { localDate } from '../src/domain/local-date.ts';
import { marketCalendar } from '../src/domain/market/calendar.ts';
import type { Values } from '../src/endpoints/endpoint.ts';
import { endpoints } from '../src/endpoints/registry.gen.ts';
import { createIngest } from '../src/ingest/ingest.ts';
import { mergeRows } from '../src/ingest/merge-rows.ts';
import { createSandbox } from '../src/providers/sandbox/index.ts';
import type { Db } from '../src/storage/db.ts';
import { fakeClock } from './support/fake-clock.ts';
import { barOf, ingestListedBars } from './support/stored-bars.ts';
import { memoryStore } from './support/stores.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');

test('stores publish every topic that endpoints declare, and no others', async () => {
  const declared = kindsOf(endpoints.flatMap((endpoint) => endpoint.topics(anyValues, NOW)));
  const published = kindsOf(await publishedTopics());
  const problems = KINDS.flatMap(({ name }) => [
    ...(published.has(name) ? [] : [`${name}: no store publishes it`]),
    ...(declared.has(name) ? [] : [`${name}: no endpoint declares it`]),
  ]);
  expect(problems).toEqual([]);
});

test('a misspelt topic does not compile', () => {
  const stale = new Set<Topic>([topics.earnings.date('2026-11-20')]);
  // @ts-expect-error -- no data set has this topic
  stale.add('earning:date:2026-11-20');
  // @ts-expect-error -- no data set has this topic
  stale.add('market-override');
  expect(topics.earnings.date.keyOf('earnings:date:2026-11-20')).toBe('2026-11-20');
  expect(topics.earnings.date.keyOf('earnings:symbol:NRTH')).toBeNull();
});

/** Every topic, such as `earnings.date`, with a test for its names. */
const KINDS = Object.entries(topics).flatMap(([dataset, names]) =>
  Object.entries<TopicSet[string]>(names).map(([name, topic]) => ({
    name: `${dataset}.${name}`,
    isNameOf: (text: string) =>
      typeof topic === 'string' ? topic === text : topic.keyOf(text) !== null,
  })),
);

function kindsOf(names: readonly Topic[]): Set<string> {
  return new Set(names.map((name) => KINDS.find(({ isNameOf }) => isNameOf(name))?.name ?? name));
}

/** Parameters that every endpoint accepts. */
const anyValues: Values = {
  date: () => localDate('2026-11-20'),
  maybeDate: () => localDate('2026-11-20'),
  symbol: () => 'NRTH',
  symbols: () => ['NRTH'],
  instant: () => null,
  id: () => 'ern_1',
  flag: () => false,
  maybeFlag: () => null,
  text: () => null,
  choice: () => null,
  integer: () => null,
  decimal: () => null,
};

/** Returns the topics in the commit log of a store with every kind of change. */
async function publishedTopics(): Promise<Topic[]> {
  const db = await memoryStore();
  await ingestSandbox(db);
  const override = { date: localDate('2026-11-23'), kind: 'closed', reason: 'Storm' } as const;
  await db.transaction((tx) => addMarketOverride(tx, { override, note: null, operator: 'o' }, NOW));
  const renamed = await changeProfile(db);
  await changeManyBars(db);
  // Scans the commit log.
  const rows = await db.query<{ topic: Topic }>('select unnest(topics) as topic from commit_log');
  await db.close();
  return [...rows.map(({ topic }) => topic), ...renamed];
}

/** Ingests the first response of each kind. */
async function ingestSandbox(db: Db): Promise<void> {
  const sandbox = createSandbox({ seed: 1, companies: 20 });
  const clock = fakeClock(NOW);
  const ingest = createIngest({ db, clock, providers: [sandbox], onCommit: () => undefined });
  const responses = [...(sandbox.generateResponses?.(null, NOW) ?? [])];
  const byKind = Map.groupBy(responses, ({ path }) => path.split('?')[0]);
  for (const [response] of byKind.values()) if (response !== undefined) await ingest(response);
}

/** Changes more bars than are published one by one. */
async function changeManyBars(db: Db): Promise<void> {
  const bars = Array.from({ length: 51 }, (_, i) => barOf(`MANY${i}`, '2026-11-19', '10'));
  const listed = { list: null, isAdjusted: false, rows: bars };
  await ingestListedBars(db, listed, { feed: 'massive/grouped-daily', at: NOW });
}

/** Changes a name and a share count. */
async function changeProfile(db: Db): Promise<ReadonlySet<Topic>> {
  // Returns one row.
  const [security] = await db.query<{ symbol: string }>(
    'select symbol from security order by id limit 1',
  );
  const fields = { companyName: 'Renamed Inc.', sharesOutstanding: '123456' };
  const source = { provider: 'files', feed: 'profiles', naturalKey: 'profile' };
  const row = { dataset: 'profiles', entityKey: security?.symbol ?? '', ...source, fields };
  return db.transaction(async (tx) => {
    const recorded = await recordRows(tx, [row], NOW, 1);
    return (await mergeRows({ tx, now: NOW }, recorded, marketCalendar())).topics;
  });
}
