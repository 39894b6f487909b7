import type { SeenFiling } from '../../datasets/filings/store.ts';
import { addDays, type LocalDate, weekdayOf } from '../../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import { createBackoff } from '../../platform/backoff.ts';
import type { Instant } from '../../platform/instant.ts';
import type { LoopReporter } from '../../platform/loop-health.ts';
import type { SourceClient } from '../../platform/source-client.ts';
import type { FilingFollower, ListedFiling } from '../../providers/filing-follower.ts';
import type { PlanContext, SourceResponse } from '../../providers/provider.ts';
import type { JobStore } from '../job-store.ts';
import type { ResponseReport } from '../report.ts';
import type { FilingLedger } from './filing-ledger.ts';
import { FilingQueue } from './filing-queue.ts';
import { readFiling } from './read-filing.ts';
import { type ListDeps, type ListState, loadListStates, readList } from './read-list.ts';
import { readFrom, type SourceAccess } from './source-access.ts';

export interface FollowDeps extends SourceAccess {
  /** Name of the provider. */
  name: string;
  follower: FilingFollower;
  settings: Pick<PlanContext, 'setting'>;
  jobs: Pick<JobStore, 'loadProgress' | 'saveProgress'>;
  ledger: FilingLedger;
  /** Receives the outcome of every step. */
  health?: LoopReporter | undefined;
  ingest(response: SourceResponse): Promise<ResponseReport>;
}

export interface FilingsFollowing {
  /** Follows the source until the signal aborts. */
  run(): Promise<void>;
  /** Returns the same client, whose requests wait while documents of new filings are read. */
  inBackground(source: SourceClient): SourceClient;
}

/** Documents read at a time: one is fetched while another is ingested. */
const READERS = 2;
/** Other requests to the source are not kept waiting for longer than this. */
const BACKGROUND_WAIT_MS = 5 * 60_000;
const CLOSED_POLL_MS = 30_000;
const BACKOFF_MS = { min: 1_000, max: 60_000 };
const KNOWN_MAX = 20_000;
const INDEX_POLL_MS = 10 * 60_000;
const INDEX_DAYS_MAX = 30;
const POSTS_MS = 5_000;
/** Deliveries of a filing are retried for longer, but its first one is not. */
const POSTS_REACH_MS = 10 * 60_000;
const KEPT_MS = 100 * 86_400_000;

/** Follows the filings of one source: sees them, reads their documents and closes gaps. */
export function followFilings(deps: FollowDeps): FilingsFollowing {
  return new FilingsFollower(deps);
}

class FilingsFollower implements FilingsFollowing {
  readonly #deps: FollowDeps;
  readonly #queue: FilingQueue;
  readonly #known = new Set<string>();
  #postsDueAtMs = 0;
  #servedAt = 0;

  constructor(deps: FollowDeps) {
    this.#deps = deps;
    this.#queue = new FilingQueue(deps.clock);
  }

  async run(): Promise<void> {
    const { jobs, ledger } = this.#deps;
    const start = await this.#untilDone(async () => ({
      open: await ledger.loadOpen(),
      lists: await loadListStates(this.#listDeps()),
      indexedTo: await jobs.loadProgress(this.#indexId()),
    }));
    if (start === null) return;
    for (const filing of start.open) this.#queue.add(filing);
    await Promise.all([
      this.#followLists(start.lists),
      this.#readIndexes(start.indexedTo),
      ...Array.from({ length: READERS }, () => this.#forever(() => this.#readNext())),
    ]);
  }

  inBackground(source: SourceClient): SourceClient {
    return {
      cooldown: () => source.cooldown(),
      clockAheadMs: () => source.clockAheadMs?.() ?? null,
      hostCooldowns: () => source.hostCooldowns?.() ?? new Map(),
      budgetWaitMs: (use) => source.budgetWaitMs?.(use) ?? 0,
      ...(source.refused && { refused: source.refused.bind(source) }),
      fetch: async (request) => {
        await this.#queue.waitUntilIdle(request.signal, BACKGROUND_WAIT_MS);
        return source.fetch(request);
      },
    };
  }

  /** Repeats a step until the signal aborts. */
  async #forever(step: () => Promise<void>): Promise<void> {
    while (!this.#deps.signal.aborted) await this.#untilDone(step);
  }

  /** Repeats a step that the store failed; null if the signal aborts before it is done. */
  async #untilDone<Result>(step: () => Promise<Result>): Promise<Result | null> {
    const { clock, log, signal, health } = this.#deps;
    const backoff = createBackoff({
      clock,
      minMs: BACKOFF_MS.min,
      maxMs: BACKOFF_MS.max,
      health,
      log: (fields) =>
        log.error(
          { ...fields, event: 'filings.follow_failed' },
          'following filings failed, retrying',
        ),
    });
    while (!signal.aborted) {
      try {
        const result = await step();
        backoff.succeeded();
        return result;
      } catch (error) {
        if (signal.aborted) return null;
        await clock.sleep(backoff.failed(error), signal);
      }
    }
    return null;
  }

  #listDeps(): ListDeps {
    const { follower, settings, name } = this.#deps;
    return {
      ...this.#deps,
      request: (list: string, start: number) => follower.pageRequest(list, start, settings),
      record: async (filings: readonly ListedFiling[], isLive: boolean) => {
        await this.#record(filings, isLive);
      },
      progressId: (list: string) => `${name}/current-feed/${list}`,
    };
  }

  #indexId(): string {
    return `${this.#deps.name}/daily-index`;
  }

  async #followLists(states: readonly ListState[]): Promise<void> {
    const { clock, follower, settings, signal } = this.#deps;
    const lists = this.#listDeps();
    let poll = 0;
    await this.#forever(async () => {
      const startedAtMs = clock.monotonicMs();
      if (!follower.isOpen(clock.now())) {
        poll = 0;
        await this.#recordPosts();
        await clock.sleep(CLOSED_POLL_MS, signal);
        return;
      }
      for (const state of states) {
        if (poll % state.list.everyPolls === 0) await readList(lists, state);
      }
      poll++;
      await this.#recordPosts();
      const waitMs = startedAtMs + follower.pollMs(settings) - clock.monotonicMs();
      await clock.sleep(Math.max(1, waitMs), signal);
    });
  }

  /** Records the filings of a list, and returns how many were unknown. */
  async #record(listed: readonly ListedFiling[], isLive: boolean): Promise<number> {
    const { clock, follower, ledger } = this.#deps;
    const unseen = listed.filter(({ accession }) => !this.#known.has(accession));
    if (unseen.length === 0) return 0;
    const seenAt = clock.now();
    const filings = unseen.map((filing): SeenFiling => {
      return { ...filing, seenAt, isLive, isOpen: follower.mayStateResults(filing) };
    });
    const added = await ledger.record(filings);
    for (const filing of added) if (filing.isOpen) this.#queue.add(filing);
    for (const { accession } of unseen) this.#known.add(accession);
    const excess = this.#known.size - KNOWN_MAX;
    for (const accession of [...this.#known].slice(0, Math.max(0, excess))) {
      this.#known.delete(accession);
    }
    return added.length;
  }

  async #readNext(): Promise<void> {
    const { signal, ledger, log } = this.#deps;
    const entry = await this.#queue.take(signal);
    if (entry === null) return;
    const { accession } = entry.filing;
    try {
      const outcome = await readFiling(this.#deps, entry.filing);
      if (outcome.kind === 'stopped') return;
      if (outcome.kind === 'read') {
        const { documents, mayServeAt } = outcome;
        const { items, acceptedAt } = documents;
        if (mayServeAt !== null) this.#servedAt = mayServeAt;
        await ledger.finish({ accession, state: 'done', items, acceptedAt, mayServeAt });
      } else if (!this.#queue.retry(entry)) {
        log.warn({ event: 'filings.failed', accession, reason: outcome.reason }, 'filing not read');
        const unknown = { items: null, acceptedAt: null, mayServeAt: null };
        await ledger.finish({ accession, state: 'failed', ...unknown });
      }
    } catch (error) {
      this.#queue.retry(entry);
      throw error;
    } finally {
      this.#queue.finish(entry);
    }
  }

  /** Reads the index of each business day once it is complete, newest first, and closes gaps. */
  async #readIndexes(indexedTo: Instant | null): Promise<void> {
    const { clock, jobs, ledger, signal } = this.#deps;
    let doneTo = indexedTo;
    await this.#forever(async () => {
      const today = newYorkDate(clock.now());
      if (doneTo === null) {
        // Before the first start there is no gap to close.
        doneTo = newYorkInstant(addDays(today, -1), 0);
        await jobs.saveProgress(this.#indexId(), doneTo);
      }
      const from = addDays(newYorkDate(doneTo), 1);
      const days = businessDays(from, today).filter((day) => this.#isIndexed(day));
      const outcomes: boolean[] = [];
      for (const day of days.toReversed()) outcomes.unshift(await this.#readIndex(day));
      // Days after a failed one are read again, which adds nothing.
      const failed = outcomes.indexOf(false);
      const last = days[(failed === -1 ? days.length : failed) - 1];
      if (last !== undefined) {
        doneTo = newYorkInstant(last, 0);
        await jobs.saveProgress(this.#indexId(), doneTo);
        await ledger.deleteBefore(clock.now() - KEPT_MS);
      }
      await clock.sleep(INDEX_POLL_MS, signal);
    });
  }

  #isIndexed(day: LocalDate): boolean {
    const { clock, follower } = this.#deps;
    return clock.now() >= newYorkInstant(day, follower.indexMinute);
  }

  async #readIndex(day: LocalDate): Promise<boolean> {
    const { clock, follower, settings, log } = this.#deps;
    const result = await readFrom(
      this.#deps,
      follower.indexRequest(day, settings),
      follower.readIndex,
    );
    // A holiday has no index; that of an evening may come late.
    if (result.kind === 'missing') return day < newYorkDate(clock.now());
    if (result.kind !== 'read') return false;
    const added = await this.#record(result.value, false);
    const fields = { day, filings: result.value.length, added };
    log.info({ event: 'filings.index_read', ...fields }, 'daily index compared');
    return true;
  }

  /** Looks for webhooks with results that were served in the last minutes. */
  async #recordPosts(): Promise<void> {
    const { clock, ledger } = this.#deps;
    const nowMs = clock.monotonicMs();
    const since = clock.now() - POSTS_REACH_MS;
    if (nowMs < this.#postsDueAtMs || this.#servedAt < since) return;
    this.#postsDueAtMs = nowMs + POSTS_MS;
    await ledger.recordPosts(since);
  }
}

function businessDays(from: LocalDate, to: LocalDate): LocalDate[] {
  const first = from < addDays(to, -INDEX_DAYS_MAX) ? addDays(to, -INDEX_DAYS_MAX) : from;
  const days: LocalDate[] = [];
  for (let day = first; day <= to; day = addDays(day, 1)) {
    if (weekdayOf(day) >= 1 && weekdayOf(day) <= 5) days.push(day);
  }
  return days;
}
