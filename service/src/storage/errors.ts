/**
 * A statement the database refused. `sqlState` is the five-character code of the SQL standard,
 * the same on both engines; the message is the database's own and is never for customers.
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
 * The store cannot answer now: closed, its worker gone, the server down or restarting. The same
 * call may succeed later; whether a commit in flight happened is unknown.
 */
export class StoreUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnavailableError';
  }
}

/** There is no store to open, and none was to be made; the message says what to do. */
export class NoStoreError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoStoreError';
  }
}

/** A transaction whose work resolved although a statement in it had failed: nothing was kept. */
export class TransactionAbortedError extends Error {
  constructor() {
    super('A statement of this transaction failed and was ignored, so nothing was committed.');
    this.name = 'TransactionAbortedError';
  }
}

/**
 * Whether it failed for the state the store is in, and not for what was asked: the same call may
 * succeed later. Beside a store that is away these are a full disk or another resource (class 53), a
 * disk that fails (58), a statement that was ended or ran for too long (57014), locks that could not
 * be had (40001, 40P01, 55P03), and a server that only reads for now (25006).
 */
export function isStoreTrouble(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return true;
  const state = sqlState(error);
  return state !== undefined && TROUBLES.test(state);
}

const TROUBLES = /^(?:53...|58...|57014|40001|40P01|55P03|25006)$/;

/** The SQLSTATE of a refused statement, or undefined when `error` is anything else. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof SqlError ? error.sqlState : undefined;
}

/** The facts of an error object in the shape both drivers throw, or undefined for other errors. */
export function sqlErrorFacts(error: unknown): SqlErrorFacts | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = textOf(error, 'code');
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code)) return undefined;
  // Node's own codes of five capitals (EPIPE) are not the database's, which also gives a severity.
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

/** What an error of the embedded engine says; those of its file system are no errors and say a number. */
export function engineReason(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error !== 'object' || error === null) return String(error);
  const errno: unknown = Reflect.get(error, 'errno');
  return ENGINE_ERRNO[String(errno)] ?? `${textOf(error, 'name') ?? 'an error'} ${String(errno)}`;
}

/** As WASI numbers them. */
const ENGINE_ERRNO: Readonly<Record<string, string>> = {
  2: 'EACCES: permission denied',
  19: 'EDQUOT: the quota of the disk is used up',
  29: 'EIO: the disk fails',
  33: 'EMFILE: too many open files',
  51: 'ENOSPC: no space left on device',
  63: 'EPERM: not permitted',
  69: 'EROFS: read-only file system',
};

function textOf(error: object, key: string): string | undefined {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'string' ? value : undefined;
}
