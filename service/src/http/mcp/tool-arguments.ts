import type { Endpoint, Parameter } from '../../endpoints/endpoint.ts';
import { problem, type Problem } from '../problems.ts';
import { parametersOf } from '../request/endpoint-parameters.ts';
import { type AnswerCursor, readAnswerCursor } from './answer-cursor.ts';

/** A tool call, translated into a request of the read API. */
export interface ToolRequest {
  endpoint: Endpoint;
  /** Path and query for the read API. */
  url: string;
  /** Maximum number of rows in the answer; null for as many as fit. */
  limit: number | null;
  /** Fields of each row to return; null for all. */
  fields: readonly string[] | null;
  cursor: AnswerCursor;
}

/** Arguments that every tool accepts and that the read API never sees under this name. */
const ANSWER_ARGUMENTS = ['endpoint', 'limit', 'cursor', 'fields'] as const;

/** Parameters of the read API that have no meaning for an agent, or another one. */
const HIDDEN: ReadonlySet<string> = new Set(['format', 'limit', 'cursor']);

/** Returns the parameters of an endpoint that a tool offers. */
export function offeredParameters(endpoint: Endpoint): readonly Parameter[] {
  return endpoint.parameters.filter(({ name }) => !HIDDEN.has(name));
}

/**
 * Renders the endpoint and its parameters as a call, such as
 * `earnings(symbol; include?, asOf?, known?)`. Parameters before the semicolon are required.
 */
export function signatureOf(endpoint: Endpoint): string {
  const offered = offeredParameters(endpoint);
  const required = offered.filter((parameter) => parameter.required);
  const alternatives = offered.filter(({ requiredUnless }) => requiredUnless !== undefined);
  const replaced = new Set(alternatives.flatMap(({ requiredUnless = [] }) => requiredUnless));
  const needed = [
    ...required.map(({ name }) => name),
    ...alternatives.map(
      ({ name, requiredUnless = [] }) => `${name} or ${requiredUnless.join('+')}`,
    ),
  ];
  const optional = offered
    .filter((parameter) => !required.includes(parameter) && !alternatives.includes(parameter))
    .filter(({ name }) => !replaced.has(name))
    .map(({ name }) => `${name}?`);
  const parts = [needed.join(', '), optional.join(', ')].filter((part) => part !== '');
  return `${endpoint.name}(${parts.join('; ')})`;
}

/**
 * Translates the arguments of a tool call. The read API validates the values of an endpoint's
 * parameters; this function rejects only arguments that would never reach it.
 */
export function parseToolArguments(
  endpoints: readonly Endpoint[],
  input: Readonly<Record<string, unknown>>,
): ToolRequest | { refusal: Problem } {
  const endpoint = chooseEndpoint(endpoints, input['endpoint']);
  if ('refusal' in endpoint) return endpoint;
  const limit = parseLimit(input['limit']);
  if (limit === 'invalid') return invalid('limit', 'limit is a whole number of at least 1.');
  const cursor = readAnswerCursor(textOf(input['cursor']));
  if (cursor === null) return invalid('cursor', 'Pass the cursor of an earlier answer unchanged.');
  const names = new Set<string>(ANSWER_ARGUMENTS);
  const offered = offeredParameters(endpoint);
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(input)) {
    const text = textOf(value);
    if (names.has(name) || text === null) continue;
    if (!offered.some((parameter) => parameter.name === name)) {
      const detail = `${name.slice(0, 40)} is not a parameter of ${signatureOf(endpoint)}.`;
      return invalid(name, detail);
    }
    values.set(name, text);
  }
  const url = urlOf(endpoint, values, { limit, cursor });
  if (typeof url !== 'string') return url;
  return { endpoint, url, limit, fields: namesIn(input['fields']), cursor };
}

function chooseEndpoint(
  endpoints: readonly Endpoint[],
  name: unknown,
): Endpoint | { refusal: Problem } {
  const [only] = endpoints;
  if (name === undefined && only !== undefined && endpoints.length === 1) return only;
  const endpoint = endpoints.find((candidate) => candidate.name === name);
  if (endpoint !== undefined) return endpoint;
  const detail = `endpoint is one of: ${endpoints.map(signatureOf).join(' | ')}.`;
  return invalid('endpoint', detail);
}

function urlOf(
  endpoint: Endpoint,
  values: ReadonlyMap<string, string>,
  { limit, cursor }: { limit: number | null; cursor: AnswerCursor },
): string | { refusal: Problem } {
  const query = new URLSearchParams();
  const path = new Map<string, string>();
  for (const parameter of offeredParameters(endpoint)) {
    const value = values.get(parameter.name);
    if (value !== undefined && parameter.in === 'query') query.set(parameter.name, value);
    if (parameter.in !== 'path') continue;
    if (value === undefined || value === '') {
      const detail = `${parameter.name} is required: ${signatureOf(endpoint)}.`;
      return refused('missing-parameter', parameter.name, detail);
    }
    path.set(parameter.name, encodeURIComponent(value));
  }
  addPage(query, endpoint, { limit, cursor });
  const filled = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path.get(name) ?? '');
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

/**
 * Adds the page to the query. An endpoint that lists by position returns only the rows from there
 * on. All other endpoints return the complete list, from which the answer takes its rows.
 */
function addPage(
  query: URLSearchParams,
  endpoint: Endpoint,
  { limit, cursor }: { limit: number | null; cursor: AnswerCursor },
): void {
  const { positionParameter } = endpoint;
  const parameters = parametersOf(endpoint);
  const ownLimit = parameters.find(({ name }) => name === 'limit');
  if (positionParameter !== undefined && limit !== null && ownLimit?.kind === 'integer') {
    query.set('limit', String(Math.min(limit, ownLimit.max)));
  }
  if (cursor.page === null) return;
  const hasCursor = parameters.some(({ name }) => name === 'cursor');
  if (positionParameter !== undefined) query.set(positionParameter, cursor.page);
  else if (hasCursor) query.set('cursor', cursor.page);
}

/** Agents send lists as arrays or as text. Null and empty text mean that there is no value. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (Array.isArray(value)) return value.map((item) => textOf(item) ?? '').join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parseLimit(value: unknown): number | null | 'invalid' {
  const text = textOf(value);
  if (text === null) return null;
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 'invalid';
}

function namesIn(value: unknown): readonly string[] | null {
  const names = (textOf(value) ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 ? null : names;
}

function invalid(parameter: string, detail: string): { refusal: Problem } {
  return refused('invalid-parameter', parameter, detail);
}

function refused(
  code: 'invalid-parameter' | 'missing-parameter',
  parameter: string,
  detail: string,
): { refusal: Problem } {
  return { refusal: problem(code, detail, { members: { parameter } }) };
}
