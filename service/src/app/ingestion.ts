import { configuredSources } from './configured-sources.ts';
import { loadSources } from '../datasets/sources/store.ts';
import { createIngest } from '../ingest/ingest.ts';
import type { LiveDeps, LiveFeeds } from '../ingest/live.ts';
import { noteSources } from '../ingest/note-sources.ts';
import { planContextOf, startLiveFeeds } from '../ingest/start-live.ts';
import type { AnswerReport } from '../ingest/report.ts';
import { licensedProviders } from '../providers/licensed-providers.ts';
import { providers } from '../providers/registry.gen.ts';
import type { Answer, Provider } from '../providers/provider.ts';
import type { AppContext } from './context.ts';

/** What is known of gathering in a process that serves, whether it gathers itself or another does. */
export interface IngestionView {
  /** Sources that this store's facts are asked of. */
  sources: readonly Provider[];
  resting: LiveFeeds['resting'];
  planContext: LiveDeps['planContext'];
}

export interface Ingestion extends IngestionView {
  ingest(answer: Answer): Promise<AnswerReport>;
  /** Starts asking the sources; resolves when those without a network have filled the store. */
  feed(): Promise<void>;
}

/**
 * The part that gathers: each source is asked by one process of all on this store, and the others
 * stand by. `sources` are those of the settings unless given.
 */
export async function openIngestion(
  base: AppContext,
  sources: readonly Provider[] = configuredSources(base.settings, base.kind, base),
): Promise<Ingestion> {
  const { db, clock, random, log, settings, notifications: hints, shutdown } = base;
  await noteSources(db, providers, sources);
  const ingest = createIngest({
    db,
    clock,
    onCommit: hints.notifyCommitted,
    providers: licensedProviders(providers, settings),
  });
  const live = startLiveFeeds({
    db,
    clock,
    random,
    log,
    ingest,
    providers: sources,
    setting: (name) => settings.sourceSettings.get(name),
  });
  shutdown.register('sources', () => live.stop());
  const { resting, planContext } = live;
  return { sources, ingest, feed: () => live.start(), resting, planContext };
}

/** The view from a process that leaves gathering to others: whether a source rests only they know. */
export async function viewIngestion(base: AppContext): Promise<IngestionView> {
  const { db, clock, settings, kind } = base;
  const configured = configuredSources(settings, kind, base);
  const sources = configured.length > 0 ? configured : await sourcesOfStore(base);
  const setting = (name: string): string | undefined => settings.sourceSettings.get(name);
  return { sources, resting: () => null, planContext: planContextOf({ db, clock, setting }) };
}

/** Those that the process that gathers has noted, for who was not told of any. */
async function sourcesOfStore({ db }: AppContext): Promise<Provider[]> {
  const asked = (await loadSources(db)).filter(({ isAsked }) => isAsked);
  return providers.filter(({ name }) => asked.some((source) => source.name === name));
}
