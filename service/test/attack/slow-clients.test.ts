import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_LIMITS, type ServerLimits } from '../../src/http/limits.ts';
import { allAccepted, BACKLOG_MAX } from '../support/hostile/connection-backlog.ts';
import { loopbackAddresses } from '../support/hostile/raw-http.ts';
import { residentBytes } from '../support/hostile/resident-memory.ts';
import { serveEmptyStore } from '../support/hostile/served-store.ts';
import { SLOW_BEHAVIOURS } from '../support/hostile/slow-clients.ts';
import { runSlowClients } from '../support/hostile/slow-client-process.ts';
import { splitResponses } from '../support/hostile/split-responses.ts';
import { startReadServer } from '../support/read-server.ts';
import { type ObservedResponse, startReader } from '../support/roles/reader.ts';
import { runSize } from '../support/run-size.ts';

const IS_WHOLE = runSize({ slice: 0, whole: 1 }) === 1;
const TIMEOUT = { timeout: 600_000 };
/** Much smaller limits for the same server, so that the short run takes only seconds. */
const SMALL: ServerLimits = {
  ...DEFAULT_LIMITS,
  headersTimeoutMs: 300,
  requestTimeoutMs: 400,
  keepAliveTimeoutMs: 2100,
  unreadTimeoutMs: 300,
  checkIntervalMs: 20,
  connectionsMax: 70,
  connectionsPerAddressMax: 20,
};
const LIMITS = IS_WHOLE ? DEFAULT_LIMITS : SMALL;
const READERS = 4;
const ADDRESSES = loopbackAddresses(
  Math.ceil(LIMITS.connectionsMax / LIMITS.connectionsPerAddressMax) + 4,
).slice(1);
/** Each client that never reads fills the kernel's buffers with megabytes of data. */
const NON_READERS_MAX = 100;

/** Opens the target of the attack. The full run uses a separate process with the default limits. */
async function openTarget() {
  if (IS_WHOLE) {
    const served = await serveEmptyStore();
    return 'missing' in served
      ? served
      : { ...served, path: '/v1/calendar/earnings?date=2026-11-20' };
  }
  const server = await startReadServer({ limits: SMALL });
  onTestFinished(() => server.stop());
  return { port: server.port, key: server.keys.good, pid: process.pid, path: '/v1/status-stub' };
}

// Other operating systems have only one loopback address.
describe.skipIf(process.platform !== 'linux')('many slow clients', () => {
  test(
    'drops stalled connections without interrupting active readers',
    TIMEOUT,
    async ({ skip }) => {
      const target = await openTarget();
      if ('missing' in target) return skip(target.missing);
      const { port, key, path, pid } = target;
      const pauseMs = IS_WHOLE ? 20 : 2;
      const readers = Array.from({ length: READERS }, () =>
        startReader(port, { key, nextPath: () => path, pauseMs }),
      );
      const allResponses = () => readers.flatMap((reader) => reader.responses);
      await until(() => allResponses().length >= (IS_WHOLE ? 1_000 : 40));
      const quiet = allResponses();
      const before = residentBytes(pid);

      const addresses = ADDRESSES.flatMap((from) =>
        Array.from({ length: LIMITS.connectionsPerAddressMax - 1 }, () => from),
      ).slice(0, LIMITS.connectionsMax - READERS - 6);
      const kinds = Object.keys(SLOW_BEHAVIOURS);
      let nonReaders = 0;
      const holds = addresses.map((from, index) => {
        const kind = kinds[index % kinds.length] ?? '';
        const isTooMany =
          SLOW_BEHAVIOURS[kind]?.neverReads === true && (nonReaders += 1) > NON_READERS_MAX;
        return { hold: isTooMany ? 'sends nothing' : kind, from };
      });
      const beatMs = IS_WHOLE ? 1_000 : 20;
      const { openCount, closed: ended } = await runSlowClients({ port, beatMs, holds });
      expect(openCount).toBe(holds.length);
      const during = allResponses().slice(quiet.length);
      await Promise.all(readers.map((reader) => reader.stop()));

      for (const { hold: kind, text } of ended) {
        const { responses, rest } = splitResponses(text);
        expect([kind, rest]).toEqual([kind, '']);
        expect(responses.length, kind).toBeLessThanOrEqual(1);
        for (const { status } of responses) expect([400, 404]).toContain(status);
      }
      expect(during.length).toBeGreaterThan(READERS);
      expect(allResponses().filter(({ status }) => status !== 200)).toEqual([]);
      const [longest] = ended.toSorted((a, b) => b.openMs - a.openMs);
      console.info(
        `${holds.length} stalled connections, the longest open for ${((longest?.openMs ?? 0) / 1_000).toFixed(1)} s (${longest?.hold}); ` +
          `readers: p99 ${p99(quiet)} ms before, ${p99(during)} ms during, ${during.length} responses; ` +
          `memory ${mib(before)} MiB before, ${mib(residentBytes(pid))} MiB after`,
      );
    },
  );

  test('limits the number of connections per address and in total', TIMEOUT, async ({ skip }) => {
    const target = await openTarget();
    if ('missing' in target) return skip(target.missing);
    const { port, key, path } = target;
    const reader = startReader(port, { key, nextPath: () => path, pauseMs: 5 });
    await until(() => reader.responses.length > 0);
    const [one = '127.0.0.1', ...others] = ADDRESSES.toReversed();

    const share = LIMITS.connectionsPerAddressMax;
    const idle = await openIdle(
      port,
      Array.from({ length: share + 10 }, () => one),
    );
    await until(() => idle.filter(({ closed }) => closed).length >= 10);
    const refused = idle.filter(({ closed, bytesRead }) => closed && bytesRead > 0);
    expect(refused, 'refused with a response').toHaveLength(10);
    close(idle);

    // The reader occupies one connection.
    const otherConnectionsMax = LIMITS.connectionsMax - 1;
    const addresses = others.flatMap((from) => Array.from({ length: share }, () => from));
    const tooMany = 20;
    const crowd = await openIdle(port, addresses.slice(0, otherConnectionsMax + tooMany));
    expect(crowd).toHaveLength(otherConnectionsMax + tooMany);
    // A connection that is dropped later gets a response. A refused connection gets none.
    const isRefused = ({ closed, bytesRead }: Socket): boolean => closed && bytesRead === 0;
    await until(() => crowd.filter(isRefused).length >= tooMany);
    const responseCount = reader.responses.length;
    await until(() => reader.responses.length >= responseCount + 3);
    await reader.stop();
    expect(reader.responses.filter(({ status }) => status !== 200)).toEqual([]);
    expect(crowd.filter(isRefused)).toHaveLength(tooMany);
    close(crowd);
  });
});

/** Opens idle connections. Each is either accepted or refused. */
async function openIdle(port: number, addresses: readonly string[]): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let at = 0; at < addresses.length; at += BACKLOG_MAX) {
    const batch = addresses.slice(at, at + BACKLOG_MAX).map((from) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from });
      return socket.on('error', () => undefined).resume();
    });
    sockets.push(...batch);
    await until(() => batch.every(({ connecting }) => !connecting));
    await allAccepted(port);
  }
  return sockets;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await tick(5);
}

function close(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

function tick(delayMs: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, delayMs));
}

function p99(responses: readonly ObservedResponse[]): string {
  const times = responses.map(({ sentMs, doneMs }) => doneMs - sentMs).toSorted((a, b) => a - b);
  return (times[Math.floor(times.length * 0.99)] ?? NaN).toFixed(1);
}

function mib(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
