import type { Topic } from '../datasets/topics.gen.ts';
import type { MarketCalendar } from '../domain/market/calendar.ts';
import { compareSchedule } from '../domain/market/compare-schedule.ts';
import {
  archiveResponse,
  type ArchivedResponse,
  compressBody,
  type CompressedBody,
} from '../datasets/responses/store.ts';
import { writeChanges } from '../datasets/changes/store.ts';
import { quarantineRows } from '../datasets/quarantine/store.ts';
import { quoteTopics, recordQuotes } from '../datasets/quotes/store.ts';
import { recordRows } from '../datasets/source-records/record-rows.ts';
import type { SplitObservation } from '../datasets/splits/observation.ts';
import { takeVersionInstant } from '../datasets/versions/version-clock.ts';
import type { Clock } from '../platform/clock.ts';
import { compareText } from '../platform/compare.ts';
import type { Instant } from '../platform/instant.ts';
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
import { ingestBars } from './ingest-bars.ts';
import { MERGE_ORDER, mergeRows } from './merge-rows.ts';
import {
  type ResponseReport,
  countQuarantined,
  countRow,
  type DatasetReport,
  emptyReport,
  type RowResult,
} from './report.ts';
import { type ListedRows, recordList, completeListOf } from './complete-lists.ts';
import { ALL_ROWS_INVALID, invalidRow, type ValidatedRows, validateRows } from './validate-rows.ts';

export interface IngestDeps {
  db: Db;
  clock: Clock;
  providers: readonly Provider[];
  market(): MarketCalendar;
  /** Removes secrets from a URL before it is archived. */
  scrubUrl(url: string): string;
  /** Called after each commit with the topics it made stale. */
  onCommit(topics: ReadonlySet<Topic>): void;
  /** Set for a readable response that must not be used. Such a response is only archived. */
  rejection?: SourceResponseError | undefined;
  /** Instant since which the data counts as known, in a simulated past; by default the current time. */
  knownFrom?: Instant | undefined;
  /** Called with the result of each row once its transaction has committed, except for bars. */
  onRow?: ((result: RowResult) => void) | undefined;
}

/**
 * Target duration of a transaction. The embedded store has one connection, so a read may have to
 * wait for a whole transaction. A row takes between 60 µs, if it is already known, and several
 * milliseconds, if it changes the identity of securities. Each chunk's size is based on the pace of
 * the previous chunk.
 */
const CHUNK_MS = 120;
const CHUNK_ROWS = { first: 300, min: 100, max: 1000 };

const DATASET_ORDER = MERGE_ORDER.map(({ name }) => name);

/**
 * Ingests one response: archives it, parses it, quarantines invalid rows with their reasons, stores
 * the valid rows as observations, and derives the affected rows, in small transactions. Ingesting
 * the same response again changes nothing. Throws only if the store fails.
 */
export async function ingestResponse(
  deps: IngestDeps,
  response: SourceResponse,
): Promise<ResponseReport> {
  const claim = claimOf(deps.providers, response);
  if (claim === null) {
    const datasets = [emptyReport(null, 'unsupported', 'no-provider')];
    return { provider: null, feed: null, datasets, isDamaged: false };
  }
  const { provider, feed } = claim;
  const names = { provider: provider.name, feed: feed.name };
  const parsed = deps.rejection ?? parseSafely(feed, response);
  if (parsed instanceof SourceResponseError && parsed.kind === 'unsupported') {
    const datasets = [emptyReport(null, 'unsupported', parsed.reason)];
    return { ...names, datasets, isDamaged: false };
  }
  const body = await compressBody(response.text);
  const archived: ArchivedResponse = {
    ...names,
    url: deps.scrubUrl(response.url),
    status: response.status,
    contentType: response.contentType,
    observedAt: response.observedAt,
    text: response.text,
    outcome: parsed instanceof SourceResponseError ? 'rejected' : 'ingested',
    reason: parsed instanceof SourceResponseError ? parsed.reason : null,
  };
  if (parsed instanceof SourceResponseError) {
    await deps.db.transaction((tx) => archiveResponse(tx, archived, body, deps.clock.now()));
    return {
      ...names,
      datasets: datasetsOf(feed).map((dataset) => emptyReport(dataset, 'rejected', parsed.reason)),
      isDamaged: parsed.kind === 'damaged',
      rejectedAs: parsed.kind,
    };
  }
  const stored = await storeResponse(deps, { provider, feed, response, parsed, archived, body });
  const { marketSchedule: stated } = parsed;
  return {
    ...names,
    datasets: [...stored.reports.values()],
    isDamaged: false,
    ...(stored.isRejected && { rejectedAs: 'error-answer' }),
    ...(stated !== undefined && { scheduleDifferences: compareSchedule(stated, deps.market()) }),
  };
}

interface ParsedResponse {
  provider: Provider;
  feed: Feed;
  response: SourceResponse;
  parsed: ParseResult;
  archived: ArchivedResponse;
  body: CompressedBody;
}

async function storeResponse(
  deps: IngestDeps,
  work: ParsedResponse,
): Promise<{ reports: Map<string, DatasetReport>; isRejected: boolean }> {
  const validated = await validateRows(deps.db, work, work.parsed);
  const { isRejected } = validated;
  const outcome = isRejected
    ? ({ outcome: 'rejected', reason: ALL_ROWS_INVALID } as const)
    : ({ outcome: 'ingested', reason: null } as const);
  const archived: ArchivedResponse = { ...work.archived, ...outcome };
  const reports = new Map(
    work.feed.datasets.map((dataset) => [
      dataset,
      emptyReport(dataset, outcome.outcome, outcome.reason),
    ]),
  );
  const responseId = await storeRows(deps, { ...work, archived }, validated, reports);
  await storeBars(deps, work, { rows: validated.rows, responseId, reports });
  for (const row of validated.bad) {
    countQuarantined(reportOf(reports, row.dataset), row.reason);
    deps.onRow?.({ outcome: 'quarantined', row });
  }
  for (const row of validated.repeated) {
    countRow(reportOf(reports, row.dataset), 'same');
    deps.onRow?.({ outcome: 'same', row });
  }
  return { reports, isRejected };
}

/**
 * Stores the rows in chunks, each in its own transaction, and returns the id of the archived
 * response.
 */
async function storeRows(
  deps: IngestDeps,
  work: ParsedResponse,
  { rows, bad }: ValidatedRows,
  reports: Map<string, DatasetReport>,
): Promise<number> {
  const { clock } = deps;
  const sorted = inMergeOrder(rows);
  let responseId: number | null = null;
  let size = CHUNK_ROWS.first;
  let start = 0;
  do {
    const startedAtMs = clock.monotonicMs();
    const end = endOfChunk(sorted, start + size);
    const chunk: Chunk = {
      ...work,
      responseId,
      rows: sorted.slice(start, end),
      bad: start === 0 ? bad : [],
      // Recorded only with the last chunk: if a crash cut the list short, the remaining rows would
      // appear to be missing.
      list: end === sorted.length ? completeListOf(work, rows, bad) : null,
      reports,
    };
    const stored = await deps.db.transaction((tx) => storeChunk(tx, deps, chunk));
    responseId = stored.responseId;
    deps.onCommit(stored.topics);
    for (const result of stored.results) deps.onRow?.(result);
    size = nextSize(size, clock.monotonicMs() - startedAtMs);
    start = end;
  } while (start < sorted.length);
  return responseId;
}

interface StoredRows {
  rows: readonly ParsedRow[];
  responseId: number;
  reports: Map<string, DatasetReport>;
}

async function storeBars(
  { db, clock, onCommit, market }: IngestDeps,
  { provider, feed, response, parsed: { bars } }: ParsedResponse,
  { rows, responseId, reports }: StoredRows,
): Promise<void> {
  if (bars === undefined) return;
  const { observedAt } = response;
  await ingestBars(
    { db, clock, onCommit, market: market() },
    { ...bars, splits: splitsOf(rows) },
    { provider: provider.name, feed: feed.name, observedAt, responseId },
    reportOf(reports, 'bars'),
  );
}

/** Sorts rows by data set, with the securities of each filer next to each other. */
function inMergeOrder(rows: readonly ParsedRow[]): ParsedRow[] {
  return rows.toSorted(
    (a, b) =>
      DATASET_ORDER.indexOf(a.dataset) - DATASET_ORDER.indexOf(b.dataset) ||
      compareText(filerOf(a), filerOf(b)),
  );
}

/**
 * Returns the end of a chunk that keeps all symbols of a filer together, because only some of them
 * would look like a renaming.
 */
function endOfChunk(rows: readonly ParsedRow[], target: number): number {
  let end = Math.min(target, rows.length);
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

/**
 * Returns the next chunk size, at most double the current one, because the duration of a single
 * transaction is an unreliable measure.
 */
function nextSize(size: number, durationMs: number): number {
  const fitting = Math.round(size * Math.min(2, CHUNK_MS / Math.max(1, durationMs)));
  return Math.min(CHUNK_ROWS.max, Math.max(CHUNK_ROWS.min, fitting));
}

interface Chunk extends ParsedResponse {
  /** Null for the first chunk, which archives the response. */
  responseId: number | null;
  rows: readonly ParsedRow[];
  bad: readonly BadRow[];
  /** The response's complete list, only in its last chunk. */
  list: ListedRows | null;
  /** Reports by data set, to which the row counts are added. */
  reports: Map<string, DatasetReport>;
}

async function storeChunk(
  tx: Transaction,
  deps: IngestDeps,
  { provider, feed, response, archived, body, rows, bad, reports, ...chunk }: Chunk,
): Promise<{ responseId: number; topics: ReadonlySet<Topic>; results: RowResult[] }> {
  const now = deps.clock.now();
  // Locks out other writers first, so that merges see all observations and ids increase in order.
  const knownFrom = await takeVersionInstant(tx, deps.knownFrom ?? now);
  const responseId = chunk.responseId ?? (await archiveResponse(tx, archived, body, now));
  await quarantineRows(tx, bad, responseId, now);
  const incoming = rows.map(({ dataset, entityKey, naturalKey, fields }) => ({
    dataset,
    entityKey,
    provider: provider.name,
    feed: feed.name,
    naturalKey,
    fields,
  }));
  const recorded = await recordRows(tx, incoming, response.observedAt, responseId);
  const quotes = rows.flatMap(({ quote }) => (quote === undefined ? [] : [quote]));
  const changedQuotes = await recordQuotes(tx, quotes, response.observedAt);
  const missing = chunk.list === null ? new Map() : await recordList(tx, chunk.list);
  const merged = await mergeRows({ tx, now: knownFrom }, recorded, deps.market(), missing);
  for (const topic of quoteTopics(changedQuotes)) merged.topics.add(topic);
  await writeChanges(tx, merged.changes, merged.topics, knownFrom);
  const results = recorded.map(({ recordId, outcome }, index): RowResult => {
    const row = requireRow(rows, index);
    const quarantined = merged.quarantined.get(recordId);
    const report = reportOf(reports, row.dataset);
    if (quarantined === undefined) {
      countRow(report, outcome);
      return { outcome, row };
    }
    countQuarantined(report, quarantined.reason);
    return {
      outcome: 'quarantined',
      row: invalidRow(row, quarantined.reason, quarantined.detail),
    };
  });
  return { responseId, topics: merged.topics, results };
}

/** Records are in the order of the rows. */
function requireRow(rows: readonly ParsedRow[], index: number): ParsedRow {
  const row = rows[index];
  if (row === undefined) throw new Error('a record without a row');
  return row;
}

function splitsOf(rows: readonly ParsedRow[]): SplitObservation[] {
  return rows.filter((row) => row.dataset === 'splits').map(({ fields }) => fields);
}

function claimOf(
  providers: readonly Provider[],
  response: SourceResponse,
): { provider: Provider; feed: Feed } | null {
  for (const provider of providers) {
    const feed = provider.feeds.find((candidate) => candidate.claims(response));
    if (feed !== undefined) return { provider, feed };
  }
  return null;
}

/**
 * Parses the response. A parser that throws must not stop ingestion, so the response is rejected
 * with the error instead.
 */
function parseSafely(feed: Feed, response: SourceResponse): ParseResult | SourceResponseError {
  try {
    return feed.parse(response);
  } catch (error) {
    if (error instanceof SourceResponseError) return error;
    return new SourceResponseError('damaged', 'unreadable', String(error));
  }
}

function reportOf(reports: Map<string, DatasetReport>, dataset: string): DatasetReport {
  const existing = reports.get(dataset);
  if (existing !== undefined) return existing;
  const report = emptyReport(dataset, 'ingested');
  reports.set(dataset, report);
  return report;
}

function datasetsOf(feed: Feed): (string | null)[] {
  return feed.datasets.length > 0 ? [...feed.datasets] : [null];
}
