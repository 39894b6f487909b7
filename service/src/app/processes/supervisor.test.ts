import { expect, test, vi } from 'vitest';
import { memoryLog } from '../../../test/support/logs.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { createMetrics } from '../../platform/metrics.ts';
import type { FromProcess, ToProcess } from './messages.ts';
import { createNodeMetrics } from './node-metrics.ts';
import type { NodeProcess } from './node-process.ts';
import { ProcessStartError, Supervisor } from './supervisor.ts';

const LISTENING: FromProcess = { kind: 'listening', url: 'http://node', welcome: 'hello' };

/** A node whose processes are objects of this test. */
function node(count: number, onEnded?: (number: number) => void) {
  const clock = fakeClock(0);
  const launched: ReturnType<typeof child>[] = [];
  function launch(place: NodeProcess) {
    const started = child(place);
    launched.push(started);
    return started;
  }
  const log = memoryLog();
  const deps = { clock, log, count, launch };
  const supervisor = new Supervisor(onEnded === undefined ? deps : { ...deps, onEnded });
  return { clock, log, launched, supervisor };
}

function child(place: NodeProcess) {
  const { promise: ended, resolve: end } = Promise.withResolvers<number | string>();
  let receive: (message: FromProcess) => void = () => undefined;
  const metrics = createMetrics();
  const counter = metrics.counter({ name: 'requests_total', help: 'Requests.' });
  return {
    place,
    ended,
    end,
    counter,
    isMute: false,
    listen: () => receive(LISTENING),
    onMessage(listener: typeof receive) {
      receive = listener;
    },
    async send(message: ToProcess) {
      if (message.kind === 'stop') end(0);
      if (message.kind !== 'collect' || this.isMute) return;
      receive({
        kind: 'collected',
        id: message.id,
        readiness: 'ready',
        metrics: await metrics.snapshot(),
      });
    },
  };
}

async function startedNode(count: number, onEnded?: (number: number) => void) {
  const world = node(count, onEnded);
  const started = world.supervisor.start();
  for (let at = 0; at < count; at += 1) {
    await vi.waitFor(() => expect(world.launched.length).toBeGreaterThan(at));
    world.launched[at]?.listen();
  }
  await started;
  return world;
}

test('starts the first process alone and the others when it listens', async () => {
  const { launched, supervisor } = node(3);
  const started = supervisor.start();
  expect(launched.map(({ place }) => place.number)).toEqual([1]);
  launched[0]?.listen();
  await vi.waitFor(() => expect(launched.map(({ place }) => place.number)).toEqual([1, 2, 3]));
  launched[1]?.listen();
  launched[2]?.listen();
  expect(await started).toMatchObject({ url: 'http://node' });
});

test('stops the others and fails if a process ends during the start', async () => {
  const { launched, supervisor } = node(2);
  const started = supervisor.start();
  launched[0]?.listen();
  await vi.waitFor(() => expect(launched).toHaveLength(2));
  launched[1]?.end(1);
  await expect(started).rejects.toThrow(ProcessStartError);
  expect(await launched[0]?.ended).toBe(0);
});

test('restarts a process with doubled delays, and with the first one after a stable minute', async () => {
  const { clock, launched } = await startedNode(2);
  const delays: number[] = [];
  for (const [round, stableMs] of [0, 0, 0, 60_000].entries()) {
    await clock.advance(stableMs);
    launched.at(-1)?.end('SIGKILL');
    const endedMs = clock.monotonicMs();
    while (launched.length < 3 + round) await clock.advance(500);
    delays.push(clock.monotonicMs() - endedMs);
    launched.at(-1)?.listen();
  }
  expect(delays).toEqual([1_000, 2_000, 4_000, 1_000]);
  expect(launched.at(-1)?.place).toEqual({ number: 2, count: 2, isFirstStart: false });
});

test('restarts no process after the stop', async () => {
  const { clock, launched, log, supervisor } = await startedNode(2);
  launched[1]?.end('SIGKILL');
  await clock.advance(500);
  expect(await supervisor.stop()).toBe(true);
  await clock.advance(60_000);
  expect(launched).toHaveLength(2);
  // The end of the first process was asked for, so it is not reported.
  expect(log.entries.map(({ fields }) => fields['process'])).toEqual([2]);
});

test('adds up counters, keeps those of ended processes, and is ready only if all are', async () => {
  let metrics: ReturnType<typeof createNodeMetrics> | null = null;
  const { clock, launched, supervisor } = await startedNode(2, (at) => metrics?.onEnded(at));
  const closing = new AbortController();
  const deps = { clock, supervisor, closing: closing.signal, isStarted: () => true };
  metrics = createNodeMetrics(deps);
  for (const { counter } of launched) [1, 2, 3].forEach(() => counter.inc());
  expect(await metrics.text()).toContain('requests_total 6\n');
  expect(await metrics.text()).toContain('afterbell_processes_ready 2\n');
  expect(await metrics.state()).toBe('ready');

  launched[0]?.end('SIGKILL');
  await launched[0]?.ended;
  expect(await metrics.text()).toContain('requests_total 6\n');
  expect(await metrics.text()).toMatch(/afterbell_ready 0\n/);
  expect(await metrics.state()).toBe('not ready');

  while (launched.length < 3) await clock.advance(500);
  launched[2]?.listen();
  launched[2]?.counter.inc();
  expect(await metrics.text()).toContain('requests_total 7\n');
  expect(await metrics.text()).toContain('afterbell_process_restarts_total 1\n');

  const [, hanging] = launched;
  if (hanging !== undefined) hanging.isMute = true;
  const state = metrics.state();
  await clock.advance(2_000);
  expect(await state).toBe('not ready');
  closing.abort();
  const closed = metrics.state();
  await clock.advance(2_000);
  expect(await closed).toBe('closing');
  metrics.stop();
});
