import { Server } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { guardConnections } from './connection-guard.ts';
import { DEFAULT_LIMITS } from './limits.ts';

let server: Server;
let isIdle: boolean;

beforeEach(() => {
  server = new Server();
  guardConnections(server, {
    limits: DEFAULT_LIMITS,
    proxies: { trusts: () => false },
    pipelining: { isIdle: () => isIdle, close: () => undefined },
    reject: () => ({ status: 400, headers: [], body: null }),
  });
});

test('counts the connections of an IPv6 network together, and of IPv4 addresses apart', () => {
  const rejected: string[] = [];
  const limited = new Server();
  guardConnections(limited, {
    limits: { ...DEFAULT_LIMITS, connectionsPerAddressMax: 2 },
    proxies: { trusts: () => false },
    pipelining: {
      isIdle: () => true,
      close: ({ remoteAddress = '' }) => void rejected.push(remoteAddress),
    },
    reject: () => ({ status: 503, headers: [], body: null }),
  });
  const connectFrom = (remoteAddress: string): Socket => {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
    limited.emit('connection', socket);
    return socket;
  };
  const [first] = ['2001:db8::1', '2001:db8::2', '2001:db8::3'].map(connectFrom);
  ['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8:0:1::1'].forEach(connectFrom);
  expect(rejected).toEqual(['2001:db8::3']);
  first?.emit('close');
  connectFrom('2001:db8::4');
  expect(rejected).toEqual(['2001:db8::3', '2001:db8::4']);
});

describe('stalled connections', () => {
  test('checks for a stalled connection twice per timeout, because Node.js ignores the first period', () => {
    const socket = new Socket();
    server.emit('request', { socket });
    expect(socket.timeout).toBe(DEFAULT_LIMITS.unreadTimeoutMs / 2);
  });

  test('closes a connection whose client reads nothing, even if further requests are pending', () => {
    isIdle = false;
    const socket = new Socket();
    Object.defineProperty(socket, 'writableLength', { value: 1 });
    server.emit('timeout', socket);
    expect(socket.destroyed).toBe(true);
  });

  test('closes a connection on timeout if no request is pending', () => {
    isIdle = true;
    const socket = new Socket();
    server.emit('timeout', socket);
    expect(socket.destroyed).toBe(true);
  });

  test('keeps a connection open while its response is being computed', () => {
    isIdle = false;
    const socket = new Socket();
    server.emit('timeout', socket);
    expect(socket.destroyed).toBe(false);
    expect(socket.timeout).toBeGreaterThan(0);
    socket.destroy();
  });
});
