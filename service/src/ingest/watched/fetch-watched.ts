import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { CompanyFeeds, PlanContext } from '../../providers/provider.ts';
import { jobsOf } from '../jobs.ts';
import { storedUrl } from '../planned-requests.ts';
import { newReleases, readRelease, type UnreadRelease } from './read-releases.ts';
import type { WatchedDeps } from './watched-deps.ts';
import { type Failure, WatchedSource } from './watched-source.ts';

export interface WatchedFetch {
  /** Resolves when other requests to the source may begin: all is fetched, or cannot be now. */
  headStart: Promise<void>;
  /** Resolves when all is fetched, or the signal aborts. Never rejects. */
  done: Promise<void>;
}

/** Responses of this age are fresh, so that a restart does not repeat their requests. */
const FRESH_MS = 20 * 3_600_000;
/** Other requests to the source wait no longer than this. */
const HEAD_START_MS = 60_000;
const RETRY_MS = 10_000;
const RETRY_MS_MAX = 30 * 60_000;

/**
 * Fetches everything about the watched companies before the rest of the market: the list of all
 * companies if a symbol is unknown, the pages of each company, then its newest releases. Fresh
 * responses are not fetched again. Failed requests are repeated, ever more rarely.
 */
export function fetchWatched(deps: WatchedDeps): WatchedFetch {
  return new WatchedFetcher(deps).start();
}

interface Company {
  symbol: string;
  cik: string;
  /** Releases that remain to be read; null until the pages are in. */
  releases: UnreadRelease[] | null;
}

class WatchedFetcher {
  readonly #deps: WatchedDeps;
  readonly #source: WatchedSource;
  readonly #headStart = Promise.withResolvers<void>();
  /** URLs of fresh responses; null until they are loaded. */
  #fresh: Set<string> | null = null;
  /** Companies that are not finished; null until the symbols are looked up. */
  #companies: Company[] | null = null;
  readonly #finished: string[] = [];

  constructor(deps: WatchedDeps) {
    this.#deps = deps;
    this.#source = new WatchedSource(deps);
  }

  start(): WatchedFetch {
    const timer = this.#deps.clock.setTimer(HEAD_START_MS, () => this.#headStart.resolve());
    const done = this.#run().finally(() => {
      timer.cancel();
      this.#headStart.resolve();
    });
    return { headStart: this.#headStart.promise, done };
  }

  async #run(): Promise<void> {
    const { clock, log, signal, symbols, onProgress } = this.#deps;
    onProgress({ kind: 'started', symbols });
    for (let delayMs = RETRY_MS; !signal.aborted; delayMs = Math.min(2 * delayMs, RETRY_MS_MAX)) {
      let retryAt = clock.now();
      try {
        const failure = await this.#fetchRemaining();
        if (signal.aborted) return;
        if (failure === null) return onProgress({ kind: 'finished', symbols: this.#finished });
        ({ retryAt } = failure);
      } catch (error) {
        if (signal.aborted) return;
        log.error({ event: 'watched.failed', err: error }, 'watched companies failed, retrying');
      }
      this.#headStart.resolve();
      await clock.sleep(Math.max(delayMs, retryAt - clock.now()), signal);
    }
  }

  /** Returns the failure after which something remains to be fetched. */
  async #fetchRemaining(): Promise<Failure | null> {
    const { signal } = this.#deps;
    this.#fresh ??= await this.#loadFresh();
    const failure = this.#companies === null ? await this.#findCompanies() : null;
    if (failure !== null) return failure;
    let last: Failure | null = null;
    for (const company of [...(this.#companies ?? [])]) {
      const failed = await this.#fetchCompany(company);
      if (signal.aborted) return null;
      if (failed === null) await this.#finish(company);
      else if (failed.of === 'source') return failed;
      else last = failed;
    }
    return last;
  }

  async #loadFresh(): Promise<Set<string>> {
    const { clock, companyFeeds, jobs, provider } = this.#deps;
    const since = clock.now() - FRESH_MS;
    const urls = new Set<string>();
    for (const { feed } of [companyFeeds.list, ...companyFeeds.pages]) {
      const responses = await jobs.loadResponseTimes(provider.name, feed, since);
      for (const [url, at] of responses) if (at >= since) urls.add(url);
    }
    return urls;
  }

  /** Looks up the symbols, in the source's list of companies if the store does not know one. */
  async #findCompanies(): Promise<Failure | null> {
    const { symbols, companyFeeds, clock, planContext, signal, store, onProgress } = this.#deps;
    let context = await planContext('all');
    if (symbols.some((symbol) => !context.ciks.has(symbol))) {
      // A store without any company needs the list, however fresh the last response is.
      if (context.ciks.size === 0) this.#fresh?.clear();
      const startedAt = clock.now();
      const failure = await this.#fetchPage(null, companyFeeds.list, context);
      if (failure !== null || signal.aborted) return failure;
      await this.#saveListProgress(startedAt);
      context = await planContext('all');
    }
    this.#companies = symbols.flatMap((symbol) => {
      const cik = context.ciks.get(symbol);
      return cik === undefined ? [] : [{ symbol, cik, releases: null }];
    });
    for (const symbol of symbols.filter((each) => !context.ciks.has(each))) {
      onProgress({ kind: 'unknown-symbol', symbol, suggestions: await store.suggest(symbol) });
    }
    return null;
  }

  /** Spares the scheduled jobs a second request for the list. */
  async #saveListProgress(startedAt: Instant): Promise<void> {
    const { provider, companyFeeds, jobs } = this.#deps;
    for (const { id, feed } of jobsOf([provider])) {
      if (feed === companyFeeds.list.feed) await jobs.saveProgress(id, startedAt);
    }
  }

  async #fetchCompany(company: Company): Promise<Failure | null> {
    const { clock, companyFeeds, setting, signal } = this.#deps;
    const { symbol, cik } = company;
    const now = clock.now();
    const today = newYorkDate(now);
    const context = { now, today, symbols: [symbol], ciks: new Map([[symbol, cik]]), setting };
    for (const page of companyFeeds.pages) {
      const failure = await this.#fetchPage(symbol, page, context);
      if (failure !== null || signal.aborted) return failure;
    }
    company.releases ??= await newReleases(this.#deps, cik, today);
    for (const release of [...company.releases]) {
      const failure = await readRelease(this.#deps, this.#source, { symbol, release });
      if (failure !== null || signal.aborted) return failure;
      company.releases = company.releases.filter((other) => other !== release);
    }
    return null;
  }

  /** Makes the requests for a page that have no fresh response. */
  async #fetchPage(
    symbol: string | null,
    { feed: name, title }: CompanyFeeds['list'],
    context: PlanContext,
  ): Promise<Failure | null> {
    const feed = this.#deps.provider.feeds.find((candidate) => candidate.name === name);
    for (const request of feed?.plan?.(context) ?? []) {
      const url = storedUrl(request.url);
      if (this.#fresh?.has(url)) continue;
      const outcome = await this.#source.fetch(request);
      if (outcome.kind === 'stopped') return null;
      if (outcome.kind === 'failed') {
        return symbol === null ? { ...outcome.failure, of: 'source' } : outcome.failure;
      }
      // Without the list, every symbol would be unknown. Other pages may be missing.
      if (outcome.kind === 'rejected' && symbol === null) {
        return { of: 'source', retryAt: this.#deps.clock.now() };
      }
      this.#fresh?.add(url);
      if (outcome.kind === 'rejected') continue;
      this.#deps.onProgress({ kind: 'document', symbol, title, rows: outcome.rows });
    }
    return null;
  }

  async #finish({ symbol }: Company): Promise<void> {
    const { clock, store, onProgress } = this.#deps;
    const summary = await store.summarize(symbol, newYorkDate(clock.now()));
    this.#companies = (this.#companies ?? []).filter((other) => other.symbol !== symbol);
    this.#finished.push(symbol);
    onProgress({ kind: 'company', symbol, ...summary });
  }
}
