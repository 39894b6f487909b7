import type {
  EndpointResponse,
  KnownGap,
  ListPart,
  UnknownSymbol,
} from '../../endpoints/endpoint.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import type { Turn } from '../../platform/fair-queue.ts';
import { mapInSlices } from '../../platform/slices.ts';
import { inTurn } from '../in-turn.ts';
import type { Requester, ResponseCache } from '../response-cache.ts';
import { problem, type Problem } from '../problems.ts';
import { returnsArray } from '../request/endpoint-parameters.ts';
import { expandWatchlists } from '../request/expand-watchlists.ts';
import { type CsvShape, csvShapeOf, renderCsv } from './csv.ts';
import { paginate, type Page, pageOfPart, startIndex } from './pagination.ts';
import type { ResolvedQuery } from './resolved-query.ts';
import {
  type DataSource,
  createCachedResponse,
  type CachedResponse,
  encodeBody,
} from './cached-response.ts';

export type LoadResult = { response: CachedResponse } | { refusal: Problem };

/**
 * Loads responses for resolved queries from the cache, or computes a response once for all
 * concurrent callers.
 */
export class ResponseLoader {
  readonly #cache: ResponseCache;
  readonly #db: Queryable;
  readonly #replica: Queryable;
  readonly #dataSource: DataSource;
  readonly #baseUrl: string;

  constructor(options: {
    cache: ResponseCache;
    db: Queryable;
    /** Database for reads that may be a few seconds out of date. Defaults to `db`. */
    replica?: Queryable;
    dataSource: DataSource;
    /** The configured URL of the service; null if it is unknown. */
    publicUrl?: string | null;
  }) {
    this.#cache = options.cache;
    this.#db = options.db;
    this.#replica = options.replica ?? options.db;
    this.#dataSource = options.dataSource;
    this.#baseUrl = options.publicUrl ?? '';
  }

  /** Returns the cached response, or null if it must be loaded. */
  cached(query: ResolvedQuery, now: Instant): CachedResponse | null {
    return this.#cache.get(cacheKey(query), now);
  }

  /** Returns true if `load` would wait for a running computation instead of starting one. */
  isLoading(query: ResolvedQuery): boolean {
    return this.#cache.isLoading(cacheKey(query));
  }

  /** Replaces the watchlists in the query by their companies, in the requester's turn. */
  expand(
    query: ResolvedQuery,
    customerId: string,
    requester: Requester,
  ): Promise<ResolvedQuery | { refusal: Problem }> {
    return this.#cache.run(
      (turn) => expandWatchlists(inTurn(this.#db, turn), query, customerId),
      requester,
    );
  }

  load(query: ResolvedQuery, now: Instant, requester?: Requester): Promise<LoadResult> {
    const { endpoint, values } = query;
    const topics = endpoint.topics(values, now);
    const validUntil = endpoint.validUntil?.(values, now) ?? null;
    const lifetime = { topics, validUntil };
    const compute = (turn: Turn) => this.#compute(query, now, turn);
    return this.#cache.load<Problem>(cacheKey(query), lifetime, compute, requester);
  }

  async #compute(query: ResolvedQuery, now: Instant, turn: Turn): Promise<LoadResult> {
    const { endpoint, values, location, historyFrom } = query;
    const result = await endpoint.handle(values, {
      db: inTurn(needsPrimary(query) ? this.#db : this.#replica, turn),
      now,
      historyFrom,
      location,
      baseUrl: this.#baseUrl,
      findStart: (rows) => startIndex(rows, cursorOf(query)),
    });
    if (result.kind === 'unknown-symbol') return { refusal: unknownSymbolProblem(result) };
    if (result.kind === 'not-found') return { refusal: problem('not-found', result.detail) };
    if (result.kind === 'cursor-gone') return { refusal: CURSOR_EXPIRED };
    if (result.kind === 'position-lost')
      return { refusal: positionLost('since', result.resumeAfter) };
    if (result.kind === 'not-known-yet') return { refusal: notKnownYetProblem(result.firstAt) };
    const content = await renderContent(query, result);
    if ('refusal' in content) return content;
    const { asOf } = result;
    const { slices, ...described } = content;
    const body = await encodeBody(slices);
    // The client must ask again, because the watchlist may have changed.
    const maxAgeSeconds = query.watchlistScope === null ? result.maxAgeSeconds : 0;
    const dataSource = this.#dataSource;
    const parts = { endpoint, values, dataSource, location, asOf, ...described, ...body };
    const response = createCachedResponse({ ...parts, maxAgeSeconds }, (tag) =>
      this.#cache.modifiedTimes.modifiedAt(cacheKey(query), tag, now),
    );
    return { response };
  }
}

/**
 * Returns true if the query must read from the primary database. Point-in-time responses may be
 * cached permanently, and clients that follow a log continue from its last position, so both must include
 * every committed row. All other responses may lag behind as far as a replica does.
 */
function needsPrimary({ endpoint, values }: ResolvedQuery): boolean {
  const hasAsOf = endpoint.parameters.some(({ name }) => name === 'asOf');
  return endpoint.positionParameter !== undefined || (hasAsOf && values.instant('asOf') !== null);
}

/**
 * A response with limited history has the same URL but fewer rows, and a watchlist has other
 * companies for each customer, so both need their own key.
 */
function cacheKey({ location, historyFrom, watchlistScope }: ResolvedQuery): string {
  const key = historyFrom === null ? location : `${location} from ${historyFrom}`;
  return watchlistScope === null ? key : `${key} for ${watchlistScope}`;
}

function cursorOf({ endpoint, values }: ResolvedQuery): string | null {
  return returnsArray(endpoint) && endpoint.positionParameter === undefined
    ? values.choice('cursor')
    : null;
}

interface Content {
  mediaType: string;
  /** Parts of the body. */
  slices: readonly string[];
  headers: readonly string[];
}

async function renderContent(
  query: ResolvedQuery,
  result: Extract<EndpointResponse, { kind: 'body' | 'text' }>,
): Promise<Content | { refusal: Problem }> {
  const { endpoint, values } = query;
  if (result.kind === 'text') {
    const mediaType = `${endpoint.mediaType ?? 'text/plain'}; charset=utf-8`;
    const headers = historyHeaders(query, result.historyLimited);
    return { mediaType, slices: [result.body], headers };
  }
  const headers = [
    ...historyHeaders(query, result.historyLimited),
    ...knownGapsHeader(result.knownGaps ?? []),
    ...unknownSymbolsHeader(result.unknownSymbols ?? []),
  ];
  let { body } = result;
  if (endpoint.positionParameter !== undefined) {
    const { next = null } = result;
    if (next !== null) headers.push('Link', linkTo(query, endpoint.positionParameter, next));
  } else if (Array.isArray(body)) {
    const page = pageOf(query, body, result.part);
    if (page === null) return { refusal: CURSOR_EXPIRED };
    body = page.rows;
    headers.push('X-Total-Count', String(page.total));
    if (page.next !== null) headers.push('Link', linkTo(query, 'cursor', page.next));
  }
  const shape = csvShapeOf(endpoint);
  if (shape !== null && values.choice('format') === 'csv') {
    // Only endpoints with optional columns have the parameter.
    const optional = shape.optionalColumns.filter((name) =>
      values.choice('include')?.split(',').includes(name),
    );
    const slices = await csvSlices(shape, body, optional);
    return { mediaType: 'text/csv; charset=utf-8', slices, headers };
  }
  return { mediaType: 'application/json', slices: await jsonSlices(body), headers };
}

/** Elements of a list that are rendered at a time: at most about 200 kB. */
const SLICE_SIZE = 25;

async function jsonSlices(body: unknown): Promise<readonly string[]> {
  if (!Array.isArray(body) || body.length <= SLICE_SIZE) return [JSON.stringify(body)];
  return mapInSlices(body, SLICE_SIZE, (slice, start) => [
    `${start === 0 ? '[' : ','}${JSON.stringify(slice).slice(1, -1)}`,
    ...(start + SLICE_SIZE < body.length ? [] : [']']),
  ]);
}

async function csvSlices(
  shape: CsvShape,
  body: unknown,
  optionalColumns: readonly string[],
): Promise<readonly string[]> {
  if (!Array.isArray(body) || body.length <= SLICE_SIZE) {
    return [renderCsv(shape, body, { optionalColumns })];
  }
  return mapInSlices(body, SLICE_SIZE, (slice, start) => [
    renderCsv(shape, slice, { optionalColumns, header: start === 0 }),
  ]);
}

function pageOf(
  query: ResolvedQuery,
  rows: readonly unknown[],
  part: ListPart | undefined,
): Page | null {
  if (part !== undefined) return pageOfPart(rows, part);
  const { endpoint, values } = query;
  const options = { limit: values.integer('limit'), cursor: cursorOf(query) };
  return paginate(rows, { ...options, rowKey: endpoint.rowKey });
}

/** Returns a relative link to the page that starts at `position`, without the API key. */
function linkTo({ location }: ResolvedQuery, parameter: string, position: string): string {
  const [path = '', search = ''] = location.split('?');
  const others = search
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith(`${parameter}=`));
  const url = `${path}?${[...others, `${parameter}=${encodeURIComponent(position)}`].join('&')}`;
  return `<${url}>; rel="next"`;
}

function historyHeaders({ endpoint, historyFrom }: ResolvedQuery, limited?: boolean): string[] {
  if (!endpoint.historicalAccess || endpoint.firstDay !== undefined) return [];
  const historyStart = historyFrom === null ? [] : ['X-History-From', historyFrom];
  return [...historyStart, 'X-History-Limited', String(limited === true)];
}

/** Renders the gaps as a structured field: a list of tokens, each with the time of the gap's end. */
function knownGapsHeader(gaps: readonly KnownGap[]): string[] {
  if (gaps.length === 0) return [];
  const items = gaps.map(({ data, before }) =>
    before === null ? data : `${data};before="${formatInstant(before)}"`,
  );
  return ['X-Known-Gaps', items.join(', ')];
}

/**
 * A proxy may accept only 4 KiB of headers, and a watchlist may have a thousand symbols. Symbols are
 * valid tokens.
 */
const UNKNOWN_SYMBOLS_MAX = 100;

/** Renders symbols as a structured field: a list of tokens, each with its successor if it has one. */
function unknownSymbolsHeader(unknown: readonly UnknownSymbol[]): string[] {
  if (unknown.length === 0) return [];
  const items = unknown
    .slice(0, UNKNOWN_SYMBOLS_MAX)
    .map(({ symbol, successorSymbol }) =>
      successorSymbol === null ? symbol : `${symbol};successor="${successorSymbol}"`,
    );
  return ['X-Unknown-Symbols', items.join(', ')];
}

/** Returns the problem for a position that is not in the history of the store. */
export function positionLost(parameter: string, resumeAfter: string): Problem {
  const detail =
    `The history of this service has no such change. Load the data again, then continue after ` +
    `${resumeAfter}.`;
  return problem('position-lost', detail, { members: { parameter, resumeAfter } });
}

function notKnownYetProblem(firstAt: Instant | null): Problem {
  const earliestAsOf = firstAt === null ? null : formatInstant(firstAt);
  const detail =
    earliestAsOf === null
      ? 'This service has no data yet. Ask for known=public, or for current data.'
      : `This service has data since ${earliestAsOf}. For an earlier instant, add known=public.`;
  return problem('not-known-yet', detail, { members: { parameter: 'asOf', earliestAsOf } });
}

/** Returns the problem for a symbol that no security currently has, with suggestions. */
export function unknownSymbolProblem(
  result: Extract<EndpointResponse, { kind: 'unknown-symbol' }>,
): Problem {
  const { symbol, successorSymbol } = result;
  const suggestions = result.suggestions.slice(0, SUGGESTIONS_MAX);
  const members = { symbol, suggestions, successorSymbol };
  return problem('unknown-symbol', unknownSymbolDetail({ ...result, suggestions }), { members });
}

const SUGGESTIONS_MAX = 5;

function unknownSymbolDetail(
  result: Extract<EndpointResponse, { kind: 'unknown-symbol' }>,
): string {
  const { symbol, suggestions, successorSymbol, isSimulated = false } = result;
  if (successorSymbol !== null) {
    return `The symbol ${symbol} is no longer in use. Its successor is ${successorSymbol}.`;
  }
  const detail = `No security has the symbol ${symbol}.`;
  if (!isSimulated) return detail;
  const [first] = suggestions;
  const hint = first === undefined ? '' : ` Try ${first}.`;
  return `${detail} This service has a simulated market without real companies.${hint}`;
}

const CURSOR_EXPIRED = problem(
  'invalid-parameter',
  'The cursor no longer matches the list. Request the first page again, without a cursor.',
  { members: { parameter: 'cursor' } },
);
