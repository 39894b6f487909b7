import { readdir, realpath, stat } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import { readMeta, RecordingError, type RecordingMeta } from './read-recording.ts';

/** A recording found in a folder: readable, or broken with the reason. */
export type Recording =
  | { path: string; meta: RecordingMeta }
  | { path: string; error: RecordingError };

/**
 * Every recording under the folder (each a folder that holds `meta.json`), oldest observation
 * first, so that a replay sees the world in the order in which it happened; equal times by path.
 * Links are followed, every folder is visited once. A folder inside that cannot be read is a broken
 * recording; throws when the folder itself cannot be read.
 */
export async function findRecordings(root: string): Promise<Recording[]> {
  const found: Recording[] = [];
  for await (const place of placesUnder(root, new Set())) {
    const path = relative(root, place.folder) || '.';
    found.push({ path, ...(place.fault ? { error: place.fault } : await open(place.folder)) });
  }
  return found.toSorted((a, b) => timeOf(a) - timeOf(b) || (a.path < b.path ? -1 : 1));
}

interface Place {
  folder: string;
  /** Why nothing in it could be looked at. */
  fault?: RecordingError;
}

async function open(folder: string): Promise<{ meta: RecordingMeta } | { error: RecordingError }> {
  try {
    return { meta: await readMeta(join(folder, 'meta.json')) };
  } catch (error) {
    if (error instanceof RecordingError) return { error };
    throw error;
  }
}

async function* placesUnder(folder: string, visited: Set<string>): AsyncGenerator<Place, void> {
  const isRoot = visited.size === 0;
  let entries: Dirent[];
  try {
    const real = await realpath(folder);
    if (visited.has(real)) return;
    visited.add(real);
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isRoot) throw error;
    yield { folder, fault: new RecordingError('unreadable-folder', String(error)) };
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const inside: string[] = [];
  let isRecording = false;
  for (const entry of entries) {
    if (await isFolder(folder, entry)) inside.push(join(folder, entry.name));
    else if (entry.name === 'meta.json') isRecording = true;
  }
  if (isRecording) yield { folder };
  for (const each of inside) yield* placesUnder(each, visited);
}

async function isFolder(parent: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  // A link that leads nowhere is no folder.
  return stat(join(parent, entry.name)).then(
    (target) => target.isDirectory(),
    () => false,
  );
}

function timeOf(recording: Recording): number {
  return 'meta' in recording ? (recording.meta.recordedAt ?? 0) : 0;
}
