import { type AddressInfo, createServer, type Socket } from 'node:net';
import { systemClock } from '../../src/platform/clock.ts';

// A receiver in a child process. Responds to every POST with 204 and counts new ids.
// GET returns the count, and DELETE resets it. The receiver reads straight from the socket and
// parses as little of a request as it can: real receivers run on other machines, and CPU time spent
// here would distort the measurement. A `node:http` server took twice as much.
const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /\r\ncontent-length: (\d+)/i;
const ID = /\r\nx-service-delivery-id: (\S+)/i;

const seenIds = new Set<string>();
const server = createServer({ noDelay: true }, receive);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

function receive(socket: Socket): void {
  let unread: Buffer = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (piece) => {
    unread = unread.length === 0 ? piece : Buffer.concat([unread, piece]);
    for (;;) {
      const headLength = unread.indexOf(HEAD_END);
      if (headLength === -1) return;
      const head = unread.toString('latin1', 0, headLength);
      const end = headLength + HEAD_END.length + Number(LENGTH.exec(head)?.[1] ?? 0);
      if (unread.length < end) return;
      socket.write(respond(head));
      unread = unread.subarray(end);
    }
  });
}

function respond(head: string): string {
  if (head.startsWith('POST ')) {
    const [, id] = ID.exec(head) ?? [];
    if (id === undefined) return response('400 Bad Request', '');
    seenIds.add(id);
    return response('204 No Content', null);
  }
  if (head.startsWith('DELETE ')) seenIds.clear();
  return response('200 OK', String(seenIds.size));
}

/** Builds a response with the same headers as a `node:http` server. */
function response(status: string, body: string | null): string {
  const head = [`HTTP/1.1 ${status}`, `Date: ${date()}`, 'Connection: keep-alive'];
  head.push('Keep-Alive: timeout=60');
  if (body !== null) head.push(`Content-Length: ${body.length}`);
  return `${head.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

const clock = systemClock();
let cachedDate = { second: 0, text: '' };

/** Returns the current HTTP date, which is formatted once a second. */
function date(): string {
  const second = Math.floor(clock.now() / 1_000);
  if (second !== cachedDate.second)
    cachedDate = { second, text: new Date(second * 1_000).toUTCString() };
  return cachedDate.text;
}
