import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { networkAddress } from '../platform/network-address.ts';
import type { TrustedProxies } from './client-address.ts';
import type { ServerLimits } from './limits.ts';
import type { PipeliningGuard } from './pipelining-guard.ts';
import { problem, type Problem } from './problems.ts';
import {
  HEADERS_TOO_LARGE,
  malformedRequest,
  URI_TOO_LONG,
  URL_LENGTH_MAX,
} from './request/check-message.ts';
import type { HttpResponse } from './response/http-response.ts';

interface Options {
  limits: ServerLimits;
  proxies: Pick<TrustedProxies, 'trusts'>;
  pipelining: Pick<PipeliningGuard, 'isIdle' | 'close'>;
  reject: (refusal: Problem) => HttpResponse;
}

/**
 * Sends a problem response for connections where Node.js does not emit a request: for malformed
 * HTTP, oversized headers, unknown methods, and too many connections from one IPv4 address or one /64
 * network. Also closes stalled connections.
 */
export function guardConnections(server: Server, options: Options): void {
  const { pipelining, reject } = options;
  limitPerNetwork(server, options);
  closeStalledConnections(server, options);
  server.on('clientError', (error: ParseError, stream) => {
    const socket = stream as Socket;
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') socket.destroy();
    else pipelining.close(socket, () => writeRaw(socket, reject(parseProblem(error))));
  });
  server.on('connect', (_request, stream) => {
    const socket = stream as Socket;
    const refusal = problem('method-not-allowed', 'CONNECT is not supported.');
    pipelining.close(socket, () => writeRaw(socket, reject(refusal)));
  });
}

function tooManyConnections({ connectionsPerAddressMax: max }: ServerLimits): Problem {
  const detail = `Too many open connections from your IP address. The limit is ${max}.`;
  return problem('temporary-reduced-capacity', detail);
}

function limitPerNetwork(server: Server, { limits, proxies, pipelining, reject }: Options): void {
  const openByNetwork = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || proxies.trusts(address)) return;
    const network = networkAddress(address);
    const open = (openByNetwork.get(network) ?? 0) + 1;
    openByNetwork.set(network, open);
    socket.once('close', () => {
      const remaining = (openByNetwork.get(network) ?? 1) - 1;
      if (remaining === 0) openByNetwork.delete(network);
      else openByNetwork.set(network, remaining);
    });
    if (open > limits.connectionsPerAddressMax) {
      pipelining.close(socket, () => writeRaw(socket, reject(tooManyConnections(limits))));
    }
  });
}

/**
 * Closes connections whose client does not read its response. A connection is not considered
 * stalled while its response is still being computed. Once this listener is registered, Node.js no
 * longer closes idle connections itself, so the listener also closes those.
 */
function closeStalledConnections(server: Server, { limits, pipelining }: Options): void {
  server.timeout = limits.unreadTimeoutMs;
  // Node.js allows another full period if the client read any part of the last write during the
  // previous period. With a period of half the timeout, a client that stops reading is disconnected
  // within the timeout.
  const periodMs = limits.unreadTimeoutMs / 2;
  server.on('request', ({ socket }) => void socket.setTimeout(periodMs));
  server.on('timeout', (socket: Socket) => {
    if (pipelining.isIdle(socket) || socket.writableLength > 0) return void socket.destroy();
    socket.setTimeout(periodMs);
  });
}

interface ParseError extends Error {
  code?: string;
  rawPacket?: Buffer;
}

function parseProblem(error: ParseError): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return hasLongTarget(error.rawPacket) ? URI_TOO_LONG : HEADERS_TOO_LARGE;
    case 'HPE_INVALID_METHOD':
      return problem('method-not-allowed', 'The supported methods are GET, HEAD and OPTIONS.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return malformedRequest('The request did not arrive in time.');
    default:
      return malformedRequest('The request is not well-formed HTTP.');
  }
}

/** Returns true if the request line, rather than the headers, exceeded the limit. */
function hasLongTarget(packet: Buffer | undefined): boolean {
  const lineEnd = packet?.indexOf('\r\n') ?? 0;
  return lineEnd === -1 || lineEnd > URL_LENGTH_MAX + 'OPTIONS  HTTP/1.1'.length;
}

/**
 * Writes a response directly to the socket and closes the connection. Used where Node.js provides
 * no response object.
 */
function writeRaw(socket: Socket, response: HttpResponse): void {
  if (!socket.writable) return void socket.destroy();
  const { status, headers, body } = response;
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`];
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index] === 'Connection') continue;
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  }
  lines.push('Connection: close', '', '');
  socket.on('error', () => socket.destroy());
  socket.end(Buffer.concat([Buffer.from(lines.join('\r\n')), body ?? Buffer.alloc(0)]));
  socket.destroySoon();
}
