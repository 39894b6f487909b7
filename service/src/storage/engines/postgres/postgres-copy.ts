import type pg from 'pg';

/** The part of the driver's connection that COPY needs. Its published types don't include it. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
}

const CHUNK_BYTES = 1 << 18;

/**
 * Runs one `copy … from stdin` with these lines on an idle client. If it fails, rejects with the
 * server's error.
 */
export function copyLines(client: pg.ClientBase, statement: string, lines: string): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(
      new CopyIn(statement, lines, (error) => (error === null ? resolve() : reject(error))),
    );
  });
}

/** A statement in the driver's queue. The driver calls the handlers as the server responds. */
class CopyIn {
  readonly #statement: string;
  readonly #lines: string;
  #settle: (error: Error | null) => void;

  constructor(statement: string, lines: string, settle: (error: Error | null) => void) {
    this.#statement = statement;
    this.#lines = lines;
    this.#settle = settle;
  }

  submit(connection: unknown): void {
    (connection as CopyConnection).query(this.#statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    const bytes = Buffer.from(this.#lines);
    for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
      connection.sendCopyFromChunk(bytes.subarray(from, from + CHUNK_BYTES));
    }
    connection.endCopyFrom();
  }

  handleError(error: Error): void {
    this.#settle(error);
    this.#settle = ignore;
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#settle(null);
  }
}

/** Reads the rows of a select in COPY's text format on an idle client. */
export function copyRowsOut(client: pg.ClientBase, select: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    client.query(
      new CopyOut(`copy (${select}) to stdout`, (outcome) =>
        outcome instanceof Error ? reject(outcome) : resolve(outcome),
      ),
    );
  });
}

class CopyOut {
  readonly #statement: string;
  readonly #lines: Buffer[] = [];
  #settle: (outcome: Uint8Array | Error) => void;

  constructor(statement: string, settle: (outcome: Uint8Array | Error) => void) {
    this.#statement = statement;
    this.#settle = settle;
  }

  submit(connection: unknown): void {
    (connection as CopyConnection).query(this.#statement);
  }

  /** Copies the line, because the driver reuses its buffer for the next message. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#lines.push(Buffer.from(chunk));
  }

  handleError(error: Error): void {
    this.#settle(error);
    this.#settle = ignore;
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#settle(Buffer.concat(this.#lines));
  }
}

function ignore(): void {}
