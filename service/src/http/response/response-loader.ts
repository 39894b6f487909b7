import type { EndpointAnswer } from '../../endpoints/endpoint.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import type { ResponseCache } from '../response-cache.ts';
import { problem, type Problem } from '../problems.ts';
import { returnsArray } from '../request/endpoint-parameters.ts';
import { csvShapeOf, renderCsv } from './csv.ts';
import { paginate, type Page, pageOfSlice, startIndex } from './pagination.ts';
import type { ResolvedQuery } from './resolved-query.ts';
import { type DataSource, createCachedResponse, type CachedResponse } from './cached-response.ts';

export type LoadResult = { answer: CachedResponse } | { refusal: Problem };

/** Answers to questions: out of memory, or computed once for all who wait. */
export interface ResponseLoader {
  /** Null when it must be computed. */
  cached(question: ResolvedQuery, now: Instant): CachedResponse | null;
  /** Whether `load` would join what is computed for somebody else. */
  isLoading(question: ResolvedQuery): boolean;
  load(question: ResolvedQuery, now: Instant): Promise<LoadResult>;
}

export function createResponseLoader(options: {
  cache: ResponseCache;
  db: Queryable;
  /** Where what may be seconds old is read; `db` when left out. */
  reads?: Queryable;
  dataSource: DataSource;
}): ResponseLoader {
  const { cache, db, reads = db, dataSource } = options;

  function load(question: ResolvedQuery, now: Instant): Promise<LoadResult> {
    const { endpoint, values, historyFrom } = question;
    const topics = endpoint.topics(values, now);
    const validUntil = endpoint.validUntil?.(values, now) ?? null;
    return cache.load<Problem>(keyOf(question), { topics, validUntil }, async () => {
      const result = await endpoint.answer(values, {
        db: needsPrimary(question) ? db : reads,
        now,
        historyFrom,
        startAmong: (all) => startIndex(all, cursorOf(question)),
      });
      if (result.kind === 'unknown-symbol') return { refusal: unknownSymbolProblem(result) };
      if (result.kind === 'not-found') return { refusal: problem('not-found', result.detail) };
      if (result.kind === 'lost-place') return { refusal: CURSOR_EXPIRED };
      const content = renderContent(question, result);
      if ('refusal' in content) return content;
      const { asOf, maxAgeSeconds } = result;
      const parts = { endpoint, values, dataSource, location: question.location, asOf };
      return { answer: createCachedResponse({ ...parts, ...content, maxAgeSeconds }) };
    });
  }

  return {
    cached: (question, now) => cache.get(keyOf(question), now),
    isLoading: (question) => cache.isLoading(keyOf(question)),
    load,
  };
}

/**
 * What is kept for good (an answer as of an instant) or read on from (a log) must miss nothing that
 * is committed; the rest may be as old as a replica may lag.
 */
function needsPrimary({ endpoint, values }: ResolvedQuery): boolean {
  const hasPast = endpoint.parameters.some(({ name }) => name === 'asOf');
  return endpoint.placeParameter !== undefined || (hasPast && values.instant('asOf') !== null);
}

/** Rows of a shorter history are another answer, though it has the same address. */
function keyOf({ location, historyFrom }: ResolvedQuery): string {
  return historyFrom === null ? location : `${location} from ${historyFrom}`;
}

function cursorOf({ endpoint, values }: ResolvedQuery): string | null {
  return returnsArray(endpoint) && endpoint.placeParameter === undefined
    ? values.choice('cursor')
    : null;
}

interface Content {
  mediaType: string;
  text: string;
  headers: readonly string[];
}

function renderContent(
  question: ResolvedQuery,
  result: Extract<EndpointAnswer, { kind: 'body' | 'text' }>,
): Content | { refusal: Problem } {
  const { endpoint, values } = question;
  if (result.kind === 'text') {
    const mediaType = `${endpoint.mediaType ?? 'text/plain'}; charset=utf-8`;
    return { mediaType, text: result.body, headers: [] };
  }
  const headers = historyHeaders(question, result.historyLimited);
  let { body } = result;
  if (endpoint.placeParameter !== undefined) {
    const { next = null } = result;
    if (next !== null) headers.push('Link', linkTo(question, endpoint.placeParameter, next));
  } else if (Array.isArray(body)) {
    const page = pageOf(question, body, result.part);
    if (page === null) return { refusal: CURSOR_EXPIRED };
    body = page.rows;
    headers.push('X-Total-Count', String(page.total));
    if (page.next !== null) headers.push('Link', linkTo(question, 'cursor', page.next));
  }
  const shape = csvShapeOf(endpoint);
  if (shape !== null && values.choice('format') === 'csv') {
    const wished = shape.optionalColumns.filter((name) => values.choice('include') === name);
    return { mediaType: 'text/csv; charset=utf-8', text: renderCsv(shape, body, wished), headers };
  }
  return { mediaType: 'application/json', text: JSON.stringify(body), headers };
}

function pageOf(
  question: ResolvedQuery,
  rows: readonly unknown[],
  part: Parameters<typeof pageOfSlice>[1] | undefined,
): Page | null {
  if (part !== undefined) return pageOfSlice(rows, part);
  const { endpoint, values } = question;
  const asked = { limit: values.integer('limit'), cursor: cursorOf(question) };
  return paginate(rows, { ...asked, rowKey: endpoint.rowKey });
}

/** A link to the page that begins at a cursor or a place: relative, without the key. */
function linkTo({ location }: ResolvedQuery, parameter: string, place: string): string {
  const [path = '', query = ''] = location.split('?');
  const others = query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith(`${parameter}=`));
  const address = `${path}?${[...others, `${parameter}=${encodeURIComponent(place)}`].join('&')}`;
  return `<${address}>; rel="next"`;
}

function historyHeaders({ endpoint, historyFrom }: ResolvedQuery, limited?: boolean): string[] {
  if (!endpoint.historicalAccess || endpoint.firstDay !== undefined) return [];
  const from = historyFrom === null ? [] : ['X-History-From', historyFrom];
  return [...from, 'X-History-Limited', String(limited === true)];
}

/** A symbol that means nothing now, with what may have been meant. */
export function unknownSymbolProblem(
  result: Extract<EndpointAnswer, { kind: 'unknown-symbol' }>,
): Problem {
  const { symbol, suggestions, successorSymbol } = result;
  const detail =
    successorSymbol === null
      ? `No security has the symbol ${symbol}.`
      : `The symbol ${symbol} was given up; its successor is ${successorSymbol}.`;
  const members = { symbol, suggestions: suggestions.slice(0, 5), successorSymbol };
  return problem('unknown-symbol', detail, { members });
}

const CURSOR_EXPIRED = problem(
  'invalid-parameter',
  'The cursor does not fit the list as it is now. Begin again without it.',
  { members: { parameter: 'cursor' } },
);
