import { addBatch, findOpenBatch } from '../datasets/jobs/batch-store.ts';
import type {
  IngestionControl,
  BatchResult,
  BatchRequest,
} from '../datasets/jobs/ingestion-control.ts';
import { queueRequests } from '../datasets/jobs/request-store.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { marketCalendar, type MarketCalendar } from '../domain/market/calendar.ts';
import type { Clock } from '../platform/clock.ts';
import type { Random } from '../platform/random.ts';
import type { Provider } from '../providers/provider.ts';
import type { Db, Transaction } from '../storage/db.ts';
import { loadFreshness } from './freshness.ts';
import { jobStore } from './job-store.ts';
import { jobsOf } from './jobs.ts';
import type { LiveFeeds } from './live-feeds.ts';
import { type BatchPlan, planDays, type PlanDeps, planRun } from './plan-batch.ts';
import { nextDue } from '../domain/market/due-times.ts';

export interface IngestionControlDeps extends Omit<PlanDeps, 'jobs'> {
  db: Db;
  clock: Clock;
  random: Random;
  providers: readonly Provider[];
  /** Providers from which this store ingests. */
  enabled: readonly Provider[];
  cooldown: LiveFeeds['cooldown'];
  /** Returns the value of a source's setting, such as its API key. */
  setting(name: string): string | undefined;
}

/**
 * Creates the operators' view of ingestion, with manual runs and backfills. Batches are recorded in
 * the store, so they survive a restart; their requests are made by the process that ingests from
 * the source.
 */
export function createIngestionControl(deps: IngestionControlDeps): IngestionControl {
  const { db, clock, providers, enabled: inUse } = deps;
  const planDeps: PlanDeps = { ...deps, jobs: jobStore(db, clock) };

  async function market(): Promise<MarketCalendar> {
    const { overrides } = await loadMarketOverrides(db);
    return marketCalendar(overrides);
  }

  function plan(provider: Provider, request: BatchRequest): Promise<BatchPlan> {
    const { feed } = request;
    return request.kind === 'run'
      ? planRun(planDeps, [provider], { feed, date: null })
      : planDays(planDeps, [provider], { feed, from: request.from, to: request.to });
  }

  return {
    cooldown: deps.cooldown,
    async nextRunAt(name) {
      const jobs = jobsOf(inUse.filter((provider) => provider.name === name));
      if (jobs.length === 0) return null;
      const calendar = await market();
      return Math.min(...jobs.map(({ times }) => nextDue(times, clock.now(), calendar)));
    },
    missingSettings(name) {
      const settings = providers.find((provider) => provider.name === name)?.settings ?? [];
      return settings
        .filter(({ name: setting, required }) => required && deps.setting(setting) === undefined)
        .map((setting) => setting.name);
    },
    async freshness() {
      const now = clock.now();
      return loadFreshness({ db, providers, enabled: inUse, market: await market(), now });
    },
    async startBatch(request, also) {
      const provider = inUse.find(({ name }) => name === request.provider);
      const feeds = provider?.feeds.filter((feed) => feed.plan !== undefined) ?? [];
      if (provider === undefined || feeds.length === 0) return { kind: 'not-in-use' };
      if (request.feed !== null && !feeds.some(({ name }) => name === request.feed)) {
        return { kind: 'no-feed' };
      }
      const planned = await plan(provider, request);
      return db.transaction((tx) => record(tx, deps, { request, planned, also }));
    },
  };
}

async function record(
  tx: Transaction,
  { clock, random }: IngestionControlDeps,
  batch: { request: BatchRequest; planned: BatchPlan; also(tx: Transaction): Promise<void> },
): Promise<BatchResult> {
  const { request, planned, also } = batch;
  const { kind, provider, feed, requestedBy } = request;
  const isRun = kind === 'run';
  const openBatch = await findOpenBatch(tx, { kind, provider: isRun ? provider : null });
  if (openBatch !== null) return { kind: 'busy', id: openBatch };
  const now = clock.now();
  const id = `bat_${Buffer.from(random.bytes(8)).toString('hex')}`;
  const isRefetch = isRun || request.isRefetch;
  const queued = { id, isUrgent: isRun, isRefetch, now };
  const requests = await queueRequests(tx, planned.requests, queued);
  if (requests === 0) return { kind: 'nothing-to-ask' };
  const { from, to } = request.kind === 'run' ? { from: null, to: null } : request;
  const started = { requests, startedAt: now, startedBy: requestedBy };
  await addBatch(tx, { id, kind, provider, feed, from, to, ...started });
  await also(tx);
  return { kind: 'started', id, requests };
}
