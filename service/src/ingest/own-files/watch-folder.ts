import { readdirSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import type { Instant } from '../../platform/instant.ts';
import type { Log } from '../../platform/log.ts';
import type { Provider, SourceResponse } from '../../providers/provider.ts';
import { OwnFileError, readOwnFile } from './read-own-file.ts';

const EXTENSIONS: ReadonlySet<string> = new Set([
  '.csv',
  '.tsv',
  '.txt',
  '.json',
  '.ndjson',
  '.jsonl',
]);
/** A file that was written this recently may still be incomplete. */
const SETTLED_MS = 5_000;
/** After a restart, files are read again if they changed this shortly before the last poll. */
const OVERLAP_MS = 60_000;

interface WatchedFile {
  path: string;
  /** Path relative to the folder. */
  name: string;
  modifiedAt: Instant;
  /** Later than `modifiedAt` for a file that was moved or copied into the folder. */
  changedAt: Instant;
  size: number;
}

/**
 * Returns the provider with the files in a folder and its subfolders. Each file is observed at its
 * modification time, so that reading it again changes nothing and the newest file wins. A deleted
 * file withdraws nothing.
 */
export function watchFolder(
  provider: Provider,
  {
    folder,
    log,
    isClockShifted,
  }: {
    folder: string;
    log: Log;
    /** True if the clock cannot be compared with the times of files. */
    isClockShifted: boolean;
  },
): Provider {
  const imported = new Map<string, string>();
  let importedUntil: Instant | null = null;

  function* generateResponses(from: Instant | null, to: Instant): Generator<SourceResponse> {
    // A period that does not continue the last one begins at the progress in the store, which may
    // have lost files in a failover.
    if (from !== importedUntil) imported.clear();
    importedUntil = to;
    const files = listFiles(folder).toSorted((a, b) => a.modifiedAt - b.modifiedAt);
    for (const file of files) {
      if (imported.get(file.name) === signatureOf(file)) continue;
      if (Math.abs(to - file.modifiedAt) < SETTLED_MS) continue;
      const isKnown = from !== null && !isClockShifted && file.changedAt < from - OVERLAP_MS;
      // The caller resumes after `yield` only once the file is stored. Otherwise, it is read again.
      if (!isKnown) yield* read(file, to);
      imported.set(file.name, signatureOf(file));
    }
  }

  function* read(file: WatchedFile, to: Instant): Generator<SourceResponse> {
    let response: SourceResponse;
    try {
      const observedAt = Math.min(file.modifiedAt, to);
      response = readOwnFile(file.path, { name: file.name, observedAt });
    } catch (error) {
      if (!(error instanceof OwnFileError)) throw error;
      const fields = { event: 'ingest.file_rejected', file: file.name } as const;
      log.warn({ ...fields, reason: error.message }, 'file rejected');
      return;
    }
    yield response;
  }

  return { ...provider, generateResponses };
}

function listFiles(folder: string): WatchedFile[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry): WatchedFile[] => {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    const isHidden = name.split(/[\\/]/).some((part) => /^[.~]/.test(part));
    if (isHidden || !EXTENSIONS.has(extname(name).toLowerCase())) return [];
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts?.isFile() !== true) return [];
    const modifiedAt = Math.floor(facts.mtimeMs);
    const changedAt = Math.floor(Math.max(facts.mtimeMs, facts.ctimeMs));
    return [{ path, name, modifiedAt, changedAt, size: facts.size }];
  });
}

function signatureOf({ modifiedAt, changedAt, size }: WatchedFile): string {
  return `${modifiedAt} ${changedAt} ${size}`;
}
