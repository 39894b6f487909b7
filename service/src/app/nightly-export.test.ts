import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { loadManifest } from '../endpoints/tables/manifest.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../storage/db.ts';
import { startNightlyExport } from './nightly-export.ts';

const folder = mkdtempSync(join(tmpdir(), 'afterbell-nightly-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** An empty store that fails while `isBroken` returns true. */
function emptyStore(isBroken: () => boolean): Db {
  const view = { query: () => Promise.resolve([]), copyOut: () => Promise.reject(new Error()) };
  const readSnapshot: Db['readSnapshot'] = (work) =>
    isBroken() ? Promise.reject(new Error('the store is away')) : work(view);
  return { readSnapshot } as unknown as Db;
}

test('writes the files every night in New York, makes up for a missed night and outlives a failure', async () => {
  const clock = fakeClock(Date.parse('2026-03-07T15:00:00Z'));
  const waits: number[] = [];
  const sleep: Clock['sleep'] = (delayMs, signal) => {
    waits.push(delayMs);
    return clock.sleep(delayMs, signal);
  };
  const controller = new AbortController();
  let isBroken = false;
  const events: string[] = [];
  const note = ({ event }: { event: string }) => events.push(event);
  let stop: () => unknown = () => undefined;
  startNightlyExport({
    db: emptyStore(() => isBroken),
    clock: { ...clock, sleep },
    log: { info: note, error: note } as never,
    shutdown: {
      signal: controller.signal,
      register: (_: string, close: () => unknown) => (stop = close),
    } as never,
    settings: { datasetFilesAt: '03:30', licensedSourcesOnly: false },
    folder,
  });
  const settle = async (milliseconds: number, count: number) => {
    await clock.advance(milliseconds);
    await expect.poll(() => events.length).toBe(count);
    return (await loadManifest(join(folder, 'latest')))?.exportedAt;
  };
  await expect.poll(() => waits.length).toBe(1);
  expect(await settle(300_000, 1)).toBe('2026-03-07T15:05:00Z');
  await expect.poll(() => waits.length).toBe(2);
  // Clocks in New York move forward on this night.
  expect(await settle(16.5 * 3_600_000 - 300_000, 2)).toBe('2026-03-08T07:30:00Z');
  isBroken = true;
  await expect.poll(() => waits.length).toBe(3);
  expect(await settle(24 * 3_600_000, 3)).toBe('2026-03-08T07:30:00Z');
  isBroken = false;
  await expect.poll(() => waits.length).toBe(4);
  expect(await settle(24 * 3_600_000, 4)).toBe('2026-03-10T07:30:00Z');
  controller.abort();
  await stop();
  expect(events).toEqual([
    'datasets.exported',
    'datasets.exported',
    'datasets.export_failed',
    'datasets.exported',
  ]);
});
