/**
 * A statement rejected by the database. `sqlState` is the five-character code from the SQL
 * standard, the same on both engines. The message comes from the database and must not reach
 * customers.
 */
export class SqlError extends Error {
  readonly sqlState: string;
  readonly detail: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly constraint: string | undefined;

  constructor(facts: SqlErrorFacts) {
    super(facts.message);
    this.name = 'SqlError';
    this.sqlState = facts.sqlState;
    this.detail = facts.detail;
    this.table = facts.table;
    this.column = facts.column;
    this.constraint = facts.constraint;
  }
}

export interface SqlErrorFacts {
  message: string;
  sqlState: string;
  detail?: string | undefined;
  table?: string | undefined;
  column?: string | undefined;
  constraint?: string | undefined;
}

/**
 * The store is unavailable: it is closed, its worker was lost, or the server is down or restarting.
 * The same call may succeed later. A commit that was in flight may have happened.
 */
export class StoreUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnavailableError';
  }
}

/** The files of an embedded store are damaged, so no later call can succeed. */
export class StoreDamagedError extends StoreUnavailableError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreDamagedError';
  }
}

/** Thrown when there is no store and none may be created. The message says what to do. */
export class NoStoreError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoStoreError';
  }
}

/** A statement failed, but the transaction's work ignored the failure. Nothing was committed. */
export class TransactionAbortedError extends Error {
  constructor() {
    super(
      'A statement of this transaction failed and the error was ignored, so nothing was committed.',
    );
    this.name = 'TransactionAbortedError';
  }
}

/**
 * Returns true if the cause is the state of the store and not the statement, so the same call may
 * succeed later: the store is unavailable, a full disk or another exhausted resource (class 53), a
 * failing disk (58), a canceled or timed-out statement (57014), lock failures (40001, 40P01,
 * 55P03), or a read-only server (25006).
 */
export function isStoreTrouble(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return true;
  const state = sqlState(error);
  return state !== undefined && TROUBLES.test(state);
}

const TROUBLES = /^(?:53...|58...|57014|40001|40P01|55P03|25006)$/;

/** Returns the SQLSTATE of a rejected statement, or undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof SqlError ? error.sqlState : undefined;
}

/**
 * Returns the fields of a database error thrown by either driver, or undefined for other errors.
 */
export function sqlErrorFacts(error: unknown): SqlErrorFacts | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = textOf(error, 'code');
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code)) return undefined;
  // Some Node error codes also consist of five capital letters (EPIPE). Only database errors also
  // have a severity.
  if (textOf(error, 'severity') === undefined) return undefined;
  return {
    message: error.message,
    sqlState: code,
    detail: textOf(error, 'detail'),
    table: textOf(error, 'table'),
    column: textOf(error, 'column'),
    constraint: textOf(error, 'constraint'),
  };
}

/**
 * Returns the message of an error thrown by the embedded engine. Errors from its file system aren't
 * `Error` objects and contain only a number.
 */
export function engineReason(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error !== 'object' || error === null) return String(error);
  const errno: unknown = Reflect.get(error, 'errno');
  return ENGINE_ERRNO[String(errno)] ?? `${textOf(error, 'name') ?? 'an error'} ${String(errno)}`;
}

/** WASI error numbers. */
const ENGINE_ERRNO: Readonly<Record<string, string>> = {
  2: 'EACCES: permission denied',
  19: 'EDQUOT: disk quota exceeded',
  29: 'EIO: disk input/output error',
  33: 'EMFILE: too many open files',
  51: 'ENOSPC: no space left on device',
  63: 'EPERM: not permitted',
  69: 'EROFS: read-only file system',
};

function textOf(error: object, key: string): string | undefined {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'string' ? value : undefined;
}
