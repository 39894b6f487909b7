import { nearestDayWithReports } from '../datasets/earnings/store.ts';
import { newYorkDate } from '../domain/new-york.ts';
import type { AnswerReport } from '../ingest/report.ts';
import { type Base, type BaseOptions, openBase, openCipher } from './context.ts';
import { gatheredElsewhere, openGathering } from './ingestion.ts';
import { openServing, type Serving } from './http-server.ts';
import { startWorking } from './working.ts';
import type { Answer, Provider } from '../providers/provider.ts';
import type { Settings } from '../config/settings.ts';
import { unstatedUrl } from '../config/public-url.ts';
import type { Db } from '../storage/db.ts';
import type { StoreKind } from './store-kind.ts';

export type ServiceOptions = BaseOptions & { kind: StoreKind };

/** A process that answers HTTP. */
export interface ServeRole extends Serving {
  db: Db;
  /** Sources that this store's facts are asked of. */
  sources: readonly Provider[];
  /** A day to show first: today when something reports, else the nearest day with reports. */
  dayToShow(): Promise<string>;
  /** From now on `/readyz` says so. */
  markReady(): void;
}

export interface Service extends ServeRole {
  ingest(answer: Answer): Promise<AnswerReport>;
  /** Starts asking the sources; resolves when those without a network have filled the store. */
  feed(): Promise<void>;
}

/** A process without an HTTP of its own, but for health and figures on METRICS_PORT. */
export interface QuietRole {
  /** Where its figures are; null without METRICS_PORT. */
  metricsUrl: string | null;
  markReady(): void;
}

export interface IngestRole extends QuietRole {
  sources: readonly Provider[];
  db: Db;
  feed(): Promise<void>;
}

/** The whole service in one process; it listens when this resolves. Closers go to `shutdown`. */
export async function startService(options: ServiceOptions): Promise<Service> {
  warnOfUnstatedUrl(options);
  const base = await openBase(options);
  const gathering = await openGathering(base);
  const cipher = await openCipher(base);
  await startWorking(base, cipher);
  await base.measured.serve();
  // Nobody stands beside it to take over: it ends without a delay.
  const serving = await openServing(base, { cipher, gathering, drainMs: 0 });
  return { ...serving, ...facts(base, gathering.sources), ...gathering };
}

/** The part that answers HTTP alone: one of several on one PostgreSQL. */
export async function startServe(options: BaseOptions): Promise<ServeRole> {
  warnOfUnstatedUrl(options);
  const base = await openBase(options);
  const gathering = await gatheredElsewhere(base);
  const cipher = await openCipher(base);
  await base.measured.serve();
  const drainMs = options.settings.drainSeconds * 1_000;
  const serving = await openServing(base, { cipher, gathering, drainMs });
  return { ...serving, ...facts(base, gathering.sources) };
}

/** The part that delivers webhooks alone: one of several on one PostgreSQL. */
export async function startWork(options: BaseOptions): Promise<QuietRole> {
  const base = await openBase(options);
  await startWorking(base, await openCipher(base));
  const metricsUrl = await base.measured.serve();
  return { metricsUrl, markReady: base.readiness.markReady };
}

/** The part that gathers alone; each source is asked by one of several on one PostgreSQL. */
export async function startIngest(
  options: BaseOptions,
  sources?: readonly Provider[],
): Promise<IngestRole> {
  const base = await openBase(options);
  const gathering = await openGathering(base, sources);
  const metricsUrl = await base.measured.serve();
  const { db, readiness } = base;
  return {
    metricsUrl,
    db,
    sources: gathering.sources,
    feed: gathering.feed,
    markReady: readiness.markReady,
  };
}

function facts({ db, clock, readiness }: Base, sources: readonly Provider[]) {
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

function warnOfUnstatedUrl({ settings, log }: { settings: Settings; log: BaseOptions['log'] }) {
  const unstated = unstatedUrl(settings);
  if (unstated !== null) log.warn({ mend: unstated.fix }, unstated.problem);
}
