import type { EndpointAnswer } from '../../endpoints/endpoint.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import type { AnswerCache } from '../response-cache.ts';
import { problem, type Problem } from '../problems.ts';
import { isArray } from '../request/endpoint-parameters.ts';
import { csvShapeOf, renderCsv } from './csv.ts';
import { cutPage, type Page, pageOfPart, startAmong } from './pagination.ts';
import type { Question } from './resolved-query.ts';
import { type DataSource, storeAnswer, type StoredAnswer } from './cached-response.ts';

export type Outcome = { answer: StoredAnswer } | { refusal: Problem };

/** Answers to questions: out of memory, or computed once for all who wait. */
export interface Answers {
  /** Null when it must be computed. */
  kept(question: Question, now: Instant): StoredAnswer | null;
  /** Whether `load` would join what is computed for somebody else. */
  isLoading(question: Question): boolean;
  load(question: Question, now: Instant): Promise<Outcome>;
}

export function createAnswers(options: {
  cache: AnswerCache;
  db: Queryable;
  /** Where what may be seconds old is read; `db` when left out. */
  reads?: Queryable;
  dataSource: DataSource;
}): Answers {
  const { cache, db, reads = db, dataSource } = options;

  function load(question: Question, now: Instant): Promise<Outcome> {
    const { endpoint, values, historyFrom } = question;
    const topics = endpoint.topics(values, now);
    const validUntil = endpoint.validUntil?.(values, now) ?? null;
    return cache.load<Problem>(keyOf(question), { topics, validUntil }, async () => {
      const result = await endpoint.answer(values, {
        db: isExact(question) ? db : reads,
        now,
        historyFrom,
        startAmong: (all) => startAmong(all, cursorOf(question)),
      });
      if (result.kind === 'unknown-symbol') return { refusal: unknownSymbol(result) };
      if (result.kind === 'not-found') return { refusal: problem('not-found', result.detail) };
      if (result.kind === 'lost-place') return { refusal: LOST_PLACE };
      const content = contentOf(question, result);
      if ('refusal' in content) return content;
      const { asOf, maxAgeSeconds } = result;
      const parts = { endpoint, values, dataSource, location: question.location, asOf };
      return { answer: storeAnswer({ ...parts, ...content, maxAgeSeconds }) };
    });
  }

  return {
    kept: (question, now) => cache.get(keyOf(question), now),
    isLoading: (question) => cache.isLoading(keyOf(question)),
    load,
  };
}

/**
 * What is kept for good (an answer as of an instant) or read on from (a log) must miss nothing that
 * is committed; the rest may be as old as a replica may lag.
 */
function isExact({ endpoint, values }: Question): boolean {
  const hasPast = endpoint.parameters.some(({ name }) => name === 'asOf');
  return endpoint.placeParameter !== undefined || (hasPast && values.instant('asOf') !== null);
}

/** Rows of a shorter history are another answer, though it has the same address. */
function keyOf({ location, historyFrom }: Question): string {
  return historyFrom === null ? location : `${location} from ${historyFrom}`;
}

function cursorOf({ endpoint, values }: Question): string | null {
  return isArray(endpoint) && endpoint.placeParameter === undefined
    ? values.choice('cursor')
    : null;
}

interface Content {
  mediaType: string;
  text: string;
  headers: readonly string[];
}

function contentOf(
  question: Question,
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
    if (page === null) return { refusal: LOST_PLACE };
    body = page.rows;
    headers.push('X-Total-Count', String(page.total));
    if (page.next !== null) headers.push('Link', linkTo(question, 'cursor', page.next));
  }
  const shape = csvShapeOf(endpoint);
  if (shape !== null && values.choice('format') === 'csv') {
    const wished = shape.onWish.filter((name) => values.choice('include') === name);
    return { mediaType: 'text/csv; charset=utf-8', text: renderCsv(shape, body, wished), headers };
  }
  return { mediaType: 'application/json', text: JSON.stringify(body), headers };
}

function pageOf(
  question: Question,
  rows: readonly unknown[],
  part: Parameters<typeof pageOfPart>[1] | undefined,
): Page | null {
  if (part !== undefined) return pageOfPart(rows, part);
  const { endpoint, values } = question;
  const asked = { limit: values.integer('limit'), cursor: cursorOf(question) };
  return cutPage(rows, { ...asked, rowKey: endpoint.rowKey });
}

/** A link to the page that begins at a cursor or a place: relative, without the key. */
function linkTo({ location }: Question, parameter: string, place: string): string {
  const [path = '', query = ''] = location.split('?');
  const others = query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith(`${parameter}=`));
  const address = `${path}?${[...others, `${parameter}=${encodeURIComponent(place)}`].join('&')}`;
  return `<${address}>; rel="next"`;
}

function historyHeaders({ endpoint, historyFrom }: Question, limited?: boolean): string[] {
  if (!endpoint.historicalAccess || endpoint.firstDay !== undefined) return [];
  const from = historyFrom === null ? [] : ['X-History-From', historyFrom];
  return [...from, 'X-History-Limited', String(limited === true)];
}

/** A symbol that means nothing now, with what may have been meant. */
export function unknownSymbol(
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

const LOST_PLACE = problem(
  'invalid-parameter',
  'The cursor does not fit the list as it is now. Begin again without it.',
  { members: { parameter: 'cursor' } },
);
