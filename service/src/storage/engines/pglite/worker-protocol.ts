import type { Db } from '../../db.ts';
import type { SqlErrorFacts } from '../../errors.ts';

/** An embedded store that runs in its own thread. */
export interface PgliteDb extends Db {
  /** Writes a dump of the data folder to `file`. `openPglite` can create another store from it. */
  dump(file: string): Promise<void>;
  /** Copies the store's files into an empty folder, where another store can open them. */
  copyFiles(to: string): Promise<void>;
  /** Returns the rows of a select in COPY's text format, like `SnapshotView.copyOut`. */
  copyOut(select: string): Promise<Uint8Array>;
  /** Returns the reason why the thread was lost and all calls fail, or undefined while it runs. */
  failureReason(): string | undefined;
  /** Terminates the thread immediately, as a crash would. Used by tests. */
  killThread(): Promise<void>;
  /** Terminates the thread. All later calls fail with `reason`. */
  abandon(reason: string): Promise<void>;
}

/** A request to the worker. The reply has the same `id`. */
export type WorkerRequest = { id: number } & WorkerAction;

export type WorkerAction =
  /**
   * Runs one statement encoded by `encodeStatement`. Decode the reply's `bytes` with
   * `decodeResponse`.
   */
  | { do: 'query'; statement: Uint8Array }
  /** Runs a script. The reply's `lastCommand` is the command tag of the last statement. */
  | { do: 'execute'; script: string }
  /** Inserts rows in COPY's text format into the table and columns specified by `into`. */
  | { do: 'copy'; into: string; lines: string }
  /** Reads rows in COPY's text format into the reply's `bytes`. */
  | { do: 'copy-out'; select: string }
  /** Copies the data folder into an empty folder, while no statement is running. */
  | { do: 'copy-files'; from: string; to: string }
  /** Writes a dump of the data folder to `file`, for tests that create stores from it. */
  | { do: 'snapshot'; file: string }
  | { do: 'close' };

export type WorkerReply =
  | { id: number; ok: true; bytes: Uint8Array<ArrayBuffer>; lastCommand: string }
  | { id: number; ok: false; sql: SqlErrorFacts }
  | { id: number; ok: false; message: string }
  /** The engine has broken down. Its results can no longer be trusted. */
  | { id: number; ok: false; brokeDown: string };

/** Sent once, after the store has been opened or has failed to open. */
export type WorkerHello =
  | { open: true }
  | { open: false; message: string }
  /** The files are damaged. */
  | { open: false; damage: string };

export interface WorkerOptions {
  /** A folder, or `memory://`. */
  dataDir: string;
  /** A file written by `dump`. If given, the store starts from it instead of empty. */
  snapshotFile?: string | undefined;
  /** True to make every commit survive a power failure. No effect in memory. Default: false. */
  syncs?: boolean | undefined;
  /** True to leave the processor to other threads. Default: false. */
  isBackground?: boolean | undefined;
}
