import { nearestDayWithReports } from '../datasets/earnings/store.ts';
import { newYorkDate } from '../domain/new-york.ts';
import type { ResponseReport } from '../ingest/report.ts';
import type { Provider, SourceResponse } from '../providers/provider.ts';
import type { Db } from '../storage/db.ts';
import { type AppContext, type AppOptions, createAppContext, openCipher } from './context.ts';
import { type HttpService, startHttpService } from './http-server.ts';
import { type Ingestion, openIngestion, viewIngestion } from './ingestion.ts';
import type { ProcessReport } from './processes/messages.ts';
import { warnOfExposures } from './exposures-warning.ts';
import type { StoreKind } from './store-kind.ts';
import { rejectUsedPorts } from './used-ports.ts';
import { startWebhooks } from './webhook-worker.ts';

/** A process that serves the APIs and pages over HTTP. */
export interface ServeRole extends HttpService {
  db: Db;
  /** Sources of the data in this store. */
  sources: readonly Provider[];
  /**
   * Returns the day that the pages show first: `today` if a company reports, otherwise the nearest
   * day with reports.
   */
  dayToShow(): Promise<string>;
  /** Makes `/readyz` report ready. */
  markReady(): void;
}

/** All parts of the service in one process. */
export interface Service extends ServeRole {
  ingest(response: SourceResponse): Promise<ResponseReport>;
  feed: Ingestion['feed'];
}

/** A process whose only HTTP server listens on METRICS_PORT. */
export interface BackgroundRole {
  /** URL of the metrics server; null without METRICS_PORT. */
  metricsUrl: string | null;
  markReady(): void;
}

export interface IngestRole extends BackgroundRole {
  sources: readonly Provider[];
  db: Db;
  feed: Ingestion['feed'];
}

/**
 * Runs everything in one process. When this resolves, the service is listening; `shutdown` closes
 * all parts.
 */
export async function startAll(options: AppOptions & { kind: StoreKind }): Promise<Service> {
  warnOfExposures(options);
  await rejectUsedPorts(options.settings, { servesHttp: true });
  const app = await createAppContext(options);
  const ingestion = await openIngestion(app);
  const cipher = await openCipher(app);
  await startWebhooks(app, cipher);
  await app.metrics.serve();
  // No other process can take over requests from this one, so it stops without draining.
  const http = await startHttpService(app, { cipher, ingestion, drainMs: 0 });
  return { ...http, ...roleOf(app, ingestion.sources), ...ingestion };
}

/**
 * Serves HTTP only. Several such processes can share one PostgreSQL database. With `process`, the
 * supervising process has already checked the settings and serves METRICS_PORT.
 */
export async function startServe(
  options: AppOptions,
): Promise<ServeRole & { report(): Promise<ProcessReport> }> {
  const isAlone = (options.process ?? null) === null;
  if (isAlone) {
    warnOfExposures(options);
    await rejectUsedPorts(options.settings, { servesHttp: true });
  }
  const app = await createAppContext(options);
  const ingestion = await viewIngestion(app);
  const cipher = await openCipher(app);
  if (isAlone) await app.metrics.serve();
  const drainMs = options.settings.drainSeconds * 1_000;
  const http = await startHttpService(app, { cipher, ingestion, drainMs });
  return { ...http, ...roleOf(app, ingestion.sources), report: () => reportOf(app) };
}

async function reportOf({ readiness, metrics }: AppContext): Promise<ProcessReport> {
  return { readiness: readiness.state(), metrics: await metrics.snapshot() };
}

/** Delivers webhooks only. Several such processes can share one PostgreSQL database. */
export async function startWork(options: AppOptions): Promise<BackgroundRole> {
  await rejectUsedPorts(options.settings, { servesHttp: false });
  const app = await createAppContext(options);
  await startWebhooks(app, await openCipher(app));
  const metricsUrl = await app.metrics.serve();
  return { metricsUrl, markReady: app.readiness.markReady };
}

/**
 * Ingests only. Several such processes can share one PostgreSQL database; each source is fetched by
 * one of them.
 */
export async function startIngest(
  options: AppOptions,
  providers?: readonly Provider[],
): Promise<IngestRole> {
  await rejectUsedPorts(options.settings, { servesHttp: false });
  const app = await createAppContext(options);
  const { sources, feed } = await openIngestion(app, providers);
  const metricsUrl = await app.metrics.serve();
  return { metricsUrl, db: app.db, sources, feed, markReady: app.readiness.markReady };
}

function roleOf({ db, clock, readiness }: AppContext, sources: readonly Provider[]) {
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
