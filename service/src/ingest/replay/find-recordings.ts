import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readMeta, RecordingError } from './read-recording.ts';
import type { RecordingMeta } from './read-recording.ts';

/** A recording found in a folder: readable, or broken with the reason. */
export type FoundRecording =
  | { path: string; meta: RecordingMeta }
  | { path: string; broken: RecordingError };

/**
 * Every recording under the folder (each a folder that holds `meta.json`), oldest observation
 * first, so that a replay sees the world in the order in which it happened; equal times by path.
 * Throws when the folder itself cannot be read.
 */
export async function findRecordings(root: string): Promise<FoundRecording[]> {
  const found: FoundRecording[] = [];
  for (const folder of await foldersWithMeta(root)) {
    const path = relative(root, folder) || '.';
    try {
      found.push({ path, meta: await readMeta(join(folder, 'meta.json')) });
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error;
      found.push({ path, broken: error });
    }
  }
  return found.toSorted((a, b) => timeOf(a) - timeOf(b) || (a.path < b.path ? -1 : 1));
}

async function foldersWithMeta(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const inside = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const nested: string[] = [];
  for (const name of inside) nested.push(...(await foldersWithMeta(join(folder, name))));
  const isRecording = entries.some((entry) => entry.isFile() && entry.name === 'meta.json');
  return isRecording ? [folder, ...nested] : nested;
}

function timeOf(recording: FoundRecording): number {
  return 'meta' in recording ? (recording.meta.recordedAt ?? 0) : 0;
}
