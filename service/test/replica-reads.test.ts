import { expect, onTestFinished, test } from 'vitest';
import { endpoint as companyEarnings } from '../src/endpoints/earnings.ts';
import { ResponseCache } from '../src/http/response-cache.ts';
import { ResponseLoader } from '../src/http/response/response-loader.ts';
import type { ResolvedQuery } from '../src/http/response/resolved-query.ts';
import { createRoutes } from '../src/http/request/routes.ts';
import { createTargetParser, resolveParameters } from '../src/http/request/request-target.ts';
import { staleTopicReader } from '../src/datasets/changes/stale-topic-reader.ts';
import { systemClock } from '../src/platform/clock.ts';
import { silentLog } from './support/logs.ts';
import type { Db } from '../src/storage/db.ts';
import { startReplicaReads } from '../src/storage/engines/postgres/replica-reads.ts';
import { postgresStore } from './support/stores.ts';
import { addCompanies } from './support/webhook-world.ts';

const clock = systemClock();

test('serves current data from the replica, and historical data from the primary', async ({
  skip,
}) => {
  const [first, second] = [await postgresStore(), await postgresStore()];
  if ('missing' in first || 'missing' in second) return skip('no PostgreSQL');
  const [primary, replica] = [first.db, second.db];
  onTestFinished(async () => void (await Promise.all([primary.close(), replica.close()])));
  for (const db of [primary, replica]) await addCompanies(db, ['AAA']);
  // Sets the heartbeat to the current time, as replication would, because the heartbeat in a test
  // store may be old.
  await replica.query('update replica_beat set beat_at = clock_timestamp()');

  const cache = new ResponseCache({ sizeMaxBytes: 1_000_000 });
  const commits = staleTopicReader(replica);
  await commits.begin();
  const reads = startReplicaReads({
    primary,
    replica,
    clock,
    log: silentLog,
    lagMsMax: 6e4,
    onCheck: async () => {
      const topics = await commits.read();
      if (topics === 'all') cache.invalidateAll();
      else cache.invalidate(topics);
    },
  });
  onTestFinished(() => reads.stop());
  while (!reads.isUsed()) await clock.sleep(20);
  const answers = new ResponseLoader({ cache, db: primary, replica: reads, dataSource: 'live' });
  const estimate = (path: string): Promise<unknown> => ask(answers, path);

  await setEstimate(primary, 2);
  // Simulates a commit that the primary's log reports before the replica receives it.
  cache.invalidate(['earnings:symbol:AAA']);
  expect(await estimate('/v1/earnings?symbol=AAA'), 'as old as the replica').not.toBe(2);
  const now = new Date(clock.now()).toISOString();
  expect(await estimate(`/v1/earnings?symbol=AAA&asOf=${now}`), 'of the past: exact').toBe(2);
  await setEstimate(replica, 2);
  while ((await estimate('/v1/earnings?symbol=AAA')) !== 2) await clock.sleep(20);
});

/**
 * Writes a change together with its commit in the log, because replication delivers both together.
 */
async function setEstimate(db: Db, revenue: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(`update earnings_event set revenue_estimate = $1 where known_to is null`, [
      String(revenue),
    ]);
    await tx.query(
      `insert into commit_log (topics, committed_at) values (array['earnings:symbol:AAA'], now())`,
    );
  });
}

async function ask(answers: ResponseLoader, path: string): Promise<unknown> {
  const now = clock.now();
  const target = createTargetParser(createRoutes([companyEarnings]))(path);
  if (target === null) throw new Error(`no endpoint: ${path}`);
  const reading = resolveParameters(target, now);
  if ('refusal' in reading) throw new Error(reading.refusal.detail);
  const scope = { historyFrom: null, watchlistScope: null };
  const question: ResolvedQuery = { endpoint: companyEarnings, ...reading, ...scope };
  const kept = answers.cached(question, now);
  const outcome = kept === null ? await answers.load(question, now) : { response: kept };
  if ('refusal' in outcome) throw new Error(outcome.refusal.detail);
  const [row] = JSON.parse(outcome.response.body.toString()) as { revenueEstimate: number }[];
  return row?.revenueEstimate;
}
