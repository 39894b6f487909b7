import { similarSymbols } from '../../datasets/securities/suggest.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { DatedFiling } from '../../providers/filing-follower.ts';
import {
  type CompanyFeeds,
  type Feed,
  type PlanContext,
  type SourceResponse,
  SourceResponseError,
} from '../../providers/provider.ts';
import { jobsOf } from '../jobs.ts';
import { storedUrl } from '../planned-requests.ts';
import { newReleases, readRelease, type UnreadRelease } from './read-releases.ts';
import type { WatchedDeps } from './watched-deps.ts';
import type { ArchivedPage } from './watched-store.ts';
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
 * Fetches the data of the watched companies before the rest of the market: the list of all companies
 * if a symbol is unknown, the pages of each company, then its newest releases. Fresh responses are
 * not fetched again. Failed requests are retried with backoff.
 */
export function fetchWatched(deps: WatchedDeps): WatchedFetch {
  return new WatchedFetcher(deps).start();
}

interface Company {
  symbol: string;
  cik: string;
  /** Releases that remain to be read; null until the pages are in. */
  releases: UnreadRelease[] | null;
  /** Filings in the fetched pages that may state results. */
  possible: DatedFiling[];
  /** Pages that an earlier process fetched. It may have ended before it read their filings. */
  earlierPages: ArchivedPage[];
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
  /** The list of companies, until it is ingested. */
  #list: { response: SourceResponse; startedAt: Instant } | null = null;

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
        if (failure === null) {
          onProgress({ kind: 'finished', symbols: this.#finished });
          return await this.#ingestList();
        }
        ({ retryAt } = failure);
      } catch (error) {
        if (signal.aborted) return;
        log.error({ event: 'watched.failed', err: error }, 'watched companies failed, retrying');
      }
      await this.#ingestList();
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
    for (const company of this.#companies ?? []) {
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
    const { symbols, planContext, signal, onProgress } = this.#deps;
    const context = await planContext('all');
    const ciks = new Map(context.ciks);
    if (symbols.some((symbol) => !ciks.has(symbol))) {
      // A store without any company needs the list, however fresh the last response is.
      if (ciks.size === 0) this.#fresh?.clear();
      const failure = await this.#fetchList(context, ciks);
      if (failure !== null || signal.aborted) return failure;
    }
    this.#companies = symbols.flatMap((symbol) => {
      const cik = ciks.get(symbol);
      return cik === undefined
        ? []
        : [{ symbol, cik, releases: null, possible: [], earlierPages: [] }];
    });
    for (const symbol of symbols.filter((each) => !ciks.has(each))) {
      const suggestions = similarSymbols(symbol, [...ciks.keys()].toSorted());
      onProgress({ kind: 'unknown-symbol', symbol, suggestions });
    }
    return null;
  }

  /**
   * Adds the companies in the list to `ciks`. The list is ingested later, because ten thousand
   * companies take longer than all other requests.
   */
  async #fetchList(context: PlanContext, ciks: Map<string, string>): Promise<Failure | null> {
    const { provider, companyFeeds, clock, ingest, onProgress } = this.#deps;
    const { feed: name, title } = companyFeeds.list;
    const feed = provider.feeds.find((candidate) => candidate.name === name);
    const [request] = feed?.plan?.(context) ?? [];
    if (feed === undefined || request === undefined) return null;
    if (this.#fresh?.has(storedUrl(request.url))) return null;
    const startedAt = clock.now();
    const outcome = await this.#source.fetch(request, (response) => {
      const companies = readCompanies(feed, response);
      // The response is rejected and recorded with its reason.
      if (companies === null) return ingest(response);
      for (const [symbol, cik] of companies) if (!ciks.has(symbol)) ciks.set(symbol, cik);
      this.#list = { response, startedAt };
      onProgress({ kind: 'document', symbol: null, title, rows: companies.length });
      return Promise.resolve({
        provider: provider.name,
        feed: name,
        datasets: [],
        isDamaged: false,
      });
    });
    if (outcome.kind === 'stopped' || this.#list !== null) return null;
    const retryAt = outcome.kind === 'failed' ? outcome.failure.retryAt : clock.now();
    return { of: 'source', retryAt };
  }

  /** Ingests the fetched list, and marks its scheduled jobs as done so that they do not fetch it again. */
  async #ingestList(): Promise<void> {
    const { companyFeeds, ingest, jobs, log, provider, signal } = this.#deps;
    const list = this.#list;
    this.#list = null;
    if (list === null || signal.aborted) return;
    try {
      const { datasets } = await ingest(list.response);
      if (datasets.some(({ outcome }) => outcome === 'rejected')) return;
      for (const { id, feed } of jobsOf([provider])) {
        if (feed === companyFeeds.list.feed) await jobs.saveProgress(id, list.startedAt);
      }
    } catch (error) {
      log.error({ event: 'watched.failed', err: error }, 'list of companies not stored');
    }
  }

  async #fetchCompany(company: Company): Promise<Failure | null> {
    const { clock, companyFeeds, setting, signal } = this.#deps;
    const { symbol, cik } = company;
    const now = clock.now();
    const today = newYorkDate(now);
    const context = { now, today, symbols: [symbol], ciks: new Map([[symbol, cik]]), setting };
    for (const page of companyFeeds.pages) {
      const failure = await this.#fetchPage(company, page, context);
      if (failure !== null || signal.aborted) return failure;
    }
    company.releases ??= await newReleases(this.#deps, cik, today, () =>
      this.#loadPossible(company),
    );
    for (const release of company.releases) {
      const result = await readRelease(this.#deps, this.#source, { symbol, release });
      if (signal.aborted) return null;
      if (result !== null && result !== 'served') return result;
      company.releases = company.releases.filter((other) => other !== release);
      if (result === 'served' && release.isPossible) company.releases = [];
      if (company.releases.length === 0) break;
    }
    return null;
  }

  async #loadPossible({ possible, earlierPages }: Company): Promise<DatedFiling[]> {
    const { provider, store } = this.#deps;
    const all = [...possible];
    for (const page of earlierPages) {
      const response = await store.loadPage(page);
      if (response !== null) all.push(...(provider.follower?.readPossibleResults(response) ?? []));
    }
    return all;
  }

  /** Makes the requests for a page that have no fresh response. */
  async #fetchPage(
    { symbol, earlierPages, possible }: Company,
    { feed: name, title }: CompanyFeeds['list'],
    context: PlanContext,
  ): Promise<Failure | null> {
    const { ingest, provider } = this.#deps;
    const feed = provider.feeds.find((candidate) => candidate.name === name);
    for (const request of feed?.plan?.(context) ?? []) {
      const url = storedUrl(request.url);
      if (this.#fresh?.has(url)) {
        earlierPages.push({ provider: provider.name, feed: name, url });
        continue;
      }
      const outcome = await this.#source.fetch(request, (response) => {
        possible.push(...(provider.follower?.readPossibleResults(response) ?? []));
        return ingest(response);
      });
      if (outcome.kind === 'stopped') return null;
      if (outcome.kind === 'failed') return outcome.failure;
      this.#fresh?.add(url);
      // The source may have no such page about the company.
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

/** Returns symbols with their filers; null if the response cannot be read. */
function readCompanies(feed: Feed, response: SourceResponse): [string, string][] | null {
  try {
    return feed.parse(response).rows.flatMap((row): [string, string][] => {
      const cik = row.dataset === 'securities' ? row.fields.cik : null;
      return cik === null || cik === undefined ? [] : [[row.entityKey, cik]];
    });
  } catch (error) {
    if (error instanceof SourceResponseError) return null;
    throw error;
  }
}
