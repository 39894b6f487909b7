import type { MarketCalendar } from '../domain/market/calendar.ts';
import {
  archiveResponse,
  type ArchivedResponse,
  compressBody,
  type CompressedBody,
} from '../datasets/responses/store.ts';
import { writeChanges } from '../datasets/changes/store.ts';
import { loadAcceptedRows } from '../datasets/quarantine/decisions.ts';
import { quarantineRows } from '../datasets/quarantine/store.ts';
import { quoteTopics, recordQuotes } from '../datasets/quotes/store.ts';
import { recordRows } from '../datasets/source-records/record-rows.ts';
import type { SplitObservation } from '../datasets/splits/observation.ts';
import { takeVersionInstant } from '../datasets/versions/version-clock.ts';
import type { Clock } from '../platform/clock.ts';
import {
  type SourceResponse,
  SourceResponseError,
  type BadRow,
  type Feed,
  type ParseResult,
  type ParsedRow,
  type Provider,
} from '../providers/provider.ts';
import type { Db, Transaction } from '../storage/db.ts';
import { withAccepted } from './accepted-rows.ts';
import { ingestBars } from './ingest-bars.ts';
import { MERGE_ORDER, mergeRows } from './merge-rows.ts';
import { areAllRowsInvalid, ALL_ROWS_INVALID } from './validate-rows.ts';
import {
  type ResponseReport,
  countQuarantined,
  countRow,
  type DatasetReport,
  emptyReport,
} from './report.ts';
import { withoutConflicts } from './row-conflicts.ts';
import { type ListedRows, recordList, completeListOf } from './complete-lists.ts';

export interface IngestDeps {
  db: Db;
  clock: Clock;
  providers: readonly Provider[];
  market(): MarketCalendar;
  /** Takes secrets out of a URL before it is archived. */
  scrubUrl(url: string): string;
  /** Told after each commit which topics are stale. */
  onCommit(topics: ReadonlySet<string>): void;
  /** Set when the answer is of no use although it can be read: it is only archived. */
  rejection?: SourceResponseError | undefined;
}

/**
 * How long a transaction should take: the embedded store has one connection, so that each query of
 * a read may wait for a whole one. Rows cost from 60 µs, seen before, to milliseconds, when they
 * change who is who; the next transaction takes as many as the last one's pace allows.
 */
const CHUNK_MS = 120;
const CHUNK_ROWS = { first: 300, min: 100, max: 1000 };

/** Data sets that others build on come first. */
const ORDER = MERGE_ORDER.map(({ name }) => name);

/**
 * Takes in one answer: archives it, parses it, keeps unreadable rows with their reasons, stores the
 * rest as sightings, and derives anew what they touch, in small transactions. Taking in the same
 * answer again changes nothing. Throws only when the store fails.
 */
export async function ingestResponse(
  deps: IngestDeps,
  answer: SourceResponse,
): Promise<ResponseReport> {
  const claim = claimantOf(deps.providers, answer);
  if (claim === null) {
    return {
      provider: null,
      feed: null,
      datasets: [emptyReport(null, 'unsupported', 'no-provider')],
      isDamaged: false,
    };
  }
  const { provider, feed } = claim;
  const parsed = deps.rejection ?? parseSafely(feed, answer);
  if (parsed instanceof SourceResponseError && parsed.kind === 'unsupported') {
    return {
      provider: provider.name,
      feed: feed.name,
      datasets: [emptyReport(null, 'unsupported', parsed.reason)],
      isDamaged: false,
    };
  }
  const body = await compressBody(answer.text);
  const archived: ArchivedResponse = {
    provider: provider.name,
    feed: feed.name,
    url: deps.scrubUrl(answer.url),
    status: answer.status,
    contentType: answer.contentType,
    observedAt: answer.observedAt,
    text: answer.text,
    outcome: parsed instanceof SourceResponseError ? 'rejected' : 'ingested',
    reason: parsed instanceof SourceResponseError ? parsed.reason : null,
  };
  if (parsed instanceof SourceResponseError) {
    await deps.db.transaction((tx) => archiveResponse(tx, archived, body, deps.clock.now()));
    return {
      provider: provider.name,
      feed: feed.name,
      datasets: namesOf(feed).map((dataset) => emptyReport(dataset, 'rejected', parsed.reason)),
      isDamaged: parsed.kind === 'damaged',
      rejectedAs: parsed.kind,
    };
  }
  const stored = await storeRows(deps, { provider, feed, answer, parsed, archived, body });
  return {
    provider: provider.name,
    feed: feed.name,
    datasets: [...stored.reports.values()],
    isDamaged: false,
    ...(stored.isRefused && { rejectedAs: 'error-answer' }),
  };
}

interface Work {
  provider: Provider;
  feed: Feed;
  answer: SourceResponse;
  parsed: ParseResult;
  archived: ArchivedResponse;
  body: CompressedBody;
}

async function storeRows(
  deps: IngestDeps,
  work: Work,
): Promise<{ reports: Map<string, DatasetReport>; isRefused: boolean }> {
  const { rows: sound, conflicting, repeated } = withoutConflicts(work.parsed.rows);
  const faulty = [...work.parsed.bad, ...conflicting];
  const { rows, bad } = await withDecisions(deps.db, work, { rows: sound, bad: faulty });
  const isRefused = areAllRowsInvalid({ ...work.parsed, rows, bad });
  const outcome = isRefused
    ? ({ outcome: 'rejected', reason: ALL_ROWS_INVALID } as const)
    : ({ outcome: 'ingested', reason: null } as const);
  const archived: ArchivedResponse = { ...work.archived, ...outcome };
  const reports = new Map(
    work.feed.datasets.map((dataset) => [
      dataset,
      emptyReport(dataset, outcome.outcome, outcome.reason),
    ]),
  );
  const sorted = inOrder(rows);
  let answerId: number | null = null;
  let size = CHUNK_ROWS.first;
  let from = 0;
  do {
    const beganMs = deps.clock.monotonicMs();
    const end = endOfChunk(sorted, from + size);
    const chunk = sorted.slice(from, end);
    const badOfChunk = from === 0 ? bad : [];
    // Whatever was listed is stored by then: a list cut off by a crash lacks nobody.
    const whole = end === sorted.length ? completeListOf(work, rows, bad) : null;
    const stored = await deps.db.transaction((tx) =>
      storeChunk(tx, deps, {
        ...work,
        archived,
        answerId,
        whole,
        rows: chunk,
        bad: badOfChunk,
        reports,
      }),
    );
    answerId = stored.answerId;
    deps.onCommit(stored.topics);
    size = nextSize(size, deps.clock.monotonicMs() - beganMs);
    from = end;
  } while (from < sorted.length);
  const { bars } = work.parsed;
  if (bars !== undefined) {
    const { db, clock, onCommit } = deps;
    const { provider, feed, answer } = work;
    await ingestBars(
      { db, clock, onCommit, market: deps.market() },
      { ...bars, splits: splitsOf(rows) },
      {
        provider: provider.name,
        feed: feed.name,
        observedAt: answer.observedAt,
        responseId: answerId,
      },
      reportOf(reports, 'bars'),
    );
  }
  for (const { dataset, reason } of bad) countQuarantined(reportOf(reports, dataset), reason);
  for (const { dataset } of repeated) countRow(reportOf(reports, dataset), 'same');
  return { reports, isRefused };
}

/** What operators decided is asked for only where there may be something to decide. */
async function withDecisions(
  db: Db,
  { provider, feed }: Work,
  found: { rows: ParsedRow[]; bad: BadRow[] },
): Promise<{ rows: ParsedRow[]; bad: BadRow[] }> {
  if (found.bad.every(({ parsed }) => parsed === undefined)) return found;
  const accepted = await loadAcceptedRows(db, { provider: provider.name, feed: feed.name });
  return withAccepted(found, accepted);
}

/** Rows by data set, those that a list gives to one filer side by side. */
function inOrder(rows: readonly ParsedRow[]): ParsedRow[] {
  return rows.toSorted((a, b) => {
    const [left, right] = [filerOf(a), filerOf(b)];
    const byDataset = ORDER.indexOf(a.dataset) - ORDER.indexOf(b.dataset);
    return byDataset || (left < right ? -1 : left > right ? 1 : 0);
  });
}

/** Symbols of one filer stay together: half of them would look like a renaming. */
function endOfChunk(rows: readonly ParsedRow[], wanted: number): number {
  let end = Math.min(wanted, rows.length);
  for (; end < rows.length; end++) {
    const [before, next] = [rows[end - 1], rows[end]];
    if (before === undefined || next === undefined) break;
    if (filerOf(next) === '' || filerOf(next) !== filerOf(before)) break;
  }
  return end;
}

function filerOf({ dataset, naturalKey }: ParsedRow): string {
  return dataset === 'securities' ? naturalKey : '';
}

/** At most twice as many as before, since the time of one transaction says little. */
function nextSize(size: number, tookMs: number): number {
  const fitting = Math.round(size * Math.min(2, CHUNK_MS / Math.max(1, tookMs)));
  return Math.min(CHUNK_ROWS.max, Math.max(CHUNK_ROWS.min, fitting));
}

interface ChunkWork extends Work {
  /** Null with the first chunk, which archives the answer. */
  answerId: number | null;
  rows: readonly ParsedRow[];
  bad: readonly BadRow[];
  /** What the answer lists wholly, with its last chunk. */
  whole: ListedRows | null;
  /** By data set; what becomes of the rows is counted in them. */
  reports: Map<string, DatasetReport>;
}

async function storeChunk(
  tx: Transaction,
  deps: IngestDeps,
  { provider, feed, answer, archived, body, rows, bad, reports, ...work }: ChunkWork,
): Promise<{ answerId: number; topics: ReadonlySet<string> }> {
  const now = deps.clock.now();
  // First of all: one writer at a time, so that merges see all that was said, and ids rise in order.
  const knownFrom = await takeVersionInstant(tx, now);
  const answerId = work.answerId ?? (await archiveResponse(tx, archived, body, now));
  await quarantineRows(tx, bad, answerId, now);
  const incoming = rows.map(({ dataset, entityKey, naturalKey, fields }) => ({
    dataset,
    entityKey,
    provider: provider.name,
    feed: feed.name,
    naturalKey,
    fields,
  }));
  const recorded = await recordRows(tx, incoming, answer.observedAt, answerId);
  const quotes = rows.flatMap(({ quote }) => (quote === undefined ? [] : [quote]));
  const moved = await recordQuotes(tx, quotes, answer.observedAt);
  const missing = work.whole === null ? new Map() : await recordList(tx, work.whole);
  const merged = await mergeRows({ tx, now: knownFrom }, recorded, deps.market(), missing);
  for (const topic of quoteTopics(moved)) merged.topics.add(topic);
  await writeChanges(tx, merged.changes, merged.topics, knownFrom);
  for (const { row, recordId, outcome } of recorded) {
    const held = merged.quarantined.get(recordId);
    const report = reportOf(reports, row.dataset);
    if (held === undefined) countRow(report, outcome);
    else countQuarantined(report, held.reason);
  }
  return { answerId, topics: merged.topics };
}

function splitsOf(rows: readonly ParsedRow[]): SplitObservation[] {
  return rows.filter((row) => row.dataset === 'splits').map(({ fields }) => fields);
}

function claimantOf(
  providers: readonly Provider[],
  answer: SourceResponse,
): { provider: Provider; feed: Feed } | null {
  for (const provider of providers) {
    const feed = provider.feeds.find((candidate) => candidate.claims(answer));
    if (feed !== undefined) return { provider, feed };
  }
  return null;
}

/** A parser that breaks on an answer must not stop the run: the answer is rejected, with the name. */
function parseSafely(feed: Feed, answer: SourceResponse): ParseResult | SourceResponseError {
  try {
    return feed.parse(answer);
  } catch (error) {
    if (error instanceof SourceResponseError) return error;
    return new SourceResponseError('damaged', 'unreadable', String(error));
  }
}

function reportOf(reports: Map<string, DatasetReport>, dataset: string): DatasetReport {
  const known = reports.get(dataset);
  if (known !== undefined) return known;
  const report = emptyReport(dataset, 'ingested');
  reports.set(dataset, report);
  return report;
}

function namesOf(feed: Feed): (string | null)[] {
  return feed.datasets.length > 0 ? [...feed.datasets] : [null];
}
