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
import { jobsOf } from './jobs.ts';
import type { LiveFeeds } from './live-feeds.ts';
import { type BatchPlan, planDays, type PlanDeps, planRun } from './plan-batch.ts';
import { nextDue } from './schedule.ts';

export interface IngestionControlDeps extends PlanDeps {
  db: Db;
  clock: Clock;
  random: Random;
  /** All that are known. */
  providers: readonly Provider[];
  /** Those that this store asks. */
  enabled: readonly Provider[];
  cooldown: LiveFeeds['cooldown'];
  /** What is given for a setting of a source. */
  setting(name: string): string | undefined;
}

/**
 * What operators see of the gatherer and ask of it. Batches are recorded in the store, and the
 * process that gathers from the source makes their requests, this one or another: they go on after a
 * restart.
 */
export function createIngestionControl(deps: IngestionControlDeps): IngestionControl {
  const { db, clock, providers, enabled: inUse } = deps;

  async function market(): Promise<MarketCalendar> {
    const { overrides } = await loadMarketOverrides(db);
    return marketCalendar(overrides);
  }

  function plan(provider: Provider, wanted: BatchRequest): Promise<BatchPlan> {
    const { feed } = wanted;
    return wanted.kind === 'run'
      ? planRun(deps, [provider], { feed, date: null })
      : planDays(deps, [provider], { feed, from: wanted.from, to: wanted.to });
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
        .filter((each) => each.required && deps.setting(each.name) === undefined)
        .map((each) => each.name);
    },
    async freshness() {
      const isIngesting = inUse.length > 0;
      return loadFreshness({
        db,
        providers,
        isIngesting,
        market: await market(),
        now: clock.now(),
      });
    },
    async startBatch(wanted, also) {
      const provider = inUse.find(({ name }) => name === wanted.provider);
      const feeds = provider?.feeds.filter((feed) => feed.plan !== undefined) ?? [];
      if (provider === undefined || feeds.length === 0) return { kind: 'not-in-use' };
      if (wanted.feed !== null && !feeds.some(({ name }) => name === wanted.feed)) {
        return { kind: 'no-feed' };
      }
      const planned = await plan(provider, wanted);
      return db.transaction((tx) => record(tx, deps, { wanted, planned, also }));
    },
  };
}

async function record(
  tx: Transaction,
  { clock, random }: IngestionControlDeps,
  {
    wanted,
    planned,
    also,
  }: { wanted: BatchRequest; planned: BatchPlan; also: (tx: Transaction) => Promise<void> },
): Promise<BatchResult> {
  const { kind, provider, feed, requestedBy: by } = wanted;
  const isRun = kind === 'run';
  const open = await findOpenBatch(tx, { kind, provider: isRun ? provider : null });
  if (open !== null) return { kind: 'busy', id: open };
  const now = clock.now();
  const id = `bat_${Buffer.from(random.bytes(8)).toString('hex')}`;
  const isRefetch = isRun || wanted.isRefetch;
  const terms = { id, isUrgent: isRun, isRefetch, now };
  const requests = await queueRequests(tx, planned.requests, terms);
  if (requests === 0) return { kind: 'nothing-to-ask' };
  const days = wanted.kind === 'run' ? { from: null, to: null } : wanted;
  const { from, to } = days;
  const started = { requests, startedAt: now, startedBy: by };
  await addBatch(tx, { id, kind, provider, feed, from, to, ...started });
  await also(tx);
  return { kind: 'started', id, requests };
}
