import type { SqlErrorFacts } from '../../errors.ts';

/** What the driver asks of the worker; `id` comes back in the reply. */
export type WorkerRequest = { id: number } & WorkerAction;

export type WorkerAction =
  /** Runs one statement, as `writeStatement` writes it; the reply's `bytes` are for `readAnswer`. */
  | { do: 'query'; statement: Uint8Array }
  /** Runs a script; the reply's `lastCommand` is the command of its last statement. */
  | { do: 'execute'; script: string }
  /** Adds rows in COPY's text format to the table and columns that `into` names. */
  | { do: 'copy'; into: string; lines: string }
  /** Copies rows out in COPY's text format; the reply's `bytes`. */
  | { do: 'copy-out'; select: string }
  /** Copies the data folder, as it stands between two statements, into an empty folder. */
  | { do: 'copy-files'; from: string; to: string }
  /** Writes a snapshot of the whole data folder to `file`, for tests that start from it. */
  | { do: 'snapshot'; file: string }
  | { do: 'close' };

export type WorkerReply =
  | { id: number; ok: true; bytes: Uint8Array<ArrayBuffer>; lastCommand: string }
  | { id: number; ok: false; sql: SqlErrorFacts }
  | { id: number; ok: false; message: string }
  /** The engine has broken down: what it would say from now on, if anything, cannot be believed. */
  | { id: number; ok: false; brokeDown: string };

/** Sent once, when the store is open or could not be opened. */
export type WorkerHello = { open: true } | { open: false; message: string };

export interface WorkerOptions {
  /** A folder, or `memory://`. */
  dataDir: string;
  /** A file made by `snapshot` to start from instead of an empty store. */
  snapshotFile?: string | undefined;
}
