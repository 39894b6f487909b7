import type { PGlite } from '@electric-sql/pglite';

/** The part of the engine's file system that is used here. Its published types don't include it. */
interface NodeFiles {
  NODEFS?: { stream_ops: { write: FileOperation; fsync?: FileOperation } };
}

type FileOperation = (stream: { path?: string }, ...args: unknown[]) => number;

const CRITICAL_FILE = /(?:^|\/)(?:pg_wal|pg_xact|pg_logical|global\/pg_control)/;

/**
 * Reports the first failed write to a file that the engine depends on, above all its WAL, and the
 * first failed sync. After such a failure, a PostgreSQL server would restart all its processes. The
 * embedded engine may instead wait forever, without an error, for a lock that it holds itself.
 */
export function watchCriticalWrites(store: PGlite, onFailure: (reason: string) => void): void {
  const operations = (store.Module as unknown as NodeFiles).NODEFS?.stream_ops;
  if (operations === undefined) return;
  const { write, fsync } = operations;
  operations.write = (stream, ...args) => {
    try {
      return write(stream, ...args);
    } catch (error) {
      const { path = '' } = stream;
      if (CRITICAL_FILE.test(path)) onFailure(`${path} could not be written. Is the disk full?`);
      throw error;
    }
  };
  if (fsync === undefined) return;
  operations.fsync = (stream) => {
    try {
      return fsync(stream);
    } catch (error) {
      onFailure(`${stream.path} could not be synced. Is the disk failing?`);
      throw error;
    }
  };
}
