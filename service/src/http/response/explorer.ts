import type { Endpoint } from '../../endpoints/endpoint.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import { problem, type Problem } from '../problems.ts';
import { splitQuery } from '../request/query-string.ts';
import { createRoutes } from '../request/routes.ts';
import { createTargetParser, resolveParameters } from '../request/request-target.ts';
import { createResponseLoader } from './response-loader.ts';
import { applyHistoryLimit } from './resolved-query.ts';
import type { CachedResponse } from './cached-response.ts';

/** How far back somebody may see; `historyMonths` null is all. */
export interface HistoryLimit {
  /** Of the plan, for a refusal to tell. */
  name: string;
  historyMonths: number | null;
}

/** An answer of a read endpoint, without the matters of a request. */
export interface ExplorerResponse {
  mediaType: string;
  body: Buffer;
  /** Names and values in turn: those of this very answer. */
  headers: string[];
}

/** The read endpoints for who has no key: the same answers, out of the same memory. */
export interface Explorer {
  /**
   * What the endpoint of that name answers to `query`, written as in an address; parameters of its
   * path are named in it like the others.
   */
  get(
    asked: { name: string; query: string },
    sight: HistoryLimit,
    now: Instant,
  ): Promise<ExplorerResponse | { refusal: Problem }>;
}

export function createExplorer(
  options: { endpoints: readonly Endpoint[] } & Parameters<typeof createResponseLoader>[0],
): Explorer {
  const { endpoints } = options;
  const targetOf = createTargetParser(createRoutes(endpoints));
  const answers = createResponseLoader(options);

  return {
    async get({ name, query }, sight, now) {
      const endpoint = endpoints.find((each) => each.name === name);
      if (endpoint === undefined) return { refusal: NO_ENDPOINT };
      const address = addressOf(endpoint, query);
      if ('refusal' in address) return address;
      const target = targetOf(address.text);
      if (target === null) return { refusal: NO_ENDPOINT };
      const reading = resolveParameters(target, now);
      if ('refusal' in reading) return reading;
      const question = applyHistoryLimit({ endpoint, ...reading }, sight, now);
      if ('refusal' in question) return question;
      const kept = answers.cached(question, now);
      if (kept !== null) return exploredOf(kept, target.ignoredParameters);
      const outcome = await answers.load(question, now);
      return 'refusal' in outcome ? outcome : exploredOf(outcome.answer, target.ignoredParameters);
    },
  };
}

/** The endpoint's own address for this query. */
function addressOf(endpoint: Endpoint, query: string): { text: string } | { refusal: Problem } {
  const rest: string[] = [];
  const inPath = new Map<string, string>();
  const names = endpoint.parameters.flatMap((each) => (each.in === 'path' ? [each.name] : []));
  for (const part of query.split('&')) {
    const [pair] = splitQuery(part);
    if (pair === undefined) continue;
    if (names.includes(pair.name)) inPath.set(pair.name, encodeURIComponent(pair.value ?? ''));
    else rest.push(part);
  }
  const missing = names.find((name) => (inPath.get(name) ?? '') === '');
  if (missing !== undefined) {
    const detail = `The parameter ${missing} is missing.`;
    return { refusal: problem('missing-parameter', detail, { members: { parameter: missing } }) };
  }
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inPath.get(name) ?? '');
  return { text: rest.length === 0 ? path : `${path}?${rest.join('&')}` };
}

function exploredOf(answer: CachedResponse, ignored: string | null): ExplorerResponse {
  const { mediaType, body, asOf, dataSource, location } = answer;
  const headers = ['Content-Location', location, 'X-Data-Source', dataSource, ...answer.headers];
  if (asOf !== null) headers.push('X-Data-As-Of', formatInstant(asOf));
  if (ignored !== null) headers.push('X-Ignored-Parameters', ignored);
  return { mediaType, body, headers };
}

const NO_ENDPOINT = problem('not-found', 'There is no endpoint of this name.');
