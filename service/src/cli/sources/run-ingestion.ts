import { COMMAND_LINE, recordAuditEvent } from '../../accounts/audit-log.ts';
import {
  type BatchProgress,
  loadBatchProgress,
  queueRequests,
} from '../../datasets/jobs/request-store.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { type BatchEvents, runBatch } from '../../ingest/run-batch.ts';
import { createIngest } from '../../ingest/ingest.ts';
import { type BatchPlan, planDays, planRun } from '../../ingest/plan-batch.ts';
import type { LiveDeps } from '../../ingest/live-feeds.ts';
import { saveKnownSources } from '../../ingest/save-sources.ts';
import { liveDeps, sourceClient, type StartLiveOptions } from '../../ingest/start-live.ts';
import type { Clock } from '../../platform/clock.ts';
import { formatInstant } from '../../platform/instant.ts';
import { createLog } from '../../platform/log.ts';
import { createProgress } from '../../platform/progress.ts';
import type { Random } from '../../platform/random.ts';
import type { Provider } from '../../providers/provider.ts';
import { providers } from '../../providers/registry.gen.ts';
import type { Settings } from '../../config/settings.ts';
import type { Db } from '../../storage/db.ts';
import { claimStoreKind } from '../../app/store-kind.ts';
import { type CliContext, CliError } from '../command.ts';

export interface IngestionOptions {
  /** Comma-separated source names; null for the configured sources. */
  sources: string | null;
  feed: string | null;
  scope:
    | { kind: 'run'; date: LocalDate | null }
    | { kind: 'backfill'; from: LocalDate; to: LocalDate; isAgain: boolean };
}

export interface IngestionResult extends BatchProgress {
  sources: string[];
  /** Number of requests whose responses were already in the store. */
  skipped: number;
  /** Feeds that were excluded because they have no historical data. */
  presentOnly: string[];
}

/** Queues a batch of requests in the store, then makes them while showing progress. */
export async function runIngestion(
  { context, random }: { context: CliContext; random: Random },
  options: IngestionOptions,
): Promise<IngestionResult> {
  const settings = context.settings(options.sources === null ? {} : { sources: options.sources });
  const selected = selectProviders(settings, options);
  const { db, close } = await context.openStore({ kind: 'live', mayCreate: true });
  const liveOptions = createLiveOptions(db, selected, { context, random, settings });
  const client = sourceClient(liveOptions);
  try {
    await claimStoreKind(db, 'live', settings);
    await saveKnownSources(db, providers);
    const deps = liveDeps(liveOptions, client);
    const plan = await planBatch(deps, selected, options);
    if (plan.presentOnly.length > 0) {
      context.stderr(`Skipped, no historical data: ${plan.presentOnly.join(', ')}\n`);
    }
    const { kind } = options.scope;
    const id = `${kind} ${Buffer.from(random.bytes(8)).toString('hex')}`;
    const sources = selected.map(({ name }) => name);
    const total = await queueBatch(
      { db, clock: context.clock },
      { id, plan, sources, feed: options.feed, scope: options.scope },
    );
    const progress = await withProgress(context, { total, label: kind }, (events) =>
      runBatch(
        deps,
        selected,
        () => loadBatchProgress(db, id),
        events,
        new AbortController().signal,
      ),
    );
    return {
      ...progress,
      sources,
      skipped: plan.requests.length - total,
      presentOnly: plan.presentOnly,
    };
  } finally {
    await client.close();
    await close();
  }
}

/**
 * Returns the dependencies for live requests to these sources, with a log that writes to stderr.
 */
function createLiveOptions(
  db: Db,
  selected: readonly Provider[],
  { context, random, settings }: { context: CliContext; random: Random; settings: Settings },
): StartLiveOptions {
  const { clock } = context;
  return {
    db,
    clock,
    random,
    log: createLog({
      level: settings.logLevel,
      clock,
      write: context.stderr,
      isTerminal: context.isTerminal,
      secrets: settings.secrets,
    }),
    providers: selected,
    setting: (name: string) => settings.sourceSettings.get(name),
    ingest: createIngest({ db, clock, providers, onCommit: () => undefined }),
  };
}

function planBatch(
  deps: LiveDeps,
  selected: readonly Provider[],
  { feed, scope }: IngestionOptions,
): Promise<BatchPlan> {
  return scope.kind === 'run'
    ? planRun(deps, selected, { feed, date: scope.date })
    : planDays(deps, selected, { feed, from: scope.from, to: scope.to });
}

/** Queues a plan's requests and records an audit event. Returns the number of new requests. */
function queueBatch(
  { db, clock }: { db: Db; clock: Clock },
  batch: Pick<IngestionOptions, 'feed' | 'scope'> & {
    id: string;
    plan: BatchPlan;
    sources: readonly string[];
  },
): Promise<number> {
  const { id, plan, sources, feed, scope } = batch;
  const { kind, ...days } = scope;
  const isUrgent = kind === 'run';
  return db.transaction(async (tx) => {
    const now = clock.now();
    const requests = await queueRequests(tx, plan.requests, {
      id,
      isUrgent,
      isRefetch: scope.kind === 'run' || scope.isAgain,
      now,
    });
    await recordAuditEvent(tx, {
      actor: COMMAND_LINE,
      at: now,
      action: `ingest.${kind}`,
      subject: null,
      customerId: null,
      details: { sources, feed, requests, ...days },
    });
    return requests;
  });
}

/** Shows the progress of a batch and prints each reason for a delay once. */
async function withProgress(
  context: CliContext,
  { total, label }: { total: number; label: string },
  work: (events: BatchEvents) => Promise<BatchProgress>,
): Promise<BatchProgress> {
  const bar = createProgress({ label, total, ...context });
  const printed = new Set<string>();
  let completed = 0;
  function printOnce(key: string, text: string): void {
    if (printed.has(key)) return;
    printed.add(key);
    context.stderr(`${text}\n`);
  }
  try {
    return await work({
      onProgress({ open }) {
        bar.tick(total - open - completed);
        completed = total - open;
      },
      onCooldown: (provider, reason, until) =>
        printOnce(
          `${provider} ${reason}`,
          `${provider}: paused until ${formatInstant(until)} (${reason})`,
        ),
      onStandby(provider, holder) {
        const [host = '', pid = ''] = holder.split(' ');
        printOnce(
          provider,
          `${provider}: process ${pid} on ${host} is ingesting from it and will make the requests`,
        );
      },
    });
  } finally {
    bar.finish();
  }
}

function selectProviders(settings: Settings, { sources, feed }: IngestionOptions): Provider[] {
  const names = sources?.split(',').map((name) => name.trim()) ?? settings.sources;
  const selected = providers.filter(({ name }) => names.includes(name));
  const unknown = names.filter((name) => !providers.some((provider) => provider.name === name));
  if (unknown.length > 0) throw new CliError(`unknown source: ${unknown.join(', ')}`);
  if (selected.length === 0) {
    throw new CliError('no sources to ingest: use --source, or set SOURCES');
  }
  for (const provider of selected) requireReady(provider, settings);
  const feeds = selected.flatMap((provider) =>
    provider.feeds.flatMap(({ name, plan }) => (plan === undefined ? [] : [name])),
  );
  if (feed !== null && !feeds.includes(feed)) {
    throw new CliError(`unknown feed ${feed}: choose from ${[...new Set(feeds)].join(', ')}`);
  }
  return selected;
}

/** Throws `CliError` if a source cannot be requested or a required setting is missing. */
function requireReady({ name, feeds, settings: specs }: Provider, settings: Settings): void {
  if (!feeds.some(({ plan }) => plan !== undefined)) {
    throw new CliError(`source ${name} cannot be requested over the network`);
  }
  const missing = specs.find(
    (spec) => spec.required && settings.sourceSettings.get(spec.name) === undefined,
  );
  if (missing !== undefined) {
    throw new CliError(`source ${name} needs ${missing.name}: ${missing.fix}`);
  }
}
