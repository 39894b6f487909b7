import { readErrorOf } from './read-error.ts';
import { type ReadParameters, readUrl } from './read-url.ts';
import type { Reads } from './reads.gen.ts';
import { tryAgain, waitFor } from './try-again.ts';

export interface ReadClientOptions {
  /** Where the service is, such as `https://earnings.example.com`. */
  baseUrl: string;
  apiKey: string;
  /** Tries after the first that failed for the moment; 3 unless given. */
  retries?: number;
  /** Longer than this no `Retry-After` is waited for, and the refusal is thrown; 60 unless given. */
  waitSecondsMax?: number;
  /** In place of the one of the platform. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** In place of a timer, for tests. */
  wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface AskOptions {
  /** Ends the call, also while it waits to try again. */
  signal?: AbortSignal;
}

/** A path of the interface description, with its parameters in braces. */
export type ReadPath = keyof Reads;
/** The paths whose answers come as tables. */
export type TablePath = {
  [P in ReadPath]: Reads[P]['hasTable'] extends true ? P : never;
}[ReadPath];
/** The paths whose answers come in pages, with `limit`. */
export type PagedPath = {
  [P in ReadPath]: Reads[P]['hasPages'] extends true ? P : never;
}[ReadPath];

/** Nothing need be given where no parameter is required. */
export type Asked<P extends ReadPath, Q> = object extends Reads[P]['parameters']
  ? [parameters?: Q, options?: AskOptions]
  : [parameters: Q, options?: AskOptions];

/** Earnings of a day are one object, those of a range one for each day. */
export type AnswerOf<P extends ReadPath, Q> = P extends '/v1/calendar/earnings'
  ? Q extends { date: string }
    ? Exclude<Reads[P]['answer'], readonly unknown[]>
    : Extract<Reads[P]['answer'], readonly unknown[]>
  : Reads[P]['answer'];

export interface ReadAnswer<T> {
  data: T;
  /** To ask with next time; null where the answer has none. */
  etag: string | null;
  /** All headers: `RateLimit`, `X-Data-As-Of`, `X-Total-Count` and the like. */
  headers: Headers;
}

export interface ReadClient {
  /** One answer. Throws a `ReadError` when the service refuses. */
  get<P extends ReadPath, Q extends Reads[P]['parameters']>(
    path: P,
    ...asked: Asked<P, Q>
  ): Promise<ReadAnswer<AnswerOf<P, Q>>>;
  /** The same, or null when it is still what `etag` stands for: that costs less. */
  getIfChanged<P extends ReadPath, Q extends Reads[P]['parameters']>(
    etag: string | null,
    path: P,
    ...asked: Asked<P, Q>
  ): Promise<ReadAnswer<AnswerOf<P, Q>> | null>;
  /** A table, as CSV. */
  getCsv<P extends TablePath>(
    path: P,
    ...asked: Asked<P, Reads[P]['parameters']>
  ): Promise<ReadAnswer<string>>;
  /** Page after page to the last, 100 rows each unless `limit` says otherwise. */
  pages<P extends PagedPath>(
    path: P,
    ...asked: Asked<P, Reads[P]['parameters']>
  ): AsyncGenerator<ReadAnswer<Extract<Reads[P]['answer'], readonly unknown[]>>, void, undefined>;
}

/** Reads with a key, typed by the interface description, and tries again what failed for the moment. */
export function createReadClient(options: ReadClientOptions): ReadClient {
  const { baseUrl, apiKey, retries = 3, waitSecondsMax = 60, wait = waitFor } = options;
  // Looked up for each call, as pages and tests replace the global one.
  const send = options.fetch ?? ((url, init) => fetch(url, init));
  // What is wrong is told at once, and not tried again; the key is not repeated.
  readUrl(baseUrl, '/');
  if (!/^[!-~]+$/.test(apiKey)) throw new TypeError('an API key is wanted: is its setting empty?');

  function ask(url: string, headers: Record<string, string>, { signal }: AskOptions = {}) {
    return tryAgain(
      async () => {
        // Whoever follows a redirect takes the key along.
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
      const next = nextOf(page.headers);
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

/** The address of the next page below ours: the key goes nowhere else. */
function nextOf(headers: Headers): string | null {
  const [, target = null] =
    /<([^>]*)>\s*;[^,]*\brel="?next\b/.exec(headers.get('link') ?? '') ?? [];
  if (target === null) return null;
  if (!target.startsWith('/v1/'))
    throw new TypeError(`the next page is not one of ours: ${target}`);
  return target;
}
