import type { PGlite } from '@electric-sql/pglite';

/** As much of the engine's file system as this needs; its published types leave it out. */
interface NodeFiles {
  NODEFS?: { stream_ops: { write: WriteFile } };
}

type WriteFile = (stream: { path?: string }, ...rest: unknown[]) => number;

const CRITICAL_FILE = /(?:^|\/)(?:pg_wal|pg_xact|pg_logical|global\/pg_control)/;

/**
 * Tells of the first failed write to a file that the engine cannot do without: its log, above all. A
 * server would end all its processes at once then; embedded it may wait for ever for a lock of its own
 * in the same statement, and never say so.
 */
export function watchCriticalWrites(store: PGlite, onFailure: (reason: string) => void): void {
  const files = (store.Module as unknown as NodeFiles).NODEFS;
  if (files === undefined) return;
  const operations = files.stream_ops;
  const { write } = operations;
  operations.write = (stream, ...rest) => {
    try {
      return write(stream, ...rest);
    } catch (error) {
      const { path = '' } = stream;
      if (CRITICAL_FILE.test(path)) onFailure(`${path} could not be written. Is the disk full?`);
      throw error;
    }
  };
}
