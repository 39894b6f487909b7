import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/afterbell-process.ts';
import {
  calendarUrl,
  envelope,
  upcomingRow,
  writeRecording,
} from '../../../test/support/write-recording.ts';
import { SqlError } from '../../storage/errors.ts';
import { emptyReport } from '../report.ts';
import { replayFolder } from './replay-folder.ts';

const url = calendarUrl('2026-02-19');
const body = envelope([upcomingRow('MERD')]);

test('rejects a body outside its recording’s folder, whether referenced by name or by a link', async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'secret'), JSON.stringify(body));
  writeRecording(folder, { path: 'named', url, body, meta: { body_file: '../secret' } });
  const absolute = join(folder, 'secret');
  writeRecording(folder, { path: 'absolute', url, body, meta: { body_file: absolute } });
  writeRecording(folder, { path: 'linked', url, body, meta: { body_file: 'link' } });
  symlinkSync('../secret', join(folder, 'linked', 'link'));
  writeRecording(folder, { path: 'dots', url, body, meta: { body_file: './..body/../body' } });
  expect(await outcomes(folder)).toEqual({
    named: 'bad-meta',
    absolute: 'bad-meta',
    linked: 'bad-meta',
    dots: null,
  });
});

test('follows each link to a recording once, and stops at circular links', async () => {
  const folder = scratchFolder();
  const elsewhere = scratchFolder();
  writeRecording(elsewhere, { path: 'one', url, body });
  writeRecording(elsewhere, { path: 'two', url, body });
  symlinkSync(join(elsewhere, 'one'), join(folder, 'one'));
  mkdirSync(join(folder, 'files'));
  symlinkSync(join(elsewhere, 'two', 'meta.json'), join(folder, 'files', 'meta.json'));
  symlinkSync(join(elsewhere, 'two', 'body'), join(folder, 'files', 'body'));
  symlinkSync('..', join(folder, 'files', 'up'));
  symlinkSync(join(elsewhere, 'one'), join(folder, 'same-as-one'));
  symlinkSync('nowhere', join(folder, 'dangling'));
  expect(await outcomes(folder)).toEqual({ one: null, files: null });
});

test.each([
  ['not JSON', '{"url": '],
  ['a list', '[]'],
  ['null', 'null'],
  ['without url', { url: null }],
  ['with a status that is a text', { status: '200' }],
  ['with a status that no server sends', { status: 1e9 }],
  ['with a date that no calendar has', { recorded_at: '2026-02-30T00:00:00Z' }],
  ['recorded in the year 0', { recorded_at: '0000-01-01T00:00:00Z' }],
  ['recorded in the year 9999', { recorded_at: '9999-12-31T23:59:59Z' }],
  ['with another encoding', { body_stored_encoding: 'br' }],
  ['with NUL in the name of the body', { body_file: 'bo\0dy' }],
  ['over a megabyte', { notes: 'x'.repeat(1_100_000) }],
])('rejects a meta.json %s and continues with the other recordings', async (_, meta) => {
  const folder = scratchFolder();
  writeRecording(folder, { path: 'good', url, body });
  writeRecording(folder, { path: 'bad', url, body, ...(typeof meta === 'object' && { meta }) });
  if (typeof meta === 'string') writeFileSync(join(folder, 'bad', 'meta.json'), meta);
  expect(await outcomes(folder)).toEqual({ good: null, bad: 'bad-meta' });
});

test('rejects a recording whose body is missing or a folder, and a dangling meta.json', async () => {
  const folder = scratchFolder();
  writeRecording(folder, { path: 'missing', url, body, meta: { body_file: 'nowhere' } });
  writeRecording(folder, { path: 'folder', url, body, meta: { body_file: '.' } });
  mkdirSync(join(folder, 'dangling'));
  symlinkSync('nowhere', join(folder, 'dangling', 'meta.json'));
  expect(await outcomes(folder)).toEqual({
    missing: 'missing-body',
    folder: 'unreadable-body',
    dangling: 'bad-meta',
  });
});

test('skips only recordings with values that the store rejects, and stops the replay if the store fails', async () => {
  const folder = scratchFolder();
  writeRecording(folder, { path: 'one', url, body });
  writeRecording(folder, { path: 'two', url, body });
  const refusing = (state: string) => (answer: { url: string }) =>
    Promise.reject(new SqlError({ message: `no ${answer.url}`, sqlState: state }));
  const { recordings: found } = await replayFolder({ folder, ingest: refusing('22003') });
  expect(found.map(({ datasets, isDamaged }) => [datasets[0]?.reason, isDamaged])).toEqual([
    ['not-storable', true],
    ['not-storable', true],
  ]);
  await expect(replayFolder({ folder, ingest: refusing('57P01') })).rejects.toThrow('no http');
});

test('reads a meta.json that starts with a byte-order mark', async () => {
  const folder = scratchFolder();
  writeRecording(folder, { path: 'marked', url, body });
  const meta = { url, status: 200, body_file: 'body' };
  writeFileSync(join(folder, 'marked', 'meta.json'), `\uFEFF${JSON.stringify(meta)}`);
  expect(await outcomes(folder)).toEqual({ marked: null });
});

/**
 * Returns each recording's rejection reason by path, or null for accepted recordings. Needs no
 * store.
 */
async function outcomes(folder: string): Promise<Record<string, string | null>> {
  const datasets = [emptyReport('earnings', 'ingested')];
  const { recordings: found } = await replayFolder({
    folder,
    ingest: async () => ({ provider: 'nasdaq', feed: 'x', datasets, isDamaged: false }),
  });
  return Object.fromEntries(found.map((each) => [each.path, each.datasets[0]?.reason ?? null]));
}
