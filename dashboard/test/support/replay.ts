import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAfterbell } from '../../../service/test/support/afterbell-process.ts';
import { type Recording, writeRecording } from '../../../service/test/support/write-recording.ts';
import type { Stage } from './stage.ts';
import { IN_SESSION } from './trading-day.ts';

/** Uses the CLI to replay recorded responses into a running service. */
export async function replay(stage: Stage, recordings: readonly Recording[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'afterbell-recordings-'));
  for (const recording of recordings) {
    writeRecording(folder, { recordedAt: '2026-11-18T12:00:00Z', ...recording });
  }
  const { code, stdout, stderr } = await runAfterbell(
    ['replay', folder, '--data-dir', stage.dataDir],
    { NOW: IN_SESSION },
  );
  rmSync(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`replay ended with ${code}:\n${stdout}\n${stderr}`);
}

/** Returns a recording of a CSV file provided by the operator. */
export function table(name: string, rows: readonly (readonly string[])[]): Recording {
  const lines = rows.map((cells) =>
    cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','),
  );
  const url = `file:///tables/${name}.csv`;
  return { path: name, url, body: lines.join('\n'), contentType: 'text/csv' };
}
