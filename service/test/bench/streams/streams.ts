import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { startStreamServer, type StreamServer } from './start-stream-server.ts';

const STREAMS = 2_000;
const IDLE_SECONDS = Number(process.env['BENCH_STREAMS_IDLE_SECONDS'] ?? 60);
const COMMITS = 50;
const COMMIT_INTERVAL_MS = 200;
const SLOW_READER_CHANGES = 60_000;
const MEMORY_GROWTH_MAX_MB = 64;
const STREAM_KB_MAX = 64;

/**
 * Measures many idle streams, the time from a change to its event on all of them beside a bare loop
 * that writes the same bytes, and a client that stops reading while changes keep coming.
 */
export const bench: Bench = {
  name: 'streams',
  target: `≤ ${STREAM_KB_MAX} KB per idle stream, a slow reader is disconnected within ${MEMORY_GROWTH_MAX_MB} MB`,
  async run() {
    const ours = await startStreamServer('ours');
    const before = await ours.commit(0);
    const sockets = await openStreams(ours.url);
    const opened = await ours.commit(0);
    await sleep(IDLE_SECONDS * 1_000);
    const idle = await ours.commit(0);
    const latency = await fanOut(ours, sockets);
    for (const socket of sockets) socket.destroy();
    const slow = await slowReader(ours);
    ours.stop();

    const bare = await startStreamServer('bare');
    const bareSockets = await openStreams(bare.url);
    const bareLatency = await fanOut(bare, bareSockets);
    for (const socket of bareSockets) socket.destroy();
    bare.stop();

    const streamKb = (opened.rss - before.rss) / 1_024 / STREAMS;
    const idleMs = ((idle.cpuMicros - opened.cpuMicros) / 1_000 / IDLE_SECONDS) * 60;
    return {
      passed:
        streamKb <= STREAM_KB_MAX && slow.isDisconnected && slow.growthMb <= MEMORY_GROWTH_MAX_MB,
      figures: {
        streams: STREAMS,
        kbPerStream: streamKb.toFixed(1),
        idleCpuMsPerMinute: Math.round(idleMs),
        p50Ms: percentile(latency, 0.5),
        p99Ms: percentile(latency, 0.99),
        bareP50Ms: percentile(bareLatency, 0.5),
        bareP99Ms: percentile(bareLatency, 0.99),
        slowReaderGrowthMb: slow.growthMb.toFixed(1),
        slowReaderSeconds: slow.seconds.toFixed(1),
      },
    };
  },
};

/** Resolves when every stream has received its first position. */
async function openStreams(url: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let first = 0; first < STREAMS; first += 100) {
    const batch = Array.from({ length: 100 }, (_, i) => openStream(url, first + i));
    await Promise.all(batch.map((socket) => received(socket, 'id: ')));
    sockets.push(...batch);
  }
  return sockets;
}

function openStream(url: string, number: number): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const key = `X-Api-Key: eds_test_${number}`;
  socket.write(`GET /v1/changes/stream HTTP/1.1\r\nHost: bench\r\n${key}\r\n\r\n`);
  return socket;
}

/** Resolves with the time at which the text arrives. */
function received(socket: Socket, text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let last = '';
    function onData(chunk: Buffer): void {
      last = last.slice(-text.length) + chunk.toString('latin1');
      if (!last.includes(text)) return;
      socket.off('data', onData);
      resolve(performance.now());
    }
    socket.on('data', onData);
    socket.once('close', () => reject(new Error(`a stream was closed: ${last}`)));
  });
}

/** Returns the milliseconds from each commit to its event on every stream. */
async function fanOut(server: StreamServer, sockets: readonly Socket[]): Promise<number[]> {
  const latencies: number[] = [];
  for (const socket of sockets) socket.setMaxListeners(0);
  for (let i = 0; i < COMMITS; i += 1) {
    const arrivals = Promise.all(sockets.map((socket) => received(socket, 'event: change')));
    const startedAt = performance.now();
    await server.commit(1);
    latencies.push(...(await arrivals).map((at) => at - startedAt));
    await sleep(COMMIT_INTERVAL_MS);
  }
  return latencies;
}

/** Opens a stream that is not read, and commits far more than the system's buffers hold. */
async function slowReader(server: StreamServer) {
  const socket = openStream(server.url, STREAMS);
  await received(socket, 'id: ');
  socket.pause();
  const before = await server.commit(0);
  const startedAt = performance.now();
  const disconnected = once(socket, 'close').then(() => performance.now());
  socket.on('error', () => undefined);
  let rssMax = 0;
  for (let sent = 0; sent < SLOW_READER_CHANGES; sent += 1_000) {
    rssMax = Math.max(rssMax, (await server.commit(1_000)).rss);
  }
  // The service waits 15 seconds from the time when its buffer filled up. A paused socket does not
  // see that it was closed until it reads.
  await sleep(20_000);
  socket.resume();
  const closedAt = await Promise.race([disconnected, sleep(2_000, null)]);
  socket.destroy();
  return {
    growthMb: (rssMax - before.rss) / 1_048_576,
    isDisconnected: closedAt !== null,
    seconds: ((closedAt ?? performance.now()) - startedAt) / 1_000,
  };
}

function percentile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
}
