import { followChanges } from './follow-changes.ts';
import { readErrorOf } from './read-error.ts';
import { type ReadParameters, readUrl } from './read-url.ts';
import type { Change, Reads } from './reads.gen.ts';
import { retry, waitFor } from './retry.ts';

export interface ReadClientOptions {
  /** The service's base URL, such as `https://earnings.example.com`. */
  baseUrl: string;
  apiKey: string;
  /** Maximum number of retries after a temporary failure; 3 by default. */
  retries?: number;
  /**
   * Longest `Retry-After` to wait for, in seconds; 60 by default. If the service asks for a longer
   * delay, the call throws.
   */
  waitSecondsMax?: number;
  /** Used instead of the platform's `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Used instead of the timer in tests. */
  wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface CallOptions {
  /** Aborts the call, even while it is waiting to retry. */
  signal?: AbortSignal;
}

/** A path in the OpenAPI document, with its parameters in braces. */
export type ReadPath = keyof Reads;
/** Paths whose responses are available as CSV. */
export type TablePath = {
  [P in ReadPath]: Reads[P]['hasTable'] extends true ? P : never;
}[ReadPath];
/** Paths whose responses are paginated, with `limit`. */
export type PagedPath = {
  [P in ReadPath]: Reads[P]['hasPages'] extends true ? P : never;
}[ReadPath];

/** The parameters are optional if none of them is required. */
export type CallArguments<P extends ReadPath, Q> = object extends Reads[P]['parameters']
  ? [parameters?: Q, options?: CallOptions]
  : [parameters: Q, options?: CallOptions];

/** Earnings are an object for a single day and an array of days for a range. */
export type DataOf<P extends ReadPath, Q> = P extends '/v1/calendar/earnings'
  ? Q extends { date: string }
    ? Exclude<Reads[P]['response'], readonly unknown[]>
    : Extract<Reads[P]['response'], readonly unknown[]>
  : Reads[P]['response'];

export interface ReadResponse<T> {
  data: T;
  /** Pass it to the next `getIfChanged` call. Null if the response has no ETag. */
  etag: string | null;
  /** All response headers: `RateLimit`, `X-Data-As-Of`, `X-Total-Count` and others. */
  headers: Headers;
}

export interface ReadClient {
  /** Fetches one response. Throws a `ReadError` if the service rejects the request. */
  get<P extends ReadPath, Q extends Reads[P]['parameters']>(
    path: P,
    ...args: CallArguments<P, Q>
  ): Promise<ReadResponse<DataOf<P, Q>>>;
  /**
   * Like `get`, but returns null if the response still matches `etag`, which makes the call
   * cheaper.
   */
  getIfChanged<P extends ReadPath, Q extends Reads[P]['parameters']>(
    etag: string | null,
    path: P,
    ...args: CallArguments<P, Q>
  ): Promise<ReadResponse<DataOf<P, Q>> | null>;
  /** Fetches a table as CSV. */
  getCsv<P extends TablePath>(
    path: P,
    ...args: CallArguments<P, Reads[P]['parameters']>
  ): Promise<ReadResponse<string>>;
  /** Yields one page at a time, with 100 rows each unless `limit` is set. */
  pages<P extends PagedPath>(
    path: P,
    ...args: CallArguments<P, Reads[P]['parameters']>
  ): AsyncGenerator<
    ReadResponse<Extract<Reads[P]['response'], readonly unknown[]>>,
    void,
    undefined
  >;
  /**
   * Yields each change once, in order, as it is committed: after `since`, or from now on. Reconnects
   * without limit, and throws when the service rejects the request or the signal is aborted. To
   * resume later, pass the `id` of the last change you processed as `since`.
   */
  followChanges(
    parameters?: FollowParameters,
    options?: CallOptions,
  ): AsyncGenerator<Change, void, undefined>;
}

/** The filters of `/v1/changes`, and where to start. */
export type FollowParameters = Partial<
  Pick<Reads['/v1/changes']['parameters'], 'since' | 'dataset' | 'symbols'>
>;

/**
 * Creates a client that reads data with an API key. Its calls are typed by the OpenAPI document,
 * and it retries temporary failures.
 */
export function createReadClient(options: ReadClientOptions): ReadClient {
  const client = new HttpReadClient(options);
  return {
    get: client.get.bind(client),
    getIfChanged: client.getIfChanged.bind(client),
    getCsv: client.getCsv.bind(client),
    pages: client.pages.bind(client),
    followChanges: client.followChanges.bind(client),
  } as ReadClient;
}

class HttpReadClient {
  readonly #options: ReadClientOptions;

  constructor(options: ReadClientOptions) {
    // Validates the options immediately. The error does not contain the key.
    readUrl(options.baseUrl, '/');
    if (!/^[!-~]+$/.test(options.apiKey)) {
      throw new TypeError('apiKey must be an API key: is its setting empty?');
    }
    this.#options = options;
  }

  get(path: string, parameters?: ReadParameters, call?: CallOptions) {
    return this.#fetchWhole(this.#url(path, parameters), {}, call);
  }

  getIfChanged(etag: string | null, path: string, parameters?: ReadParameters, call?: CallOptions) {
    const headers = etag === null ? {} : { 'if-none-match': etag };
    return this.#fetch(this.#url(path, parameters), headers, call);
  }

  getCsv(path: string, parameters?: ReadParameters, call?: CallOptions) {
    return this.#fetchWhole(this.#url(path, { ...parameters, format: 'csv' }), {}, call);
  }

  async *pages(path: string, parameters: ReadParameters = {}, call?: CallOptions) {
    const limit = parameters['limit'] ?? 100;
    let url: string | null = this.#url(path, { ...parameters, limit });
    while (url !== null) {
      const page: ReadResponse<unknown> = await this.#fetchWhole(url, JSON_ONLY, call);
      yield page;
      const next = nextPageOf(page.headers);
      url = next === null ? null : this.#url(next);
    }
  }

  async *followChanges(parameters: FollowParameters = {}, { signal }: CallOptions = {}) {
    const { waitSecondsMax = 60, wait = waitFor } = this.#options;
    const { since, ...filters } = parameters;
    // Ends the connection when the caller leaves the loop.
    const connection = new AbortController();
    const abort = () => connection.abort(signal?.reason);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      yield* followChanges({
        open: (position) => {
          const start = position === null ? { ...filters, since } : filters;
          const headers = position === null ? {} : { 'last-event-id': position };
          const url = this.#url('/v1/changes/stream', start);
          return this.#send(url, { accept: 'text/event-stream', ...headers }, connection.signal);
        },
        list: (position) => {
          const start = { ...filters, since: position ?? since, limit: 1_000 };
          return this.pages('/v1/changes', start, connection) as AsyncIterable<ChangePage>;
        },
        wait: (milliseconds) => wait(milliseconds, connection.signal),
        waitSecondsMax,
        isAborted: () => connection.signal.aborted,
      });
    } finally {
      signal?.removeEventListener('abort', abort);
      connection.abort();
    }
  }

  #url(path: string, parameters?: ReadParameters): string {
    return readUrl(this.#options.baseUrl, path, parameters);
  }

  /** Returns null for status 304. */
  #fetch(url: string, headers: Record<string, string>, { signal }: CallOptions = {}) {
    const { retries = 3, waitSecondsMax = 60, wait = waitFor } = this.#options;
    return retry(
      async () => {
        const response = await this.#send(url, headers, signal);
        return response.status === 304 ? null : responseOf(response);
      },
      { retries, waitSecondsMax, wait, signal },
    );
  }

  /** Throws a `ReadError` if the status is neither 200 nor 304. */
  async #send(url: string, headers: Record<string, string>, signal: AbortSignal | undefined) {
    const { apiKey } = this.#options;
    // Looked up for each call, because web pages and tests may replace the global `fetch`.
    const send = this.#options.fetch ?? ((address, init) => fetch(address, init));
    // If a redirect were followed, its target would receive the key.
    const init: RequestInit = { headers: { 'x-api-key': apiKey, ...headers }, redirect: 'error' };
    if (signal !== undefined) init.signal = signal;
    const response = await send(url, init);
    if (response.status !== 200 && response.status !== 304) throw await readErrorOf(response);
    return response;
  }

  async #fetchWhole(url: string, headers: Record<string, string>, call?: CallOptions) {
    const response = await this.#fetch(url, headers, call);
    if (response === null) throw new TypeError('unexpected 304 for an unconditional request');
    return response;
  }
}

type ChangePage = ReadResponse<readonly Change[]>;

const JSON_ONLY = { accept: 'application/json' };

async function responseOf(response: Response): Promise<ReadResponse<unknown>> {
  const { headers } = response;
  const data: unknown = await bodyOf(response, headers.get('content-type') ?? '');
  return { data, etag: headers.get('etag'), headers };
}

/** Reads JSON, text such as CSV, iCalendar and XML, or the bytes of a file. */
async function bodyOf(response: Response, mediaType: string): Promise<unknown> {
  if (mediaType.startsWith('application/json')) return response.json();
  return /^text\/|\+xml\b/.test(mediaType)
    ? response.text()
    : new Uint8Array(await response.arrayBuffer());
}

/**
 * Returns the URL of the next page, but only if it is below the base URL, so that the key is sent
 * nowhere else.
 */
function nextPageOf(headers: Headers): string | null {
  const [, target = null] =
    /<([^>]*)>\s*;[^,]*\brel="?next\b/.exec(headers.get('link') ?? '') ?? [];
  if (target === null) return null;
  if (!target.startsWith('/v1/'))
    throw new TypeError(`the next page is on another host: ${target}`);
  return target;
}
