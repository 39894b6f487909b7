import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problem, type Problem } from './problems.ts';
import type { HttpResponse } from './response/http-response.ts';
import type { ServerLimits } from './limits.ts';
import type { TrustedProxies } from './client-address.ts';
import {
  HEADERS_TOO_LARGE,
  malformedRequest,
  URI_TOO_LONG,
  URL_LENGTH_MAX,
} from './request/check-message.ts';
import type { PipeliningGuard } from './pipelining-guard.ts';

interface Options {
  limits: ServerLimits;
  proxies: TrustedProxies;
  turns: PipeliningGuard;
  refuse: (refusal: Problem) => HttpResponse;
}

/**
 * Answers what never becomes a request, in the documented form: broken HTTP, headers past their
 * limit, methods nobody knows, too many connections of one address.
 */
export function guardConnections(server: Server, options: Options): void {
  const { turns, refuse } = options;
  limitPerAddress(server, options);
  endUnread(server, options);
  server.on('clientError', (error: ParseError, stream) => {
    const socket = stream as Socket;
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') socket.destroy();
    else turns.end(socket, () => writeRaw(socket, refuse(faultOf(error))));
  });
  server.on('connect', (_request, stream) => {
    const socket = stream as Socket;
    const refusal = problem('method-not-allowed', 'This is not a proxy.');
    turns.end(socket, () => writeRaw(socket, refuse(refusal)));
  });
}

function limitPerAddress(server: Server, { limits, proxies, turns, refuse }: Options): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || proxies.trusts(address)) return;
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (count > limits.connectionsPerAddressMax) {
      const detail = 'Too many connections from your address are open.';
      const refusal = problem('temporary-reduced-capacity', detail);
      turns.end(socket, () => writeRaw(socket, refuse(refusal)));
    }
  });
}

/**
 * Ends connections whose client takes nothing of its answers; an answer that is being computed may
 * take its time. With a listener the library leaves it to us to end idle ones too.
 */
function endUnread(server: Server, { limits, turns }: Options): void {
  server.timeout = limits.unreadTimeoutMs;
  // The library lets a whole period more pass when anything of the last write was taken in the one
  // before: a client that stopped reading stayed for two.
  const lookEveryMs = limits.unreadTimeoutMs / 2;
  server.on('request', ({ socket }) => void socket.setTimeout(lookEveryMs));
  server.on('timeout', (socket: Socket) => {
    if (turns.isAnswered(socket) || socket.writableLength > 0) return void socket.destroy();
    socket.setTimeout(lookEveryMs);
  });
}

interface ParseError extends Error {
  code?: string;
  rawPacket?: Buffer;
}

function faultOf(error: ParseError): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return hasLongTarget(error.rawPacket) ? URI_TOO_LONG : HEADERS_TOO_LARGE;
    case 'HPE_INVALID_METHOD':
      return problem('method-not-allowed', 'The service knows GET, HEAD and OPTIONS.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return malformedRequest('The request did not arrive in time.');
    default:
      return malformedRequest('The message is not well-formed HTTP.');
  }
}

/** Whether it was the first line, not the headers below it, that went past the limit. */
function hasLongTarget(packet: Buffer | undefined): boolean {
  const lineEnd = packet?.indexOf('\r\n') ?? 0;
  return lineEnd === -1 || lineEnd > URL_LENGTH_MAX + 'OPTIONS  HTTP/1.1'.length;
}

/** Writes an answer where there is no response object, and closes. */
function writeRaw(socket: Socket, answer: HttpResponse): void {
  if (!socket.writable) return void socket.destroy();
  const lines = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? 'Refused'}`];
  for (let index = 0; index < answer.headers.length; index += 2) {
    if (answer.headers[index] === 'Connection') continue;
    lines.push(`${answer.headers[index]}: ${answer.headers[index + 1]}`);
  }
  lines.push('Connection: close', '', '');
  socket.on('error', () => socket.destroy());
  socket.end(Buffer.concat([Buffer.from(lines.join('\r\n')), answer.body ?? Buffer.alloc(0)]));
  socket.destroySoon();
}
