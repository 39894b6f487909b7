import { nearestDayWithReports } from '../datasets/earnings/store.ts';
import { newYorkDate } from '../domain/new-york.ts';
import type { AnswerReport } from '../ingest/report.ts';
import { type AppContext, type AppOptions, createAppContext, openCipher } from './context.ts';
import { viewIngestion, openIngestion } from './ingestion.ts';
import { startHttpService, type HttpService } from './http-server.ts';
import { startWorking } from './working.ts';
import type { SourceResponse, Provider } from '../providers/provider.ts';
import type { Settings } from '../config/settings.ts';
import { checkPublicUrl } from '../config/public-url.ts';
import type { Db } from '../storage/db.ts';
import type { StoreKind } from './store-kind.ts';

export type ServiceOptions = AppOptions & { kind: StoreKind };

/** A process that answers HTTP. */
export interface ServeRole extends HttpService {
  db: Db;
  /** Sources that this store's facts are asked of. */
  sources: readonly Provider[];
  /** A day to show first: today when something reports, else the nearest day with reports. */
  dayToShow(): Promise<string>;
  /** From now on `/readyz` says so. */
  markReady(): void;
}

export interface Service extends ServeRole {
  ingest(answer: SourceResponse): Promise<AnswerReport>;
  /** Starts asking the sources; resolves when those without a network have filled the store. */
  feed(): Promise<void>;
}

/** A process without an HTTP of its own, but for health and figures on METRICS_PORT. */
export interface BackgroundRole {
  /** Where its figures are; null without METRICS_PORT. */
  metricsUrl: string | null;
  markReady(): void;
}

export interface IngestRole extends BackgroundRole {
  sources: readonly Provider[];
  db: Db;
  feed(): Promise<void>;
}

/** The whole service in one process; it listens when this resolves. Closers go to `shutdown`. */
export async function startService(options: ServiceOptions): Promise<Service> {
  warnOfUnstatedUrl(options);
  const base = await createAppContext(options);
  const gathering = await openIngestion(base);
  const cipher = await openCipher(base);
  await startWorking(base, cipher);
  await base.metrics.serve();
  // Nobody stands beside it to take over: it ends without a delay.
  const serving = await startHttpService(base, { cipher, gathering, drainMs: 0 });
  return { ...serving, ...roleInfo(base, gathering.sources), ...gathering };
}

/** The part that answers HTTP alone: one of several on one PostgreSQL. */
export async function startServe(options: AppOptions): Promise<ServeRole> {
  warnOfUnstatedUrl(options);
  const base = await createAppContext(options);
  const gathering = await viewIngestion(base);
  const cipher = await openCipher(base);
  await base.metrics.serve();
  const drainMs = options.settings.drainSeconds * 1_000;
  const serving = await startHttpService(base, { cipher, gathering, drainMs });
  return { ...serving, ...roleInfo(base, gathering.sources) };
}

/** The part that delivers webhooks alone: one of several on one PostgreSQL. */
export async function startWork(options: AppOptions): Promise<BackgroundRole> {
  const base = await createAppContext(options);
  await startWorking(base, await openCipher(base));
  const metricsUrl = await base.metrics.serve();
  return { metricsUrl, markReady: base.readiness.markReady };
}

/** The part that gathers alone; each source is asked by one of several on one PostgreSQL. */
export async function startIngest(
  options: AppOptions,
  sources?: readonly Provider[],
): Promise<IngestRole> {
  const base = await createAppContext(options);
  const gathering = await openIngestion(base, sources);
  const metricsUrl = await base.metrics.serve();
  const { db, readiness } = base;
  return {
    metricsUrl,
    db,
    sources: gathering.sources,
    feed: gathering.feed,
    markReady: readiness.markReady,
  };
}

function roleInfo({ db, clock, readiness }: AppContext, sources: readonly Provider[]) {
  return {
    db,
    sources,
    async dayToShow() {
      const today = newYorkDate(clock.now());
      const day = await nearestDayWithReports(db, today);
      return day === null || day === today ? 'today' : day;
    },
    markReady: readiness.markReady,
  };
}

function warnOfUnstatedUrl({ settings, log }: { settings: Settings; log: AppOptions['log'] }) {
  const unstated = checkPublicUrl(settings);
  if (unstated !== null) log.warn({ mend: unstated.fix }, unstated.problem);
}
