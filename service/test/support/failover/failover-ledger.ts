import { expect } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Db } from '../../../src/storage/db.ts';
import {
  loadFailoverReports,
  type FailoverReport,
} from '../../../src/storage/health/failover-reports.ts';
import { COUNT_FROM } from '../roles/scripted-files.ts';
import type { FailoverLoad, StoredChange } from './failover-load.ts';

const clock = systemClock();
const POLL = { timeout: 120_000, interval: 200 };

type Measured = 'reads' | 'ingestion' | 'deliveries';

/** Compares the responses that clients got with the store and the reports of a failover. */
export class FailoverLedger {
  readonly #load: FailoverLoad;
  readonly #delaysMs: Record<Measured, number[]> = { reads: [], ingestion: [], deliveries: [] };
  readonly #lostTotals: Record<string, number> = {};
  readonly #lostCounts = new Set<number>();
  #failovers = 0;
  #history = '';
  #firstChange = 0;
  #actionsNamed = 0;
  #failedOverMs = 0;

  constructor(load: FailoverLoad) {
    this.#load = load;
  }

  /** Waits until the test is connected to the new primary. */
  async failedOver(readHistory: () => Promise<string | null>): Promise<void> {
    this.#failedOverMs = clock.monotonicMs();
    let history: string | null = null;
    const connected = async (): Promise<boolean> => {
      history = await readHistory().catch(() => null);
      return history !== null && history !== this.#history;
    };
    await awaitValue(connected, true, 'connected to the new primary');
    this.#history = history ?? '';
    this.#failovers += 1;
  }

  /**
   * Waits for the reports of all processes. Checks that each acknowledged change and call is either
   * stored or reported as lost, and that requests are counted. Returns the number of lost commits.
   */
  async check(note: string): Promise<number> {
    const { db, processCount } = this.#load;
    const reports = async () => {
      const stored = await storedReports(db, this.#history).catch(() => []);
      return stored.length;
    };
    await awaitValue(reports, processCount, `${note}: reports`);
    const reported = await storedReports(db, this.#history);
    requireEmpty(
      reported.filter(({ isComplete }) => !isComplete),
      note,
    );
    let lost = 0;
    for (const [kind, count] of reported.flatMap((report) => Object.entries(report.lost))) {
      this.#lostTotals[kind] = (this.#lostTotals[kind] ?? 0) + count;
      lost += count;
    }
    await this.#checkChanges(reported, note);
    await this.#checkCalls(reported, note);
    await this.#checkCounts(note);
    return lost;
  }

  async #checkChanges(reports: readonly FailoverReport[], note: string): Promise<void> {
    const before = this.#changesBefore();
    const named = new Set(
      reports.flatMap(({ entries }) =>
        entries.flatMap((entry) =>
          entry.kind === 'response' ? [entry.observedAt - COUNT_FROM] : [],
        ),
      ),
    );
    const stored = await storedCounts(this.#load.db, before);
    const silent = before.filter(({ count }) => !stored.has(count) && !named.has(count));
    requireEmpty(silent, `${note}: changes lost without a report`);
    const wrong = [...named].filter((count) => stored.has(count));
    requireEmpty(wrong, `${note}: changes reported although they are stored`);
    for (const { count } of before) if (named.has(count)) this.#lostCounts.add(count);
    this.#firstChange += before.length;
  }

  #changesBefore(): StoredChange[] {
    const all = this.#load.changes.slice(this.#firstChange);
    return all.filter(({ atMs }) => atMs < this.#failedOverMs);
  }

  async #checkCalls(reports: readonly FailoverReport[], note: string): Promise<void> {
    const calls = this.#load.calls.slice();
    // Returns one row.
    const [row] = await this.#load.db.query<{ count: number }>(
      `select count(*) as count from audit_event where act = 'watchlist.change'`,
    );
    this.#actionsNamed += reports
      .flatMap(({ entries }) => entries)
      .filter((entry) => entry.kind === 'action' && entry.action === 'watchlist.change').length;
    const known = (row?.count ?? 0) + this.#actionsNamed;
    const acknowledged = calls.filter(({ hasChanged }) => hasChanged).length;
    // At most the calls whose response was lost, and one that is running, are more.
    requireBetween(known, [acknowledged, this.#load.calls.length + 1], `${note}: actions`);
  }

  /** Counts may exceed the answered requests, because some responses were lost. */
  async #checkCounts(note: string): Promise<void> {
    const served = this.#load.responses().filter(({ status }) => status === 200).length;
    // Returns one row.
    const [row] = await this.#load.db.query<{ count: number }>(
      `select coalesce(sum(day_count), 0) as count from quota_use`,
    );
    requireBetween(
      row?.count ?? 0,
      [served, Number.POSITIVE_INFINITY],
      `${note}: counted requests`,
    );
  }

  /** Waits until this goes on again after the failover, and notes how long it took. */
  async measure(what: Measured, failedOverMs: number): Promise<void> {
    const { responses, changes, receivers } = this.#load;
    const posts = await receivers.posts();
    const firstMs = async (): Promise<number | null> => {
      if (what === 'deliveries') {
        return (await receivers.posts()) > posts ? clock.monotonicMs() : null;
      }
      const times =
        what === 'ingestion'
          ? changes.map(({ atMs }) => atMs)
          : responses().flatMap(({ status, doneMs }) => (status === 200 ? [doneMs] : []));
      return times.filter((atMs) => atMs > failedOverMs).toSorted((a, b) => a - b)[0] ?? null;
    };
    let foundMs: number | null = null;
    await awaitValue(async () => (foundMs = await firstMs()) !== null, true, `${what} go on`);
    this.#delaysMs[what].push((foundMs ?? failedOverMs) - failedOverMs);
  }

  /** The newest acknowledged count of each company that was not lost. */
  acknowledged(): ReadonlyMap<string, number> {
    const newest = new Map<string, number>();
    for (const { symbol, count } of this.#load.changes) {
      if (!this.#lostCounts.has(count))
        newest.set(symbol, Math.max(count, newest.get(symbol) ?? 0));
    }
    return newest;
  }

  figures(): Record<string, unknown> {
    return {
      failovers: this.#failovers,
      changes: this.#load.changes.length,
      calls: this.#load.calls.length,
      lost: this.#lostTotals,
      ...Object.fromEntries(
        Object.entries(this.#delaysMs).map(([what, delays]) => [`${what}Ms`, quantiles(delays)]),
      ),
    };
  }
}

function requireEmpty(list: readonly unknown[], note: string): void {
  expect(list, note).toEqual([]);
}

function requireBetween(value: number, [min, max]: readonly [number, number], note: string): void {
  expect(value, note).toBeGreaterThanOrEqual(min);
  expect(value, note).toBeLessThanOrEqual(max);
}

async function awaitValue<T>(read: () => Promise<T>, value: T, note = ''): Promise<void> {
  await expect.poll(read, { ...POLL, message: note }).toEqual(value);
}

function quantiles(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return [0.5, 0.95, 1].map((part) =>
    Math.round(sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0),
  );
}

async function storedReports(db: Db, history: string): Promise<FailoverReport[]> {
  const rows = await db.query<{ process: string }>(
    `select (regexp_match(process, '^\\S+ \\S+'))[1] as process from failover_report where history = $1`,
    [history],
  );
  const processes = new Set(rows.map(({ process }) => process));
  const all = await loadFailoverReports(db, 0);
  // The newest report of each process is about this history.
  return [...processes].flatMap(
    (process) => all.find((report) => report.process === process) ?? [],
  );
}

async function storedCounts(
  db: Db,
  changes: readonly StoredChange[],
): Promise<ReadonlySet<number>> {
  if (changes.length === 0) return new Set();
  // Returns one row per change.
  const rows = await db.query<{ at: number }>(
    `select a.observed_at as at from unnest($1::float8[]) as r (at)
       join raw_answer a on a.provider = 'files' and a.observed_at = to_timestamp(r.at / 1000.0)`,
    [changes.map(({ count }) => count + COUNT_FROM)],
  );
  return new Set(rows.map(({ at }) => at - COUNT_FROM));
}
