import type { Readable } from 'node:stream';
import type { Clock } from './clock.ts';
import { type Body, readBody } from './http-body.ts';

/** Sends one request without following redirects. */
export type Exchange = (request: ExchangeRequest) => Promise<ExchangeResult>;

export interface ExchangeRequest {
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** The default is GET. */
  method?: 'POST' | undefined;
  body?: string | undefined;
  /** Maximum wait for the headers and for each chunk of the body. */
  timeoutMs: number;
  bodyBytesMax: number;
  signal?: AbortSignal | undefined;
}

export type ExchangeResult =
  | {
      kind: 'response';
      status: number;
      contentType: string;
      location: string | undefined;
      retryAfter: string | undefined;
      /** The `Date` header, which contains the server's time. */
      date: string | undefined;
      /** Each cookie that the response set, as `name=value`. */
      cookies: readonly string[];
      text: string;
    }
  | { kind: 'timeout' }
  | { kind: 'too-large' }
  | { kind: 'network'; detail: string };

/** The part of an HTTP library that is used here. Resolves when the headers have arrived. */
export type Send = (
  url: URL,
  options: {
    headers: Readonly<Record<string, string>>;
    signal: AbortSignal;
    method: 'GET' | 'POST';
    body: string | null;
  },
) => Promise<{
  statusCode: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readable;
}>;

/** Time limit for a whole body, as a multiple of the timeout. */
const TOTAL_TIMEOUT_FACTOR = 4;

/** Creates an exchange that applies timeouts on the given clock and limits the body size. */
export function createExchange(deps: { clock: Clock; send: Send }): Exchange {
  return async (request) => {
    const timeouts = startTimeouts(deps.clock, request);
    try {
      return await exchangeOnce(deps.send, request, timeouts);
    } catch (error) {
      if (timeouts.timedOut()) return { kind: 'timeout' };
      return { kind: 'network', detail: describe(error) };
    } finally {
      timeouts.end();
    }
  };
}

async function exchangeOnce(
  send: Send,
  request: ExchangeRequest,
  timeouts: RequestTimeouts,
): Promise<ExchangeResult> {
  const headers = { ...request.headers, 'accept-encoding': 'gzip' };
  const { url, method = 'GET', body: content = null } = request;
  const response = await send(url, { headers, signal: timeouts.signal, method, body: content });
  const header = (name: string): string | undefined => first(response.headers[name]);
  const { statusCode: status, body } = response;
  // Closing a body early raises an error on it, which can be ignored.
  body.on('error', () => undefined);
  try {
    const contentType = header('content-type') ?? '';
    timeouts.onProgress();
    const read = await readBodyWithin(request.bodyBytesMax, response, timeouts).catch(
      (error: unknown) => {
        if (!isHandledByHeaders(status)) throw error;
        return { kind: 'unreadable' as const };
      },
    );
    if (read.kind !== 'text' && !isHandledByHeaders(status)) {
      if (read.kind === 'too-large') return read;
      return { kind: 'network', detail: 'unknown content encoding' };
    }
    return {
      kind: 'response',
      status,
      contentType,
      location: header('location'),
      retryAfter: header('retry-after'),
      date: header('date'),
      cookies: cookiesOf(response.headers['set-cookie']),
      text: read.kind === 'text' ? read.text : '',
    };
  } finally {
    body.destroy();
  }
}

/**
 * Returns true for redirects, rejections and server errors. For these, only the headers matter, so
 * an unreadable body is not a failure.
 */
function isHandledByHeaders(status: number): boolean {
  return (status >= 300 && status < 400) || status === 403 || status === 429 || status >= 500;
}

async function readBodyWithin(
  bytesMax: number,
  { headers, body }: Awaited<ReturnType<Send>>,
  timeouts: RequestTimeouts,
): Promise<Body> {
  if (Number(first(headers['content-length']) ?? 0) > bytesMax) return { kind: 'too-large' };
  return readBody(body, {
    bytesMax,
    contentEncoding: first(headers['content-encoding']),
    contentType: first(headers['content-type']) ?? '',
    onChunk: timeouts.onProgress,
  });
}

interface RequestTimeouts {
  signal: AbortSignal;
  /** Restarts the timeout between chunks when data has arrived. The total timeout continues. */
  onProgress(): void;
  timedOut(): boolean;
  end(): void;
}

function startTimeouts(clock: Clock, request: ExchangeRequest): RequestTimeouts {
  const controller = new AbortController();
  let timedOut = false;
  const expire = (): void => {
    timedOut = true;
    controller.abort();
  };
  const stop = (): void => controller.abort();
  const totalTimer = clock.setTimer(request.timeoutMs * TOTAL_TIMEOUT_FACTOR, expire);
  let idleTimer = clock.setTimer(request.timeoutMs, expire);
  if (request.signal?.aborted) stop();
  request.signal?.addEventListener('abort', stop);
  return {
    signal: controller.signal,
    onProgress() {
      idleTimer.cancel();
      idleTimer = clock.setTimer(request.timeoutMs, expire);
    },
    timedOut: () => timedOut,
    end() {
      totalTimer.cancel();
      idleTimer.cancel();
      request.signal?.removeEventListener('abort', stop);
    },
  };
}

/** Returns the cookies to send in later requests, without their attributes. */
function cookiesOf(value: string | string[] | undefined): string[] {
  const lines = typeof value === 'string' ? [value] : (value ?? []);
  return lines.flatMap((line) => line.split(';')[0]?.trim() || []);
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : error.name;
}
