import { readdir, realpath, stat } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import { compareBy, compareText } from '../../platform/compare.ts';
import { readMeta, RecordingError, type RecordingMeta } from './read-recording.ts';

/** A readable recording in a folder, or the error that made it unreadable. */
export type Recording =
  | { path: string; meta: RecordingMeta }
  | { path: string; error: RecordingError };

/**
 * Returns every recording under the folder (each is a folder with a `meta.json`), oldest
 * observation first, then by path, so that a replay sees events in the original order. Follows
 * links and visits each folder once. An unreadable subfolder is reported as a broken recording.
 * Throws if the folder itself is unreadable.
 */
export async function findRecordings(root: string): Promise<Recording[]> {
  const recordings: Recording[] = [];
  for await (const { folder, error } of recordingFolders(root, new Set())) {
    const path = relative(root, folder) || '.';
    recordings.push({ path, ...(error === undefined ? await readRecording(folder) : { error }) });
  }
  return recordings.toSorted((a, b) => timeOf(a) - timeOf(b) || compareText(a.path, b.path));
}

interface RecordingFolder {
  folder: string;
  /** Set if the folder is unreadable. */
  error?: RecordingError;
}

async function readRecording(
  folder: string,
): Promise<{ meta: RecordingMeta } | { error: RecordingError }> {
  try {
    return { meta: await readMeta(join(folder, 'meta.json')) };
  } catch (error) {
    if (error instanceof RecordingError) return { error };
    throw error;
  }
}

async function* recordingFolders(
  folder: string,
  visited: Set<string>,
): AsyncGenerator<RecordingFolder, void> {
  const isRoot = visited.size === 0;
  let entries: Dirent[];
  try {
    const real = await realpath(folder);
    if (visited.has(real)) return;
    visited.add(real);
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isRoot) throw error;
    yield { folder, error: new RecordingError('unreadable-folder', String(error)) };
    return;
  }
  entries.sort(compareBy(({ name }) => name));
  const subfolders: string[] = [];
  let isRecording = false;
  for (const entry of entries) {
    if (await isFolder(folder, entry)) subfolders.push(join(folder, entry.name));
    else if (entry.name === 'meta.json') isRecording = true;
  }
  if (isRecording) yield { folder };
  for (const subfolder of subfolders) yield* recordingFolders(subfolder, visited);
}

async function isFolder(parent: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  // A dangling link is not treated as a folder.
  return stat(join(parent, entry.name)).then(
    (target) => target.isDirectory(),
    () => false,
  );
}

function timeOf(recording: Recording): number {
  return 'meta' in recording ? (recording.meta.recordedAt ?? 0) : 0;
}
