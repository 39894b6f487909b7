import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentWorld } from '../support/agent-world.ts';
import type { FloodedReport } from '../support/flooded-sender.ts';
import { type FloodingReceivers, startFloodingReceivers } from '../support/flooding-receivers.ts';
import { deliverToUrls } from '../support/recorded-attempts.ts';
import { runSize } from '../support/run-size.ts';
import { memoryStore } from '../support/stores.ts';

// The responses never end. The clock does not move, so only the read limit can stop them.

const EACH = runSize({ slice: 10, whole: 100 });
/** A response is limited to 64 KiB. A single read may add that much again. */
const READ_MAX = 2 * 65_536;
/**
 * Upper bound for the socket buffers between two processes. Any further bytes stay with the
 * receiver.
 */
const WRITTEN_MAX = 16 * 2 ** 20;
const MEMORY_MAX = 64 * 2 ** 20;
/**
 * Garbage collection may run late, especially while the heap is still growing to its working size.
 */
const FIRST_MEMORY_MAX = runSize({ slice: 1, whole: 2 }) * MEMORY_MAX;
const BODY_BYTES_MAX = 16_384;

/** Floods that never send a complete status line and headers. */
const NO_STATUS = /^(?:endless-header|tiny-headers|endless-status|interim|blank)/;

let receivers: FloodingReceivers;

beforeAll(async () => {
  receivers = await startFloodingReceivers();
});
afterAll(() => receivers.stop());

test(`stops reading ${EACH} concurrent floods of each kind at 64 KiB, in constant memory`, async () => {
  const { port, kinds } = receivers;
  const sender = fileURLToPath(new URL('../support/flooded-sender.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    sender,
    String(port),
    String(EACH),
    ...kinds,
  ]);
  const { outcomes, readMax, firstBytes, secondBytes } = JSON.parse(stdout) as FloodedReport;
  const { sentBytes } = await receivers.report();
  const writtenMax = Math.max(...Object.values(sentBytes).flat());
  console.info(
    `${EACH} floods of each of ${kinds.length} kinds, twice: at most ${readMax} bytes read, ` +
      `${writtenMax} written by the receiver, memory growth ${mebibytes(firstBytes)} MiB in the first round, ` +
      `${mebibytes(secondBytes)} MiB in the second`,
  );
  expect(outcomes).toEqual(kinds.map((kind) => [kind, hasStatus(kind) ? '200 cut' : 'reset']));
  expect(Object.keys(sentBytes)).toEqual(kinds);
  for (const sizes of Object.values(sentBytes)) expect(sizes.length).toBe(2 * EACH);
  expect(readMax).toBeLessThanOrEqual(READ_MAX);
  expect(writtenMax).toBeLessThanOrEqual(WRITTEN_MAX);
  expect(firstBytes).toBeLessThan(FIRST_MEMORY_MAX);
  expect(secondBytes).toBeLessThan(MEMORY_MAX);
});

test('records the result of each flood and at most 16 KiB of its body', async () => {
  const db = await memoryStore();
  const { port, kinds } = receivers;
  const urls = kinds.map((kind) => `http://127.0.0.1:${port}/${kind}`);
  const rows = await deliverToUrls(db, agentWorld({ allow: [`127.0.0.1:${port}`] }), { urls });
  expect(rows.map(({ url }) => url)).toEqual(urls);
  for (const [n, row] of rows.entries()) {
    const kind = kinds[n] ?? '';
    expect(row, kind).toMatchObject(
      hasStatus(kind)
        ? { state: 'delivered', status: 200, code: null, detail: null, truncated: true }
        : { state: 'retrying', status: null, code: 'reset', truncated: false },
    );
    expect(Buffer.byteLength(row.body ?? ''), kind).toBeLessThanOrEqual(BODY_BYTES_MAX);
  }
  await db.close();
});

function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}

/** Checks whether the flood begins with a valid status, regardless of its body. */
function hasStatus(kind: string): boolean {
  return !NO_STATUS.test(kind);
}
