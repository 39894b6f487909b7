import { Command } from 'commander';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/afterbell-process.ts';
import type { CliContext } from '../command.ts';
import { command } from './sec.ts';

const LINE = '1900001|Kestrel Corp|8-K|2026-11-19|edgar/data/1900001/0001900001-26-000041.txt';
const INDEX = `CIK|Company Name|Form Type|Date Filed|Filename\n${LINE}\n`;
const FILING = { accession: '0001900001-26-000041', cik: '0001900001', form: '8-K' };

function entry(accession: string): string {
  return (
    `<entry><title>8-K - Kestrel (0001900001) (Filer)</title><summary>Item 2.02: Words</summary>` +
    `<updated>2026-11-19T16:21:05-05:00</updated><category term="8-K"/>` +
    `<id>urn:tag:sec.gov,2008:accession-number=${accession}</id></entry>`
  );
}

function writeRecording(folder: string, body: string, meta: object = {}): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'body.gz'), gzipSync(body));
  const facts = { url: 'https://www.sec.gov/x', status: 200, body_file: 'body.gz', ...meta };
  writeFileSync(join(folder, 'meta.json'), JSON.stringify(facts));
}

async function run(cwd: string, ...argv: readonly string[]): Promise<string> {
  let printed = '';
  const context = {
    cwd,
    stdout: (text: string) => void (printed += text),
  } as unknown as CliContext;
  const program = new Command().exitOverride();
  command.add(program, context);
  await program.parseAsync(['sec', 'read', ...argv], { from: 'user' });
  return printed;
}

function parseLines(text: string): unknown[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
}

test('reads a file, and every recording below a folder, as JSON lines', async () => {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'master.idx'), INDEX);
  writeRecording(join(cwd, 'recordings', 'b'), INDEX);
  writeRecording(join(cwd, 'recordings', 'a'), '', { status: 304 });
  writeRecording(join(cwd, 'recordings', 'outside'), INDEX, { body_file: '../../master.idx' });
  writeFileSync(join(cwd, 'recordings', 'truth.csv'), 'not a document');
  expect(parseLines(await run(cwd, 'master.idx', 'recordings', '--json'))).toMatchObject([
    { path: 'master.idx', kind: 'indexed-filing', ...FILING },
    { path: 'recordings/a', kind: 'unreadable', refused: [{ reason: 'not-modified' }] },
    { path: 'recordings/b', kind: 'indexed-filing', ...FILING },
    { path: 'recordings/outside', kind: 'unreadable', refused: [{ reason: 'bad-meta' }] },
  ]);
});

test('prints each filing of several feed pages once', async () => {
  const cwd = scratchFolder();
  const second = '0001900001-26-000042';
  writeFileSync(join(cwd, 'page-1.xml'), `<feed>${entry(FILING.accession)}${entry(second)}</feed>`);
  writeFileSync(join(cwd, 'page-2.xml'), `<feed>${entry(second)}${entry('none')}</feed>`);
  expect(parseLines(await run(cwd, '.', '--json'))).toEqual([
    {
      path: 'page-2.xml',
      kind: 'unreadable',
      refused: [
        { field: 'document', reason: 'bad-accession', entry: '8-K - Kestrel (0001900001) (Filer)' },
      ],
    },
    ...[second, FILING.accession].map((accession) => ({
      kind: 'current-filing',
      ...FILING,
      accession,
      items: ['2.02'],
      acceptedAt: '2026-11-19T21:21:05Z',
    })),
  ]);
});

test('prints values under the name of their document without --json', async () => {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'master.idx'), INDEX);
  expect(await run(cwd, 'master.idx')).toBe(
    'indexed-filing  master.idx\n  accession: 0001900001-26-000041\n  cik: 0001900001\n' +
      '  company: Kestrel Corp\n  form: 8-K\n  filingDate: 2026-11-19\n',
  );
});

test('fails for a path that does not exist, or that has no documents', async () => {
  const cwd = scratchFolder();
  await expect(run(cwd, 'none')).rejects.toThrow('does not exist');
  await expect(run(cwd, '.')).rejects.toThrow('has no documents');
});
