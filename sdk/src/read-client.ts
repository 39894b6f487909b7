import { readErrorOf } from './read-error.ts';
import { type ReadParameters, readUrl } from './read-url.ts';
import type { Reads } from './reads.gen.ts';
import { retry, waitFor } from './retry.ts';

export interface ReadClientOptions {
  /** Base URL of the service, such as `https://earnings.example.com`. */
  baseUrl: string;
  apiKey: string;
  /** Retries after a temporary failure; 3 by default. */
  retries?: number;
  /** Longest `Retry-After` to wait for; a longer one throws. 60 by default. */
  waitSecondsMax?: number;
  /** Replaces the platform's `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Replaces the timer, for tests. */
  wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface AskOptions {
  /** Aborts the call, even while it waits to retry. */
  signal?: AbortSignal;
}

/** A path of the OpenAPI document, with its parameters in braces. */
export type ReadPath = keyof Reads;
/** Paths whose responses are available as CSV. */
export type TablePath = {
  [P in ReadPath]: Reads[P]['hasTable'] extends true ? P : never;
}[ReadPath];
/** Paths whose responses are paginated, with `limit`. */
export type PagedPath = {
  [P in ReadPath]: Reads[P]['hasPages'] extends true ? P : never;
}[ReadPath];

/** Optional if no parameter is required. */
export type Asked<P extends ReadPath, Q> = object extends Reads[P]['parameters']
  ? [parameters?: Q, options?: AskOptions]
  : [parameters: Q, options?: AskOptions];

/** Earnings of a day are one object, those of a range an array of days. */
export type AnswerOf<P extends ReadPath, Q> = P extends '/v1/calendar/earnings'
  ? Q extends { date: string }
    ? Exclude<Reads[P]['answer'], readonly unknown[]>
    : Extract<Reads[P]['answer'], readonly unknown[]>
  : Reads[P]['answer'];

export interface ReadAnswer<T> {
  data: T;
  /** Pass it to `getIfChanged` next time; null if the response has none. */
  etag: string | null;
  /** All response headers: `RateLimit`, `X-Data-As-Of`, `X-Total-Count` and others. */
  headers: Headers;
}

export interface ReadClient {
  /** Fetches one response. Throws a `ReadError` if the service rejects the request. */
  get<P extends ReadPath, Q extends Reads[P]['parameters']>(
    path: P,
    ...asked: Asked<P, Q>
  ): Promise<ReadAnswer<AnswerOf<P, Q>>>;
  /** Like `get`, but returns null if the response still matches `etag`, which costs less. */
  getIfChanged<P extends ReadPath, Q extends Reads[P]['parameters']>(
    etag: string | null,
    path: P,
    ...asked: Asked<P, Q>
  ): Promise<ReadAnswer<AnswerOf<P, Q>> | null>;
  /** Fetches a table as CSV. */
  getCsv<P extends TablePath>(
    path: P,
    ...asked: Asked<P, Reads[P]['parameters']>
  ): Promise<ReadAnswer<string>>;
  /** Yields page after page, with 100 rows each unless `limit` is set. */
  pages<P extends PagedPath>(
    path: P,
    ...asked: Asked<P, Reads[P]['parameters']>
  ): AsyncGenerator<ReadAnswer<Extract<Reads[P]['answer'], readonly unknown[]>>, void, undefined>;
}

/**
 * Creates a client that reads with an API key, typed by the OpenAPI document, and retries temporary
 * failures.
 */
export function createReadClient(options: ReadClientOptions): ReadClient {
  const { baseUrl, apiKey, retries = 3, waitSecondsMax = 60, wait = waitFor } = options;
  // Looked up for each call, because pages and tests replace the global.
  const send = options.fetch ?? ((url, init) => fetch(url, init));
  // Validates the options immediately; the error does not repeat the key.
  readUrl(baseUrl, '/');
  if (!/^[!-~]+$/.test(apiKey)) throw new TypeError('an API key is wanted: is its setting empty?');

  function ask(url: string, headers: Record<string, string>, { signal }: AskOptions = {}) {
    return retry(
      async () => {
        // A followed redirect would receive the key.
        const init: RequestInit = {
          headers: {
            'x-api-key': apiKey,
            ...headers,
          },
          redirect: 'error',
        };
        if (signal !== undefined) init.signal = signal;
        const response = await send(url, init);
        if (response.status === 304) return null;
        if (response.status !== 200) throw await readErrorOf(response);
        return await answerOf(response);
      },
      { retries, waitSecondsMax, wait, signal },
    );
  }

  async function whole(url: string, headers: Record<string, string>, options_?: AskOptions) {
    const answer = await ask(url, headers, options_);
    if (answer === null) throw new TypeError('304 came where nothing was held');
    return answer;
  }

  async function* pages(path: string, parameters: ReadParameters = {}, options_?: AskOptions) {
    let url: string | null = readUrl(baseUrl, path, {
      ...parameters,
      limit: parameters['limit'] ?? 100,
    });
    while (url !== null) {
      const page: ReadAnswer<unknown> = await whole(url, JSON_ALONE, options_);
      yield page;
      const next = nextPageOf(page.headers);
      url = next === null ? null : readUrl(baseUrl, next);
    }
  }

  const client = {
    get: (path: string, parameters?: ReadParameters, options_?: AskOptions) =>
      whole(readUrl(baseUrl, path, parameters), {}, options_),
    getIfChanged: (
      etag: string | null,
      path: string,
      parameters?: ReadParameters,
      options_?: AskOptions,
    ) =>
      ask(
        readUrl(baseUrl, path, parameters),
        etag === null ? {} : { 'if-none-match': etag },
        options_,
      ),
    getCsv: (path: string, parameters?: ReadParameters, options_?: AskOptions) =>
      whole(readUrl(baseUrl, path, { ...parameters, format: 'csv' }), {}, options_),
    pages,
  };
  return client as ReadClient;
}

const JSON_ALONE = { accept: 'application/json' };

async function answerOf(response: Response): Promise<ReadAnswer<unknown>> {
  const { headers } = response;
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  const data: unknown = isJson ? await response.json() : await response.text();
  return { data, etag: headers.get('etag'), headers };
}

/** The address of the next page, if it is below the base URL: the key goes nowhere else. */
function nextPageOf(headers: Headers): string | null {
  const [, target = null] =
    /<([^>]*)>\s*;[^,]*\brel="?next\b/.exec(headers.get('link') ?? '') ?? [];
  if (target === null) return null;
  if (!target.startsWith('/v1/'))
    throw new TypeError(`the next page is not one of ours: ${target}`);
  return target;
}
