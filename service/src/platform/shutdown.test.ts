import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { memoryLog } from '../../test/support/logs.ts';
import { createShutdown } from './shutdown.ts';

function setUp(limitMs = 1_000) {
  const exits: number[] = [];
  const process = Object.assign(new EventEmitter(), {
    exit: (code: number) => void exits.push(code),
  });
  const clock = fakeClock(0);
  const log = memoryLog();
  const shutdown = createShutdown({ clock, log, process, limitMs });
  const messages = () => log.entries.map((entry) => entry.message);
  return { exits, process, clock, said: messages, shutdown };
}

test.each(['SIGTERM', 'SIGINT'])(
  'runs the closers in reverse order on %s, one at a time, then exits with code 0',
  async (signal) => {
    const { exits, process, clock, shutdown } = setUp();
    const order: string[] = [];
    shutdown.register('store', () => void order.push('store'));
    shutdown.register('server', async () => {
      await clock.sleep(100);
      order.push(`server, exits so far ${exits.length}`);
    });
    process.emit(signal);
    expect(shutdown.signal.aborted).toBe(true);
    await clock.advance(200);
    await shutdown.done;
    expect(order).toEqual(['server, exits so far 0', 'store']);
    expect(exits).toEqual([0]);
  },
);

test('exits with code 1 when the closers exceed their time limit', async () => {
  const { exits, process, clock, said: messages, shutdown } = setUp(1_000);
  shutdown.register('never', () => new Promise(() => undefined));
  process.emit('SIGTERM');
  await clock.advance(999);
  expect(exits).toEqual([]);
  await clock.advance(1);
  expect(exits).toEqual([1]);
  expect(messages()).toContain('shutdown timed out');
});

test('exits immediately on a second signal, unless both signals are from the same key press', async () => {
  const { exits, process, clock, shutdown } = setUp(10_000);
  shutdown.register('slow', () => clock.sleep(5_000));
  process.emit('SIGINT');
  process.emit('SIGINT');
  await clock.advance(299);
  expect(exits).toEqual([]);
  await clock.advance(1);
  process.emit('SIGINT');
  expect(exits).toEqual([1]);
});

test('runs the remaining closers after one fails, and exits with code 1', async () => {
  const { exits, process, shutdown } = setUp();
  const order: string[] = [];
  shutdown.register('first', () => void order.push('first'));
  shutdown.register('second', () => Promise.reject(new Error('no')));
  process.emit('SIGTERM');
  await shutdown.done;
  expect(order).toEqual(['first']);
  expect(exits).toEqual([1]);
});

test.each(['uncaughtException', 'unhandledRejection'])(
  'logs %s and exits with code 1',
  async (kind) => {
    const { exits, process, said: messages, shutdown } = setUp();
    const order: string[] = [];
    shutdown.register('store', () => void order.push('store'));
    process.emit(kind, new Error('lost'));
    await shutdown.done;
    expect(messages()[0]).toBe('uncaught error');
    expect(order).toEqual(['store']);
    expect(exits).toEqual([1]);
  },
);
