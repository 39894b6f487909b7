import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../platform/clock.ts';
import type { HttpResponse } from './response/http-response.ts';
import { guardConnections } from './connection-guard.ts';
import { DEFAULT_LIMITS, type ServerLimits } from './limits.ts';
import type { ReadApi } from './read-api.ts';
import { problem, type Problem } from './problems.ts';
import { trustedProxies } from './client-address.ts';
import { checkMessage, hasBody, UNEXPECTED_BODY } from './request/check-message.ts';
import { withAllAuthorizations } from './request/repeated-headers.ts';
import { createPipeliningGuard } from './pipelining-guard.ts';

export interface RunningServer {
  /** `http://HOST:PORT`, the port that was really taken. */
  url: string;
  /**
   * Answers on for so long, closing each connection with its answer, so that whoever spreads requests
   * over several of us learns to leave this one out.
   */
  drain(durationMs: number): Promise<void>;
  /** Takes no more requests, lets running ones end for `graceMs`, then cuts them off. */
  close(graceMs?: number): Promise<void>;
}

const GRACE_MS = 5_000;
const UNTRUSTED_PROXY =
  'X-Forwarded-For came and is not believed: where a proxy of yours stands in front, set TRUST_PROXY to its address, or all its clients count as one';

/**
 * One server for everything: `/v1/…` goes straight to the read API, all else to `pages`. Rejects
 * when the port cannot be had.
 */
export async function startServer(options: {
  readApi: ReadApi;
  pages: RequestListener;
  host: string;
  /** 0 takes a free one. */
  port: number;
  clock: Clock;
  /** Addresses and CIDR blocks of proxies whose forwarded address is believed. */
  trustProxy?: readonly string[];
  limits?: Partial<ServerLimits>;
  /** Aborts when the process is told to end: from then on no connection is kept. */
  closing?: AbortSignal;
  log?: { warn(fields: object, message: string): void };
}): Promise<RunningServer> {
  const { readApi, pages, host, port, clock } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const proxies = trustedProxies(options.trustProxy ?? []);
  let closing = false;
  options.closing?.addEventListener('abort', () => (closing = true), { once: true });
  const isBehindProxy = (options.trustProxy ?? []).length > 0;
  const { headersMaxBytes } = limits;
  const turns = createPipeliningGuard();
  let isDoubted = isBehindProxy;

  const server = createServer(
    {
      maxHeaderSize: limits.headersMaxBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: isBehindProxy ? limits.keepAliveBehindProxyMs : limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      // A missing Host is answered below in the documented form, not by the library's bare 400.
      requireHostHeader: false,
      // A request without a body needs no stream that ends: a tenth of the time of a hot read.
      optimizeEmptyRequests: true,
    },
    listen,
  );
  server.maxConnections = limits.connectionsMax;
  // The library hides headers past their two thousandth from us, though it heeds a length among them.
  server.maxHeadersCount = 0;
  server.on('checkExpectation', listen);
  server.on('checkContinue', (request, response) => {
    // Asked for while an answer before is not sent yet, the library's word would land within the next.
    if (request.url?.startsWith('/v1/') !== true && response.socket !== null)
      response.writeContinue();
    listen(request, response);
  });
  const refuse = (refusal: Problem): HttpResponse => readApi.refuse(refusal);
  guardConnections(server, { limits, proxies, turns, refuse });

  function listen(request: IncomingMessage, response: ServerResponse): void {
    const count = turns.take(request, response);
    // The library's own count answers what comes after the last one with a bare 503.
    if (count > limits.requestsPerSocketMax) return;
    const isLast = count === limits.requestsPerSocketMax;
    // After a wish for another protocol the parser drops what came in the same packet.
    const isCut = request.headers.upgrade !== undefined;
    if (closing || isLast || isCut) response.shouldKeepAlive = false;
    const url = originForm(request.url ?? '/');
    const fault = checkMessage(request, { url, headersMaxBytes });
    if (fault !== null) {
      response.shouldKeepAlive = false;
      return send(response, refuse(fault));
    }
    if (!isDoubted && request.headers['x-forwarded-for'] !== undefined) {
      isDoubted = true;
      options.log?.warn({}, UNTRUSTED_PROXY);
    }
    const { method = 'GET' } = request;
    if (!url.startsWith('/v1/')) {
      const refusal = pageFault(method, request);
      if (refusal !== null) return send(response, refuse(refusal));
      // Its stream has ended unheard: who reads a body for its media type would wait for ever.
      if (isWithoutBody(request)) delete request.headers['content-type'];
      request.url = url;
      return pages(request, response);
    }
    const headers = withAllAuthorizations(request);
    // A body that no one will read is not waited for: the connection ends with the answer.
    if (hasBody(request)) response.shouldKeepAlive = false;
    const socketAddress = request.socket.remoteAddress ?? '';
    const remoteAddress = proxies.clientAddress(socketAddress, headers['x-forwarded-for']);
    const answer = readApi.handle({ method, url, headers, remoteAddress });
    if (answer instanceof Promise) void answer.then((late) => sendLate(response, late));
    else send(response, answer);
  }

  /** A connection whose request was still running when the server closed ends with its answer. */
  function sendLate(response: ServerResponse, answer: HttpResponse): void {
    if (closing) response.shouldKeepAlive = false;
    send(response, answer);
  }

  await listenOn(server, host, port);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}`,
    async drain(durationMs) {
      closing = true;
      if (durationMs > 0) await clock.sleep(durationMs);
    },
    close: (graceMs = GRACE_MS) => {
      closing = true;
      return closeServer(server, clock, graceMs);
    },
  };
}

/** Methods of pages and of calls; the parser knows thirty more. */
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
const WRONG_METHOD = problem('method-not-allowed', 'Nothing here takes this method.', {
  headers: ['Connection', 'close'],
});

/** What the read interface refuses itself, refused of pages; null when there is nothing. */
function pageFault(method: string, request: IncomingMessage): Problem | null {
  if (!METHODS.includes(method)) return WRONG_METHOD;
  return (method === 'GET' || method === 'HEAD') && hasBody(request) ? UNEXPECTED_BODY : null;
}

/** What `optimizeEmptyRequests` is about. */
function isWithoutBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

function send(response: ServerResponse, answer: HttpResponse): void {
  response.writeHead(answer.status, answer.headers);
  if (answer.body === null) response.end();
  else response.end(answer.body);
}

/** Some clients send `GET http://host/path`: the path is what counts. */
function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const match = /^https?:\/\/[^/?#]*(.*)$/i.exec(url);
  return match === null ? `/${url}` : `/${(match[1] ?? '').replace(/^\//, '')}`;
}

function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function closeServer(server: Server, clock: Clock, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimer(graceMs, () => server.closeAllConnections());
    server.close(() => {
      timer.cancel();
      resolve();
    });
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
