import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { writeRecording } from '../../../test/support/write-recording.ts';
import { readBody as readLiveBody } from '../../platform/http-body.ts';
import { readBody, readMeta } from './read-recording.ts';

const NAME = '{"name":"Nestlé – Tools"}';
const WESTERN = Buffer.from('{"name":"Nestlé"}', 'latin1');
const UTF_16 = Buffer.from(`\uFEFF${NAME}`, 'utf16le');

test.each([
  ['in UTF-8', 'application/json', Buffer.from(NAME), NAME],
  ['in UTF-8 with a BOM', 'application/json', marked(NAME), NAME],
  ['in Latin-1', 'application/json; charset=ISO-8859-1', WESTERN, '{"name":"Nestlé"}'],
  ['in UTF-16, detected by its BOM', 'application/json', UTF_16, NAME],
  ['in UTF-16 with the other byte order', 'application/json', Buffer.from(UTF_16).swap16(), NAME],
  ['in UTF-16, declared by its charset', 'text/csv; charset="utf-16le"', UTF_16.subarray(2), NAME],
  ['in UTF-8, whose BOM contradicts its charset', 'text/csv; charset=latin1', marked(NAME), NAME],
  ['with an unknown charset', 'text/csv; charset=x-own', Buffer.from(NAME), NAME],
])(
  'decodes a recorded body %s in the same way as a live response',
  async (_, contentType, body, text) => {
    const options = { bytesMax: 1000, contentEncoding: undefined, onChunk: () => undefined };
    const live = await readLiveBody(Readable.from([body]), { ...options, contentType });
    expect(live).toEqual({ kind: 'text', text });
    for (const gzip of [false, true]) {
      const folder = mkdtempSync(join(tmpdir(), 'read-recording-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      writeRecording(folder, { path: 'one', url: 'https://a.example', contentType, body, gzip });
      const meta = await readMeta(join(folder, 'one', 'meta.json'));
      expect(await readBody(meta)).toBe(text);
    }
  },
);

test.each([
  ['an instant', '2026-05-08T14:30:00-04:00', '2026-05-08T18:30:00Z'],
  ['a time without a zone, as UTC', '2026-05-08T14:30:00', '2026-05-08T14:30:00Z'],
  ['a day, as its end', '2026-05-08', '2026-05-08T23:59:59Z'],
])('reads recorded_at with %s', async (_, recordedAt, instant) => {
  const folder = mkdtempSync(join(tmpdir(), 'read-recording-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const meta = { recorded_at: recordedAt };
  writeRecording(folder, { path: 'one', url: 'https://a.example', body: NAME, meta });
  const { recordedAt: read } = await readMeta(join(folder, 'one', 'meta.json'));
  expect(read).toBe(Date.parse(instant));
});

function marked(text: string): Buffer {
  return Buffer.from(`\uFEFF${text}`);
}
