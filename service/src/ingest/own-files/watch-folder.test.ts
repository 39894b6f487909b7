import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { memoryLog } from '../../../test/support/logs.ts';
import type { Instant } from '../../platform/instant.ts';
import { provider } from '../../providers/files/index.ts';
import { watchFolder } from './watch-folder.ts';

// In the past of any machine, because the change time of a file cannot be set.
const NOON = Date.parse('2020-01-21T17:00:00Z');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

function write(name: string, text: string, modifiedAt: Instant): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
  utimesSync(join(folder, name), modifiedAt / 1000, modifiedAt / 1000);
}

function watch() {
  const watched = watchFolder(provider, { folder, log: memoryLog(), isClockShifted: false });
  return (from: Instant | null, to: Instant) =>
    [...(watched.generateResponses?.(from, to) ?? [])].map(
      ({ path, observedAt, text }) => [path, observedAt, text] as const,
    );
}

test('reads each file in a folder once, oldest first, observed at its modification time', () => {
  write('earnings/q4 2025.csv', 'symbol,date\n', NOON - 60_000);
  write('splits.csv', 'symbol\n', NOON - 120_000);
  write('.hidden.csv', 'symbol\n', NOON - 120_000);
  write('~$splits.csv', 'symbol\n', NOON - 120_000);
  write('notes.docx', 'symbol\n', NOON - 120_000);
  const poll = watch();
  expect(poll(null, NOON)).toEqual([
    ['/import/splits.csv', NOON - 120_000, 'symbol\n'],
    ['/import/earnings/q4%202025.csv', NOON - 60_000, 'symbol,date\n'],
  ]);
  expect(poll(NOON, NOON + 30_000)).toEqual([]);
  write('splits.csv', 'symbol,date\n', NOON + 30_000);
  expect(poll(NOON + 30_000, NOON + 60_000)).toHaveLength(1);
});

test('reads a file again if the store has lost the progress since, as after a failover', () => {
  const poll = watch();
  expect(poll(null, NOON)).toEqual([]);
  write('splits.csv', 'symbol\n', NOON - 60_000);
  expect(poll(NOON, NOON + 30_000)).toHaveLength(1);
  expect(poll(NOON, NOON + 60_000)).toHaveLength(1);
  expect(poll(NOON + 60_000, NOON + 90_000)).toEqual([]);
});

test('reads a file only once it has not changed for a few seconds', () => {
  write('splits.csv', 'symbol\n', NOON - 1000);
  const poll = watch();
  expect(poll(null, NOON)).toEqual([]);
  expect(poll(NOON, NOON + 30_000)).toHaveLength(1);
});

test('reads a file again if importing it failed', () => {
  write('splits.csv', 'symbol\n', NOON - 60_000);
  const watched = watchFolder(provider, { folder, log: memoryLog(), isClockShifted: false });
  const failing = watched.generateResponses?.(null, NOON)[Symbol.iterator]();
  expect(failing?.next().done).toBe(false);
  failing?.return?.();
  expect([...(watched.generateResponses?.(null, NOON) ?? [])]).toHaveLength(1);
});

test('skips known files after a restart, but reads an old file that was moved into the folder', () => {
  const later = Date.now() + 3_600_000;
  write('splits.csv', 'symbol\n', NOON);
  expect(watch()(later, later + 30_000)).toEqual([]);
  const outside = mkdtempSync(join(tmpdir(), 'watch-outside-'));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  renameSync(join(folder, 'splits.csv'), join(outside, 'splits.csv'));
  renameSync(join(outside, 'splits.csv'), join(folder, 'splits.csv'));
  expect(watch()(Date.now() - 1000, later)).toHaveLength(1);
});

test('reports an unreadable file and reads the others', () => {
  write('book.csv', 'PK\u0003\u0004', NOON - 60_000);
  write('splits.csv', 'symbol\n', NOON - 50_000);
  const log = memoryLog();
  const watched = watchFolder(provider, { folder, log, isClockShifted: false });
  expect([...(watched.generateResponses?.(null, NOON) ?? [])]).toHaveLength(1);
  expect(log.entries.map(({ fields }) => fields)).toMatchObject([
    { event: 'ingest.file_rejected', file: 'book.csv' },
  ]);
});
