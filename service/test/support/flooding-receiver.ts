import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { FloodReport } from './flooding-receivers.ts';

// A receiver in a separate process, so that its memory is not measured as the sender's. A POST to
// `/NAME` gets an endless flood, as fast as the sender reads it. `/ordinary` sends a normal
// response and is not in the report.

const OK = 'HTTP/1.1 200 OK\r\n';
const KIB = 'x'.repeat(1024);
const ORDINARY = `${OK}Content-Length: 2\r\nConnection: close\r\n\r\nok`;
const DECLARED = `${OK}Content-Length: 10737418240\r\n\r\n`;
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
/** Ten million zeros, compressed to ten thousand bytes and sent repeatedly. */
const BOMB = gzipSync(Buffer.alloc(10_000_000));
const PACKED = `${OK}Content-Encoding: gzip\r\n`;

/** The start of a response, and the piece to repeat endlessly. */
const FLOODS: Readonly<Record<string, readonly [head: string, piece: string | Buffer]>> = {
  'ten-gigabytes': [DECLARED, KIB.repeat(64)],
  'endless-chunks': [CHUNKED, `10000\r\n${KIB.repeat(64)}\r\n`],
  'no-length': [`${OK}\r\n`, KIB.repeat(64)],
  'chunks-of-one-byte': [CHUNKED, '1\r\nx\r\n'.repeat(1_000)],
  'endless-chunk-name': [`${CHUNKED}1;`, KIB.repeat(8)],
  'chunks-with-names': [CHUNKED, `1;name="${KIB}"\r\nx\r\n`.repeat(8)],
  'endless-trailers': [`${CHUNKED}0\r\n`, `X-A: ${KIB}\r\n`.repeat(8)],
  'endless-trailer': [`${CHUNKED}0\r\nX-A: `, KIB.repeat(8)],
  'gzip-bomb': [`${PACKED}Content-Length: 10737418240\r\n\r\n`, BOMB],
  'gzip-bomb-without-length': [`${PACKED}\r\n`, BOMB],
  'endless-headers': [OK, `X-A: ${KIB}\r\n`.repeat(8)],
  'tiny-headers': [OK, 'a:b\r\n'.repeat(1_000)],
  'endless-header': [`${OK}X-A: `, KIB.repeat(8)],
  'endless-header-name': [OK, KIB.repeat(8)],
  'endless-status': ['HTTP/1.1 200 ', KIB.repeat(8)],
  'interim-100': ['', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)],
  'interim-102-with-headers': ['', `HTTP/1.1 102 Text\r\nX-A: ${KIB}\r\n\r\n`.repeat(8)],
  'interim-103': ['', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(100)],
  'blank-lines': ['', '\r\n'.repeat(1_000)],
};

const sentByFlood = new Map<string, number[]>();
let openCount = 0;

const server = createServer((socket) => {
  openCount += 1;
  let name: string | undefined;
  socket.on('error', () => undefined);
  socket.once('close', () => {
    openCount -= 1;
    // Bytes that are still in the buffer were never sent.
    const sentBytes = socket.bytesWritten - socket.writableLength;
    if (name !== undefined && name !== 'ordinary')
      sentByFlood.set(name, [...(sentByFlood.get(name) ?? []), sentBytes]);
  });
  socket.once('data', (piece: Buffer) => {
    name = /^POST \/([a-z0-9-]+) /.exec(piece.toString('latin1'))?.[1] ?? '';
    if (name === 'ordinary') return void socket.end(ORDINARY);
    const [head, more] = FLOODS[name] ?? ['', ''];
    if (more.length > 0) flood(socket, head, more);
  });
  socket.resume();
});

function flood(socket: Socket, head: string, piece: string | Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
    if (!socket.destroyed) socket.once('drain', more);
  };
  socket.write(head);
  more();
}

function sendReport(report: FloodReport): void {
  process.send?.(report);
}

process.on('message', () => sendReport({ sentBytes: Object.fromEntries(sentByFlood), openCount }));
server.listen(0, '127.0.0.1', () => {
  sendReport({ port: (server.address() as AddressInfo).port, kinds: Object.keys(FLOODS) });
});
