import { type Settings, SettingsError } from '../config/settings.ts';
import { loadSources } from '../datasets/sources/store.ts';
import { loadClockLeadMs } from '../datasets/versions/clock-lead.ts';
import { parseSymbol } from '../domain/symbol.ts';
import { createIngest } from '../ingest/ingest.ts';
import type { LiveDeps, LiveFeeds } from '../ingest/live-feeds.ts';
import { saveSources } from '../ingest/save-sources.ts';
import type { ResponseReport } from '../ingest/report.ts';
import { watchFolder } from '../ingest/own-files/watch-folder.ts';
import { planContextOf, startLiveFeeds } from '../ingest/start-live.ts';
import type { OnWatchProgress } from '../ingest/watched/watch-progress.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { Log } from '../platform/log.ts';
import { FILES_FOLDER, provider as filesProvider } from '../providers/files/index.ts';
import { licensedProviders } from '../providers/licensed-providers.ts';
import type { SourceResponse, Provider } from '../providers/provider.ts';
import { providers } from '../providers/registry.gen.ts';
import { rejectIngestionOnCell } from './cell.ts';
import type { AppContext } from './context.ts';
import { startGatheringBeat } from './gathering-beat.ts';
import { sandboxSetting, sandboxSimulation, sandboxSources } from './sandbox-sources.ts';
import { type StoreKind, StoreKindError } from './store-kind.ts';

/**
 * View of ingestion for a process that serves requests, whether ingestion runs in this process or
 * elsewhere.
 */
export interface IngestionView {
  /** Sources of the data in this store. */
  sources: readonly Provider[];
  cooldown: LiveFeeds['cooldown'];
  planContext: LiveDeps['planContext'];
}

export interface Ingestion extends IngestionView {
  ingest(answer: SourceResponse): Promise<ResponseReport>;
  /**
   * Starts fetching data, the watched companies first. Resolves once sources that need no network
   * have filled the store.
   */
  feed(onWatchProgress?: OnWatchProgress): Promise<void>;
}

const BEHIND_STORE =
  'the store was written with a clock ahead of this one, and new data cannot replace what was ' +
  'recorded then; if the clock is right now, run: afterbell ingest reset-ahead';

/**
 * Ingests in this process. For each store, only one process fetches a given source; the others wait
 * to take over. `sources` defaults to the sources in the settings.
 */
export async function openIngestion(
  app: AppContext,
  sources: readonly Provider[] = configuredSources(app.settings, app.kind, app),
): Promise<Ingestion> {
  const { db, clock, random, log, settings, notifications, shutdown, loops } = app;
  await rejectIngestionOnCell(db);
  await saveSources(db, providers.map(asConfigured), sources);
  await rejectStoreAhead(app);
  const ingest = createIngest({
    db,
    clock,
    onCommit: notifications.notifyCommitted,
    providers: licensedProviders(providers, settings),
  });
  const beat = startGatheringBeat({ db, clock, log });
  shutdown.register('cell beat', beat.stop);
  const symbols = watchedSymbols(settings, sources);
  const simulation = app.kind === 'sandbox' ? sandboxSimulation(settings, clock) : undefined;
  let notify: OnWatchProgress = () => undefined;
  const live = startLiveFeeds({
    db,
    clock,
    random,
    log,
    ingest,
    providers: sources,
    loops,
    setting: settingsOf(app),
    simulation,
    // NOW shifts the clock on purpose.
    checksClock: app.kind === 'live' && settings.now === null,
    watched:
      symbols.length === 0 ? undefined : { symbols, onProgress: (progress) => notify(progress) },
  });
  shutdown.register('sources', () => live.stop());
  const { cooldown, planContext } = live;

  /** Sources of the sandbox have other terms than the real ones. */
  function asConfigured(provider: Provider): Provider {
    return sources.find(({ name }) => name === provider.name) ?? provider;
  }

  function feed(onWatchProgress = notify): Promise<void> {
    notify = onWatchProgress;
    return live.start();
  }
  return { sources, ingest, feed, cooldown, planContext };
}

/**
 * Throws `StoreKindError` if a live store was written with a clock ahead of this one, and only warns
 * about a simulated market.
 */
export async function rejectStoreAhead({
  db,
  clock,
  log,
  kind,
}: Pick<AppContext, 'db' | 'clock' | 'log' | 'kind'>): Promise<void> {
  const leadMs = await loadClockLeadMs(db, clock.now());
  if (leadMs === null) return;
  const leadSeconds = Math.round(leadMs / 1_000);
  if (kind === 'live') throw new StoreKindError(`${BEHIND_STORE} (${leadSeconds} s)`);
  log.warn({ event: 'clock.behind_store', leadSeconds }, BEHIND_STORE);
}

/** Returns the watched companies. Throws `SettingsError` if no source has pages about them. */
export function watchedSymbols(
  { watch }: Pick<Settings, 'watch'>,
  sources: readonly Provider[],
): string[] {
  if (watch.length === 0) return [];
  if (sources.every(({ companyFeeds }) => companyFeeds === undefined)) {
    const able = providers.filter(({ companyFeeds }) => companyFeeds !== undefined);
    const names = able.map(({ name }) => name).join(', ');
    throw new SettingsError([
      {
        problem: 'WATCH names companies to fetch first, but no source in SOURCES can do that',
        fix: `add one of these to SOURCES, or unset WATCH: ${names}`,
      },
    ]);
  }
  return [...new Set(watch.flatMap((symbol) => parseSymbol(symbol) ?? []))];
}

/**
 * Returns the view for a process in which ingestion does not run. It does not know the sources'
 * cooldowns.
 */
export async function viewIngestion(app: AppContext): Promise<IngestionView> {
  const { db, clock, settings, kind } = app;
  const configured = configuredSources(settings, kind, app);
  const sources = configured.length > 0 ? configured : await recordedSources(app);
  const setting = settingsOf(app);
  return { sources, cooldown: () => null, planContext: planContextOf({ db, clock, setting }) };
}

function settingsOf({ settings, kind }: AppContext): (name: string) => string | undefined {
  const setting = (name: string): string | undefined => settings.sourceSettings.get(name);
  return kind === 'sandbox' ? (name) => setting(name) ?? sandboxSetting(name) : setting;
}

/** Returns the sources that the ingesting process recorded in the store. */
async function recordedSources({ db }: AppContext): Promise<Provider[]> {
  const active = (await loadSources(db)).filter(({ isAsked }) => isAsked);
  return providers.filter(({ name }) => active.some((source) => source.name === name));
}

/**
 * Returns the sources from the settings. The sandbox store uses only the sandbox, with the size and
 * seed from its settings. A replay fetches nothing.
 */
export function configuredSources(
  settings: Pick<Settings, 'sources' | 'replay' | 'sourceSettings' | 'now'>,
  kind: StoreKind,
  deps: { clock: Clock; log: Log },
): Provider[] {
  if (kind === 'sandbox') {
    const [market, ...others] = sandboxSources(settings);
    return market === undefined ? [] : [withProgressLog(market, deps), ...others];
  }
  if (settings.replay !== null) return [];
  return providers
    .filter(({ name }) => settings.sources.includes(name))
    .map((provider) => {
      const folder = settings.sourceSettings.get(FILES_FOLDER);
      if (provider.name !== filesProvider.name || folder === undefined) return provider;
      return watchFolder(provider, {
        folder,
        log: deps.log,
        isClockShifted: settings.now !== null,
      });
    });
}

const PROGRESS_INTERVAL_MS = 3_000;

/**
 * Logs progress at intervals while the store is filled for the first time, because loading a large
 * market takes minutes.
 */
function withProgressLog(provider: Provider, { clock, log }: { clock: Clock; log: Log }): Provider {
  const { generateResponses: answers } = provider;
  if (answers === undefined) return provider;
  function* logged(from: Instant | null, to: Instant): Generator<SourceResponse> {
    const startedAtMs = clock.monotonicMs();
    let loggedAtMs = startedAtMs;
    if (from === null) log.info({ event: 'sandbox.loading' }, 'building the simulated market');
    let count = 0;
    for (const answer of answers?.(from, to) ?? []) {
      yield answer;
      count++;
      const nowMs = clock.monotonicMs();
      if (nowMs - loggedAtMs < PROGRESS_INTERVAL_MS) continue;
      loggedAtMs = nowMs;
      log.info(
        {
          event: 'sandbox.loading',
          responses: count,
          seconds: Math.round((nowMs - startedAtMs) / 1000),
          latest: answer.path,
        },
        'loading the simulated market',
      );
    }
    if (loggedAtMs > startedAtMs) {
      log.info({ event: 'sandbox.loaded', responses: count }, 'simulated market loaded');
    }
  }
  return { ...provider, generateResponses: logged };
}
