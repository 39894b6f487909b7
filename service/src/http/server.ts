import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../platform/clock.ts';
import type { Answer } from './answer/answer.ts';
import { guardConnections, malformed } from './connection-guard.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import type { ServerLimits } from './limits.ts';
import type { ReadApi } from './read-api.ts';
import { trustedProxies } from './remote-address.ts';
import { timesSent, withEveryAuthorization } from './request/repeated-headers.ts';

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
  const served = new WeakMap<Socket, number>();
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
  server.on('checkExpectation', listen);
  guardConnections(server, { limits, proxies, refuse: (refusal) => readApi.refuse(refusal) });

  function listen(request: IncomingMessage, response: ServerResponse): void {
    if (closing || isLastOf(request.socket)) response.shouldKeepAlive = false;
    if (request.headers.host === undefined && request.httpVersion !== '1.0') {
      return send(response, readApi.refuse(malformed('The header Host is missing.')));
    }
    // RFC 9112, section 3.2: two that differ could be read differently by a proxy and by us.
    if (timesSent(request, 'host') > 1) {
      return send(response, readApi.refuse(malformed('The header Host is there more than once.')));
    }
    if (!isDoubted && request.headers['x-forwarded-for'] !== undefined) {
      isDoubted = true;
      options.log?.warn({}, UNTRUSTED_PROXY);
    }
    const url = originForm(request.url ?? '/');
    if (!url.startsWith('/v1/')) {
      request.url = url;
      return pages(request, response);
    }
    const { method = 'GET' } = request;
    const headers = withEveryAuthorization(request);
    // A body that no one will read is not waited for: the connection ends with the answer.
    if (method !== 'GET' && hasBody(request)) response.shouldKeepAlive = false;
    const socketAddress = request.socket.remoteAddress ?? '';
    const remoteAddress = proxies.clientAddress(socketAddress, headers['x-forwarded-for']);
    const answer = readApi.handle({ method, url, headers, remoteAddress });
    if (answer instanceof Promise) void answer.then((late) => sendLate(response, late));
    else send(response, answer);
  }

  /** A connection whose request was still running when the server closed ends with its answer. */
  function sendLate(response: ServerResponse, answer: Answer): void {
    if (closing) response.shouldKeepAlive = false;
    send(response, answer);
  }

  /**
   * The library's own count asks the client to close and answers a bare 503 when it does not; here
   * the server closes with the last answer.
   */
  function isLastOf(socket: Socket): boolean {
    const count = (served.get(socket) ?? 0) + 1;
    served.set(socket, count);
    return count >= limits.requestsPerSocketMax;
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

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

function send(response: ServerResponse, answer: Answer): void {
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
