import { COMMAND_LINE, recordAuditEvent } from '../../accounts/audit-log.ts';
import {
  type BatchProgress,
  loadBatchProgress,
  queueRequests,
} from '../../datasets/jobs/request-store.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { runBatch } from '../../ingest/run-batch.ts';
import { createIngest } from '../../ingest/ingest.ts';
import { type BatchPlan, planDays, planRun } from '../../ingest/plan-batch.ts';
import { liveDeps, sourceClient } from '../../ingest/start-live.ts';
import { formatInstant } from '../../platform/instant.ts';
import { createLog } from '../../platform/log.ts';
import { createProgress } from '../../platform/progress.ts';
import type { Random } from '../../platform/random.ts';
import type { Provider } from '../../providers/provider.ts';
import { providers } from '../../providers/registry.gen.ts';
import type { Settings } from '../../config/settings.ts';
import { claimStoreKind } from '../../app/store-kind.ts';
import { type CliContext, CliError } from '../command.ts';

export interface GatherOptions {
  /** Names with commas between; null for those of the settings. */
  sources: string | null;
  feed: string | null;
  wanted:
    | { kind: 'run'; date: LocalDate | null }
    | { kind: 'backfill'; from: LocalDate; to: LocalDate; isAgain: boolean };
}

export interface GatherOutcome extends BatchProgress {
  sources: string[];
  /** Requests whose answers were in the store before. */
  skipped: number;
  /** Feeds left out, since they know only the present. */
  presentOnly: string[];
}

/** Records what is wanted in the store and sees it through, showing how far it is. */
export async function gatherNow(
  { context, random }: { context: CliContext; random: Random },
  options: GatherOptions,
): Promise<GatherOutcome> {
  const settings = context.settings(options.sources === null ? {} : { sources: options.sources });
  const chosen = chooseProviders(settings, options);
  const { db, close } = await context.openStore({ kind: 'live', mayCreate: true });
  const { clock } = context;
  const log = createLog({
    level: settings.logLevel,
    clock,
    write: context.stderr,
    isTerminal: context.isTerminal,
    secrets: settings.secrets,
  });
  const liveOptions = {
    db,
    clock,
    random,
    log,
    providers: chosen,
    setting: (name: string) => settings.sourceSettings.get(name),
    ingest: createIngest({
      db,
      clock,
      providers,
      onCommit: () => undefined,
    }),
  };
  const client = sourceClient(liveOptions);
  try {
    await claimStoreKind(db, 'live', settings);
    const deps = liveDeps(liveOptions, client);
    const { wanted } = options;
    const plan: BatchPlan =
      wanted.kind === 'run'
        ? await planRun(deps, chosen, { feed: options.feed, date: wanted.date })
        : await planDays(deps, chosen, { feed: options.feed, from: wanted.from, to: wanted.to });
    if (plan.presentOnly.length > 0) {
      context.stderr(`know only the present, so left out: ${plan.presentOnly.join(', ')}\n`);
    }
    const id = `${wanted.kind} ${Buffer.from(random.bytes(8)).toString('hex')}`;
    const isUrgent = wanted.kind === 'run';
    const isAgain = isUrgent || wanted.isAgain;
    const sources = chosen.map(({ name }) => name);
    const total = await db.transaction(async (tx) => {
      const now = clock.now();
      const requests = await queueRequests(tx, plan.requests, {
        id,
        isUrgent,
        isRefetch: isAgain,
        now,
      });
      const { kind, ...days } = wanted;
      await recordAuditEvent(tx, {
        actor: COMMAND_LINE,
        at: now,
        action: `ingest.${kind}`,
        subject: null,
        customerId: null,
        details: {
          sources,
          feed: options.feed,
          requests,
          ...days,
        },
      });
      return requests;
    });
    const progress = await followed(context, { id, total, label: wanted.kind }, (events) =>
      runBatch(deps, chosen, () => loadBatchProgress(db, id), events, new AbortController().signal),
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

/** Shows how far a batch is, and once each why it does not go on. */
async function followed(
  context: CliContext,
  { total, label }: { id: string; total: number; label: string },
  work: (events: Parameters<typeof runBatch>[3]) => Promise<BatchProgress>,
): Promise<BatchProgress> {
  const bar = createProgress({ label, total, ...context });
  const told = new Set<string>();
  let done = 0;
  function tellOnce(key: string, text: string): void {
    if (told.has(key)) return;
    told.add(key);
    context.stderr(`${text}\n`);
  }
  try {
    return await work({
      onProgress({ open }) {
        bar.tick(total - open - done);
        done = total - open;
      },
      onCooldown: (provider, reason, until) =>
        tellOnce(
          `${provider} ${reason}`,
          `${provider} is left alone until ${formatInstant(until)} (${reason})`,
        ),
      onStandby(provider, holder) {
        const [host = '', pid = ''] = holder.split(' ');
        tellOnce(
          provider,
          `${provider} is being asked already, by process ${pid} on ${host}: it does this too`,
        );
      },
    });
  } finally {
    bar.finish();
  }
}

function chooseProviders(settings: Settings, { sources, feed }: GatherOptions): Provider[] {
  const names = sources?.split(',').map((name) => name.trim()) ?? settings.sources;
  const chosen = providers.filter(({ name }) => names.includes(name));
  const unknown = names.filter((name) => !providers.some((provider) => provider.name === name));
  if (unknown.length > 0) throw new CliError(`there is no source ${unknown.join(', ')}`);
  if (chosen.length === 0) {
    throw new CliError('no source to ask: name some with --source, or in SOURCES');
  }
  for (const provider of chosen) refuseUnready(provider, settings);
  const feeds = chosen.flatMap((provider) =>
    provider.feeds.flatMap(({ name, plan }) => (plan === undefined ? [] : [name])),
  );
  if (feed !== null && !feeds.includes(feed)) {
    throw new CliError(`there is no feed ${feed}: choose from ${[...new Set(feeds)].join(', ')}`);
  }
  return chosen;
}

function refuseUnready({ name, feeds, settings: needs }: Provider, settings: Settings): void {
  if (!feeds.some(({ plan }) => plan !== undefined)) {
    throw new CliError(`source ${name} has no network to be asked over`);
  }
  const missing = needs.find(
    (need) => need.required && settings.sourceSettings.get(need.name) === undefined,
  );
  if (missing !== undefined) {
    throw new CliError(`source ${name} needs ${missing.name}: ${missing.fix}`);
  }
}
