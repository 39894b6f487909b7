import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { type TrustedProxies, trustedProxies } from './client-address.ts';
import { guardConnections } from './connection-guard.ts';
import { DEFAULT_LIMITS, type ServerLimits } from './limits.ts';
import { PipeliningGuard } from './pipelining-guard.ts';
import { problem, type Problem } from './problems.ts';
import type { ReadApi } from './read-api.ts';
import { checkMessage, hasBody, UNEXPECTED_BODY } from './request/check-message.ts';
import { withAllAuthorizations } from './request/repeated-headers.ts';
import type { FileRange, HttpResponse } from './response/http-response.ts';
import { sendStream } from './stream/send-stream.ts';

export interface RunningServer {
  /** The URL `http://HOST:PORT` with the actual port number. */
  url: string;
  /**
   * Continues serving requests for this long, but closes each connection after its next response,
   * so that a load balancer moves the traffic to other instances.
   */
  drain(durationMs: number): Promise<void>;
  /**
   * Stops accepting requests, waits up to `graceMs` for running requests to finish, then closes all
   * connections.
   */
  close(graceMs?: number): Promise<void>;
}

export interface ServerOptions {
  readApi: ReadApi;
  pages: RequestListener;
  host: string;
  /** Use 0 for any free port. */
  port: number;
  /** True if other processes listen on the same port. The system distributes the connections. */
  reusePort?: boolean;
  clock: Clock;
  /** IP addresses and CIDR blocks of proxies whose `X-Forwarded-For` is trusted. */
  trustProxy?: readonly string[];
  limits?: Partial<ServerLimits>;
  /** Aborted when shutdown begins. After that, connections are no longer kept alive. */
  closing?: AbortSignal;
  log?: Pick<Log, 'warn'>;
}

const GRACE_MS = 5_000;

/**
 * Serves everything on one port: `/v1/…` is handled by the read API and all other paths by `pages`.
 * Rejects if the port is not available.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = new HttpServer(options);
  await server.listen();
  return server;
}

class HttpServer implements RunningServer {
  readonly #options: ServerOptions;
  readonly #limits: ServerLimits;
  readonly #proxies: TrustedProxies;
  readonly #pipelining = new PipeliningGuard();
  readonly #server: Server;
  #isClosing = false;
  #isProxyWarningPending: boolean;

  constructor(options: ServerOptions) {
    const trustProxy = options.trustProxy ?? [];
    const isBehindProxy = trustProxy.length > 0;
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#options = options;
    this.#limits = limits;
    this.#proxies = trustedProxies(trustProxy);
    this.#isProxyWarningPending = !isBehindProxy;
    this.#server = createNodeServer(limits, isBehindProxy, (request, response) =>
      this.#onRequest(request, response),
    );
    guardConnections(this.#server, {
      limits,
      proxies: this.#proxies,
      pipelining: this.#pipelining,
      reject: (refusal) => options.readApi.reject(refusal),
    });
    options.closing?.addEventListener('abort', () => (this.#isClosing = true), { once: true });
  }

  get url(): string {
    const { host } = this.#options;
    const { port } = this.#server.address() as AddressInfo;
    return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  listen(): Promise<void> {
    const { host, port, reusePort = false } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ port, host, reusePort }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  async drain(durationMs: number): Promise<void> {
    this.#isClosing = true;
    if (durationMs > 0) await this.#options.clock.sleep(durationMs);
  }

  close(graceMs: number = GRACE_MS): Promise<void> {
    this.#isClosing = true;
    return new Promise((resolve) => {
      const timer = this.#options.clock.setTimer(graceMs, () => this.#server.closeAllConnections());
      this.#server.close(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const { requestsPerSocketMax, headersMaxBytes } = this.#limits;
    const count = this.#pipelining.track(request, response);
    // Node.js itself responds to requests beyond the maximum with a bare 503.
    if (count > requestsPerSocketMax) return;
    const isLast = count === requestsPerSocketMax;
    // After a protocol upgrade, the parser drops the rest of the packet.
    const isUpgrade = request.headers.upgrade !== undefined;
    if (this.#isClosing || isLast || isUpgrade) response.shouldKeepAlive = false;
    const url = originForm(request.url ?? '/');
    const refusal = checkMessage(request, { url, headersMaxBytes });
    if (refusal !== null) {
      response.shouldKeepAlive = false;
      return this.#reject(response, refusal);
    }
    this.#checkForwardedFor(request);
    if (url.startsWith('/v1/')) this.#serveRead(request, response, url);
    else this.#servePage(request, response, url);
  }

  #serveRead(request: IncomingMessage, response: ServerResponse, url: string): void {
    const { method = 'GET' } = request;
    const headers = withAllAuthorizations(request);
    // An unexpected body is not read, so the connection is closed after the response.
    if (hasBody(request)) response.shouldKeepAlive = false;
    const socketAddress = request.socket.remoteAddress ?? '';
    const remoteAddress = this.#proxies.clientAddress(socketAddress, headers['x-forwarded-for']);
    const whenClosed = (listener: () => void): void => void response.once('close', listener);
    const read = { method, url, headers, remoteAddress, whenClosed };
    const result = this.#options.readApi.handle(read);
    if (!(result instanceof Promise)) return send(response, result);
    void result.then((httpResponse) => {
      if (this.#isClosing) response.shouldKeepAlive = false;
      send(response, httpResponse);
    });
  }

  #servePage(request: IncomingMessage, response: ServerResponse, url: string): void {
    const refusal = checkPageRequest(request);
    if (refusal !== null) return this.#reject(response, refusal);
    // The empty body stream has already ended, and a body parser chosen by media type would wait
    // for it forever.
    if (isWithoutBody(request)) delete request.headers['content-type'];
    request.url = url;
    this.#options.pages(request, response);
  }

  #reject(response: ServerResponse, refusal: Problem): void {
    send(response, this.#options.readApi.reject(refusal));
  }

  /** Warns once about a forwarded address that is ignored. */
  #checkForwardedFor(request: IncomingMessage): void {
    if (!this.#isProxyWarningPending || request.headers['x-forwarded-for'] === undefined) return;
    this.#isProxyWarningPending = false;
    this.#options.log?.warn(
      { event: 'http.untrusted_proxy' },
      'ignoring X-Forwarded-For from an untrusted proxy; if you run a proxy, set TRUST_PROXY, otherwise all its clients share one address',
    );
  }
}

function createNodeServer(
  limits: ServerLimits,
  isBehindProxy: boolean,
  onRequest: RequestListener,
): Server {
  const server = createServer(
    {
      maxHeaderSize: limits.headersMaxBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: isBehindProxy ? limits.keepAliveBehindProxyMs : limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      // `checkMessage` rejects a missing Host with a problem document instead of a bare 400.
      requireHostHeader: false,
      // Node.js then creates no body stream for requests without a body, which saves 10 % of the
      // time for a cached read.
      optimizeEmptyRequests: true,
    },
    onRequest,
  );
  server.maxConnections = limits.connectionsMax;
  // By default, Node.js hides all headers after the 2,000th but still obeys a Content-Length among
  // them.
  server.maxHeadersCount = 0;
  server.on('checkExpectation', onRequest);
  server.on('checkContinue', (request, response) => {
    // While an earlier response is pending, 100 Continue would be written into the middle of it.
    if (request.url?.startsWith('/v1/') !== true && response.socket !== null)
      response.writeContinue();
    onRequest(request, response);
  });
  return server;
}

/** Methods that pages and the management API use. The parser also accepts about thirty others. */
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
const METHOD_NOT_ALLOWED = problem('method-not-allowed', 'This method is not supported.', {
  headers: ['Connection', 'close'],
});

/**
 * Performs the checks for pages that the read API performs for its own requests. Returns null if
 * the request is valid.
 */
function checkPageRequest(request: IncomingMessage): Problem | null {
  const { method = 'GET' } = request;
  if (!METHODS.includes(method)) return METHOD_NOT_ALLOWED;
  return (method === 'GET' || method === 'HEAD') && hasBody(request) ? UNEXPECTED_BODY : null;
}

/** Must be the same condition that Node.js uses for `optimizeEmptyRequests`. */
function isWithoutBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

function send(response: ServerResponse, { status, headers, ...content }: HttpResponse): void {
  const { body, file, openStream } = content;
  response.writeHead(status, headers);
  if (openStream !== undefined) sendStream(response, openStream);
  else if (file !== undefined) sendFile(response, file);
  else if (body === null) response.end();
  else response.end(body);
}

/** Sends a part of a file as fast as the client reads it. A failed read closes the connection. */
function sendFile(response: ServerResponse, { handle, start, end }: FileRange): void {
  if (end < start) {
    response.end();
    void handle.close();
    return;
  }
  // Closes the file in every case.
  pipeline(handle.createReadStream({ start, end }), response, () => undefined);
}

/**
 * Reduces a URL to its path and query. Some clients send an absolute URL, as in `GET
 * http://host/path`, of which only the path and query matter.
 */
function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const match = /^https?:\/\/[^/?#]*(.*)$/i.exec(url);
  return match === null ? `/${url}` : `/${(match[1] ?? '').replace(/^\//, '')}`;
}
