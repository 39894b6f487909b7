import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { problem } from './problems.ts';
import type { Problem } from './problems.ts';
import type { Answer } from './answer/answer.ts';
import type { ServerLimits } from './limits.ts';
import { URL_LENGTH_MAX } from './read-api.ts';
import type { TrustedProxies } from './remote-address.ts';

interface Options {
  limits: ServerLimits;
  proxies: TrustedProxies;
  refuse: (refusal: Problem) => Answer;
}

/**
 * Answers what never becomes a request, in the documented form: broken HTTP, headers past their
 * limit, methods nobody knows, too many connections of one address.
 */
export function guardConnections(server: Server, options: Options): void {
  limitPerAddress(server, options);
  server.on('clientError', (error: ParseError, socket) => {
    const isGone = !socket.writable || error.code === 'ECONNRESET';
    if (isGone) socket.destroy();
    else writeRaw(socket as Socket, options.refuse(faultOf(error)));
  });
  server.on('connect', (_request, socket) => {
    const refusal = problem('method-not-allowed', 'This is not a proxy.');
    writeRaw(socket as Socket, options.refuse(refusal));
  });
}

function limitPerAddress(server: Server, { limits, proxies, refuse }: Options): void {
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
      writeRaw(socket, refuse(problem('temporary-reduced-capacity', detail)));
    }
  });
}

interface ParseError extends Error {
  code?: string;
  rawPacket?: Buffer;
}

function faultOf(error: ParseError): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return hasLongTarget(error.rawPacket)
        ? problem('uri-too-long', 'Path and query together may have 2,048 characters.')
        : problem('headers-too-large', 'All headers together may have 8,192 bytes.');
    case 'HPE_INVALID_METHOD':
      return problem('method-not-allowed', 'The service knows GET, HEAD and OPTIONS.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return malformed('The request did not arrive in time.');
    default:
      return malformed('The message is not well-formed HTTP.');
  }
}

export function malformed(detail: string): Problem {
  const members = { parameter: 'request' };
  return problem('invalid-parameter', detail, { members, headers: ['Connection', 'close'] });
}

/** Whether it was the first line, not the headers below it, that went past the limit. */
function hasLongTarget(packet: Buffer | undefined): boolean {
  const lineEnd = packet?.indexOf('\r\n') ?? 0;
  return lineEnd === -1 || lineEnd > URL_LENGTH_MAX + 'OPTIONS  HTTP/1.1'.length;
}

/** Writes an answer where there is no response object, and closes. */
function writeRaw(socket: Socket, answer: Answer): void {
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
