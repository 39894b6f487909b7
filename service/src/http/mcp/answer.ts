import type { DatasetFreshness } from '../../datasets/freshness/freshness.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import { problem, type Problem, PROBLEMS } from '../problems.ts';
import { writeAnswerCursor } from './answer-cursor.ts';
import { type AnswerRow, type AnswerRows, isObject, linesOf, rowsOf } from './answer-rows.ts';
import type { ReadReply } from './read-reply.ts';
import { offeredParameters, signatureOf, type ToolRequest } from './tool-arguments.ts';

/**
 * Maximum length of an answer in characters. Answers of all endpoints had at least 2.5 characters
 * per token of a current model (November 2026), so an answer stays below 6,000 tokens.
 */
export const ANSWER_LENGTH_MAX = 15_000;
/** Part of the maximum that is reserved for everything except the rows. */
const FRAME_LENGTH_MAX = 1_500;

/** Content of a tool result. */
export interface Answer {
  text: string;
  isError: boolean;
}

type Freshness = Pick<DatasetFreshness, 'dataset' | 'lastSuccessAt' | 'state'> & {
  feeds: readonly { provider: string }[];
};

/**
 * Renders a response of the read API as one JSON object: first its age and sources, then the data
 * without unknown fields, and at the end how to get the rows that did not fit.
 */
export function renderAnswer(
  request: ToolRequest,
  reply: ReadReply,
  state: { freshness: readonly Freshness[]; now: Instant },
): Answer {
  if (reply.status !== 200) return renderRefusal(request.endpoint, reply);
  const { endpoint } = request;
  const selected = selectFields(bodyRows(endpoint, reply), request.fields);
  if ('unknownFields' in selected) return unknownFields(selected);
  const page = fitPage(selected, request);
  if (page.rows.length === 0 && page.remaining > 0) return rowTooLarge(selected.rows[page.start]);
  const facts = {
    ...ageOf(reply),
    ...freshnessOf(endpoint, state),
    dataSource: reply.header('x-data-source'),
    read: reply.header('content-location'),
    ...historyOf(reply),
    ...unknownSymbolsOf(reply),
    ...noticeOf(request, reply),
    ...countsOf(selected, page),
  };
  const data = withoutNulls(selected.render(page.rows));
  const text = JSON.stringify({ ...facts, data, ...moreOf(request, reply, page, selected) });
  return { text, isError: false };
}

function bodyRows(endpoint: Endpoint, reply: ReadReply): AnswerRows {
  if (reply.header('content-type')?.includes('json') !== true) return linesOf(reply.body);
  const isLong = reply.body.length > ANSWER_LENGTH_MAX - FRAME_LENGTH_MAX;
  return rowsOf(JSON.parse(reply.body), { buckets: endpoint.buckets, isLong });
}

/** Removes unknown fields, which are null, from objects at any depth. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const known = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(known.map(([name, member]) => [name, withoutNulls(member)]));
}

type Selection = AnswerRows | { unknownFields: readonly string[]; available: readonly string[] };

/**
 * Reduces each row to the requested fields. The members of an object with lists, such as the date
 * of a day, are always kept. A field that no row has is an error, because every documented field
 * is present in the response.
 */
function selectFields(all: AnswerRows, fields: readonly string[] | null): Selection {
  if (fields === null) return all;
  const isReduced = ({ list }: AnswerRow) => all.counts === null || list !== null;
  const available = new Set(
    all.rows.filter(isReduced).flatMap(({ value }) => (isObject(value) ? Object.keys(value) : [])),
  );
  const unknown = fields.filter((name) => !available.has(name));
  if (available.size > 0 && unknown.length > 0) {
    return { unknownFields: unknown, available: [...available] };
  }
  const rows = all.rows.map((row) =>
    isReduced(row) ? { ...row, value: pick(row.value, fields) } : row,
  );
  return { ...all, rows };
}

function pick(value: unknown, fields: readonly string[]): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => fields.includes(name)));
}

interface FittingPage {
  start: number;
  rows: readonly AnswerRow[];
  /** Number of rows of the response after this page. */
  remaining: number;
}

/** Returns as many rows as fit, from the position of the cursor. */
function fitPage({ rows, render }: AnswerRows, { limit, cursor }: ToolRequest): FittingPage {
  const start = Math.min(cursor.skip, rows.length);
  const last = Math.min(rows.length, start + (limit ?? rows.length));
  let length = FRAME_LENGTH_MAX;
  let end = start;
  let object: number | null = null;
  for (const row of rows.slice(start, last)) {
    // The members of an object are repeated on every page that shows one of its rows.
    const added = row.object === object ? row.value : render([row]);
    object = row.object;
    length += JSON.stringify(withoutNulls(added)).length + 1;
    if (length > ANSWER_LENGTH_MAX) break;
    end += 1;
  }
  return { start, rows: rows.slice(start, end), remaining: rows.length - end };
}

function ageOf(reply: ReadReply): { asOf: string | null; knownGaps?: string } {
  const knownGaps = reply.header('x-known-gaps');
  return { asOf: reply.header('x-data-as-of'), ...(knownGaps === null ? {} : { knownGaps }) };
}

/**
 * Returns the sources that filled the endpoint's data sets, and the time since the last successful
 * update of the data set that was updated least recently. The lag is null for data that is
 * computed from rules.
 */
function freshnessOf(
  endpoint: Endpoint,
  { freshness, now }: { freshness: readonly Freshness[]; now: Instant },
) {
  const own = freshness.filter(({ dataset }) => endpoint.datasets.includes(dataset));
  const sources = own.flatMap(({ feeds }) => feeds.map(({ provider }) => provider));
  const updates = own.flatMap(({ lastSuccessAt }) => lastSuccessAt ?? []);
  const oldest = updates.length === 0 ? null : Math.min(...updates);
  const late = own.flatMap(({ dataset, state }) => (state === 'late' ? [dataset] : []));
  return {
    sources: [...new Set(sources)].toSorted(),
    lagSeconds: oldest === null ? null : Math.max(0, Math.floor((now - oldest) / 1_000)),
    ...(oldest === null ? {} : { updatedAt: formatInstant(oldest) }),
    ...(late.length === 0 ? {} : { late }),
  };
}

function historyOf(reply: ReadReply) {
  if (reply.header('x-history-limited') !== 'true') return {};
  return { historyFrom: reply.header('x-history-from'), notShown: 'rows before historyFrom' };
}

/** Names requested symbols that the answer omits. */
function unknownSymbolsOf(reply: ReadReply) {
  const unknownSymbols = reply.header('x-unknown-symbols');
  return unknownSymbols === null ? {} : { unknownSymbols };
}

function noticeOf({ cursor }: ToolRequest, reply: ReadReply) {
  if (cursor.tag === null || cursor.tag === tagOf(reply)) return {};
  return { notice: 'The data changed since the previous answer. Rows may repeat or be missing.' };
}

function tagOf(reply: ReadReply): string {
  return (reply.header('etag') ?? '').replaceAll(/[^\w-]/g, '').slice(0, 8);
}

/** Returns the numbers of rows, unless the answer is one object without rows. */
function countsOf({ counts, rows }: AnswerRows, { start, rows: shown, remaining }: FittingPage) {
  const isWhole = start === 0 && remaining === 0;
  if (isWhole && shown.length === 1 && counts === null) return {};
  return {
    rows: isWhole ? rows.length : `${start + 1} to ${start + shown.length} of ${rows.length}`,
    ...(counts !== null && counts.length === 1 ? { counts: counts[0] } : {}),
  };
}

function moreOf(
  request: ToolRequest,
  reply: ReadReply,
  { start, rows, remaining }: FittingPage,
  all: AnswerRows,
) {
  const { endpoint, cursor } = request;
  const next = nextPage(endpoint, reply);
  if (remaining === 0 && next === null) return {};
  const continued = { skip: start + rows.length, page: cursor.page, tag: tagOf(reply) };
  const position = positionAfter(endpoint, rows) ?? (remaining === 0 ? next : null);
  const following = position === null ? continued : { skip: 0, page: position, tag: null };
  const count = remaining === 0 ? 'More rows' : `${remaining} more of ${all.rows.length} rows`;
  return { more: `${count}. ${adviceFor(request)}`, cursor: writeAnswerCursor(following) };
}

/** Lists by position continue after the last row shown, wherever the response ended. */
function positionAfter(endpoint: Endpoint, rows: readonly AnswerRow[]): string | null {
  if (endpoint.positionParameter === undefined) return null;
  const value = rows.at(-1)?.value;
  return isObject(value) && typeof value['id'] === 'string' ? value['id'] : null;
}

/** Returns the cursor or position of the read API's next page, or null on its last page. */
function nextPage({ positionParameter }: Endpoint, reply: ReadReply): string | null {
  const [, target] = /<([^>]*)>; rel="next"/.exec(reply.header('link') ?? '') ?? [];
  if (target === undefined) return null;
  const query = new URLSearchParams(target.slice(target.indexOf('?') + 1));
  return query.get(positionParameter ?? 'cursor');
}

/** Suggests the arguments that the call did not use and that reduce the answer. */
function adviceFor({ endpoint, fields, url }: ToolRequest): string {
  const used = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const offered = offeredParameters(endpoint);
  // Parameters of which a call needs one or the other choose the data.
  const choosing = offered.flatMap(({ name, requiredUnless }) =>
    requiredUnless === undefined ? [] : [name, ...requiredUnless],
  );
  const narrowing = offered
    .filter((parameter) => parameter.in === 'query' && !used.has(parameter.name))
    .map(({ name }) => name)
    .filter((name) => !choosing.includes(name) && !KEPT.has(name));
  const ways = [...(fields === null ? ['fields'] : []), ...narrowing];
  const advice = ways.length === 0 ? '' : `Narrow with ${ways.join(', ')}, or `;
  return `${advice === '' ? 'C' : `${advice}c`}ontinue with cursor.`;
}

/** Parameters that do not reduce an answer. */
const KEPT: ReadonlySet<string> = new Set(['asOf', 'known', 'include', 'from', 'to']);

/**
 * Renders a problem with its code, detail and members. For an invalid request, adds the parameters
 * of the endpoint, so that the agent can correct its call.
 */
function renderRefusal(endpoint: Endpoint, reply: ReadReply): Answer {
  const {
    type: _type,
    title: _title,
    ...known
  } = JSON.parse(reply.body) as Record<string, unknown>;
  const retryAfter = reply.header('retry-after');
  const text = JSON.stringify({
    ...known,
    ...(retryAfter === null ? {} : { retryAfterSeconds: Number(retryAfter) }),
    ...(reply.status === 400 ? { usage: signatureOf(endpoint) } : {}),
  });
  return { text, isError: true };
}

function unknownFields(selection: Exclude<Selection, AnswerRows>): Answer {
  const names = selection.unknownFields.join(', ');
  return invalid('fields', `No row has ${names}. Known fields: ${selection.available.join(', ')}.`);
}

function rowTooLarge(row: AnswerRow | undefined): Answer {
  const names = isObject(row?.value) ? Object.keys(row.value).join(', ') : '';
  return invalid('fields', `The next row alone is too large. Choose some of its fields: ${names}.`);
}

function invalid(parameter: string, detail: string): Answer {
  return renderProblemAnswer(problem('invalid-parameter', detail, { members: { parameter } }));
}

/** Renders a problem that was found before the read API was called. */
export function renderProblemAnswer({ code, detail, members }: Problem): Answer {
  const { status } = PROBLEMS[code];
  return { text: JSON.stringify({ status, code, detail, ...members }), isError: true };
}
