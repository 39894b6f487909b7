import { connect, type Socket } from 'node:net';
import { systemClock } from '../../../src/platform/clock.ts';

/** Behavior of a slow connection: the text it sends first, and its action at each tick. */
interface SlowBehaviour {
  first: string;
  onTick?: (socket: Socket, count: number) => void;
  /** Half-closes the connection immediately. */
  halfClose?: true;
  /** Reads nothing from the response. */
  neverReads?: true;
}

const HEAD = 'HTTP/1.1\r\nHost: a\r\n';
/** Requests the service's largest response. */
const LARGE = `GET /openapi.json ${HEAD}\r\n`;
const WAITING_MAX_BYTES = 65_536;

export const SLOW_BEHAVIOURS: Readonly<Record<string, SlowBehaviour>> = {
  'sends nothing': { first: '' },
  'sends its headers byte by byte': {
    first: `GET /v1/nothing ${HEAD}X-Slow: `,
    onTick: (socket) => socket.write('y'),
  },
  'sends its request line byte by byte': {
    first: '',
    onTick: (socket, count) => socket.write(`GET /v1/nothing ${HEAD}`.charAt(count) || 'y'),
  },
  'sends the body of a management call byte by byte': {
    first: `POST /account/v1/sign-in ${HEAD}Content-Type: application/json\r\nContent-Length: 999\r\n\r\n{`,
    onTick: (socket) => socket.write(' '),
  },
  'sends the body of a read byte by byte': {
    first: `GET /v1/nothing ${HEAD}Content-Length: 999\r\n\r\n`,
    onTick: (socket) => socket.write(' '),
  },
  'stays open after the response': { first: `GET /v1/nothing ${HEAD}\r\n` },
  'half-closes an incomplete request': { first: `GET /v1/nothing HTTP/1.1\r\nHo`, halfClose: true },
  'pipelines requests and reads nothing': {
    first: LARGE.repeat(20),
    onTick: (socket) => socket.writableLength < WAITING_MAX_BYTES && socket.write(LARGE.repeat(20)),
    neverReads: true,
  },
};

export interface ClosedConnection {
  hold: string;
  text: string;
  openMs: number;
}

/**
 * Opens one connection. When the server closes it, `closed` resolves with the response and the
 * lifetime.
 */
export function openSlowConnection(
  port: number,
  options: { hold: string; from: string | undefined; beatMs: number },
): { isOpen: Promise<boolean>; closed: Promise<ClosedConnection> } {
  const { from, beatMs } = options;
  const behaviour = SLOW_BEHAVIOURS[options.hold] ?? { first: '' };
  const clock = systemClock();
  const startMs = clock.monotonicMs();
  const socket = connect({
    port,
    host: '127.0.0.1',
    allowHalfOpen: true,
    ...(from === undefined ? {} : { localAddress: from }),
  });
  let text = '';
  let count = 0;
  let timer = clock.setTimer(beatMs, tick);
  function tick(): void {
    if (socket.writable && !socket.connecting) behaviour.onTick?.(socket, count++);
    timer = clock.setTimer(beatMs, tick);
  }
  if (behaviour.halfClose === true) socket.end(behaviour.first);
  else socket.write(behaviour.first);
  if (behaviour.neverReads === true) socket.pause();
  else socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('end', () => socket.end());
  const isOpen = new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
  });
  const closed = new Promise<ClosedConnection>((resolve) => {
    socket.once('close', () => {
      timer.cancel();
      resolve({ hold: options.hold, text, openMs: clock.monotonicMs() - startMs });
    });
  });
  return { isOpen, closed };
}
