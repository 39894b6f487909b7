import type { Dispatcher } from 'undici';
import { AttemptError, exchangeFailure, NoResponseError } from './attempt-error.ts';
import type { Connection } from './connection.ts';
import type { Deadline } from './deadline.ts';
import {
  BODY_CHUNKS_MAX,
  HEAD_LINES_MAX,
  INTERIM_RESPONSES_MAX,
  READ_BYTES_MAX,
} from './limits.ts';
import { type CapturedResponse, captureResponse } from './response-capture.ts';

const LINE_FEED = 10;

export interface ExchangeOptions {
  /** Path and query string. */
  path: string;
  /** Alternating header names and values. */
  headers: string[];
  body: Uint8Array;
  deadline: Deadline;
  /** Called right before the first byte. The exchange ends if it returns false. */
  mayStart(): boolean;
  /** Called when the status is known. */
  onResponse(): void;
}

export interface ExchangeResult {
  response: CapturedResponse;
  /** True if the response was read to its end, so that the connection can be reused. */
  isComplete: boolean;
}

/**
 * Thrown when the connection was closed before the first byte, so that the request may be sent on
 * another connection.
 */
export class ConnectionClosedError extends Error {}

/**
 * Sends a request and reads the response. Once the status is known, it determines the outcome, even
 * if reading the body fails. Rejects with `AttemptError` if there was no status, and with
 * `ConnectionClosedError` if nothing was sent.
 */
export function exchange(
  connection: Connection,
  options: ExchangeOptions,
): Promise<ExchangeResult> {
  const { path, headers, body, deadline } = options;
  if (deadline.reason !== null) return Promise.reject(deadline.reason);
  const handler = new ExchangeHandler(connection, options);
  deadline.listen((reason) => handler.abort(reason));
  connection.client.dispatch(
    // Keeps undici from retrying, because a POST must not be sent twice.
    { method: 'POST', path, headers, body, idempotent: false },
    handler,
  );
  return handler.result;
}

/** Receives the events for a request and enforces the limits on its response. */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly result: Promise<ExchangeResult>;
  readonly #connection: Connection;
  readonly #options: ExchangeOptions;
  readonly #resolve: (result: ExchangeResult) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #response: CapturedResponse | null = null;
  #interimCount = 0;
  #readBytes = 0;
  #headLines = 0;
  #bodyChunks = 0;

  constructor(connection: Connection, options: ExchangeOptions) {
    this.#connection = connection;
    this.#options = options;
    const { promise, resolve, reject } = Promise.withResolvers<ExchangeResult>();
    this.result = promise;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  abort(reason: Error): void {
    if (this.#controller === null) this.#connection.destroy();
    else this.#controller.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (!this.#options.mayStart()) {
      controller.abort(new AttemptError('not_sent', 'The lease expired before sending.'));
      return;
    }
    this.#connection.listen((chunk) => this.#count(chunk));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status >= 200) {
      this.#response = captureResponse(status, rawHeaders(controller));
      this.#options.onResponse();
      return;
    }
    this.#interimCount += 1;
    if (this.#interimCount > INTERIM_RESPONSES_MAX) {
      controller.abort(
        new AttemptError('reset', 'The receiver sent only interim (1xx) responses.'),
      );
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#bodyChunks += 1;
    if (this.#bodyChunks <= BODY_CHUNKS_MAX) this.#response?.add(chunk);
    else controller.abort(new AttemptError('reset', 'The response has too many chunks.'));
  }

  onResponseEnd(): void {
    const response = this.#response;
    if (response === null) return;
    this.#detach();
    this.#resolve({ response, isComplete: true });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const response = this.#response;
    this.#detach();
    if (response !== null) {
      response.markTruncated();
      this.#resolve({ response, isComplete: false });
    } else if (this.#controller !== null) this.#reject(this.#failure(error));
    else this.#reject(this.#options.deadline.reason ?? notStarted(error));
  }

  #failure(error: Error): AttemptError {
    const failure = exchangeFailure(error);
    const isLost = failure !== error && failure.code === 'reset' && this.#readBytes === 0;
    return isLost ? new NoResponseError(failure.code, failure.message) : failure;
  }

  /** Counts all bytes that arrive, including those of heads, bodies and interim responses. */
  #count(chunk: Uint8Array): void {
    this.#readBytes += chunk.length;
    if (this.#readBytes > READ_BYTES_MAX) {
      this.abort(new AttemptError('reset', 'The response is too large.'));
    }
    if (this.#response !== null) return;
    // Without a status, all earlier chunks belonged to the head.
    if (this.#headLines > HEAD_LINES_MAX) {
      this.abort(new AttemptError('reset', 'The response has too many header lines.'));
    }
    this.#headLines += linesIn(chunk);
  }

  #detach(): void {
    this.#options.deadline.listen(null);
    this.#connection.listen(null);
  }
}

function linesIn(chunk: Uint8Array): number {
  let lines = 0;
  for (const byte of chunk) if (byte === LINE_FEED) lines += 1;
  return lines;
}

function rawHeaders(controller: Dispatcher.DispatchController): readonly Uint8Array[] {
  return Array.isArray(controller.rawHeaders) ? (controller.rawHeaders as Uint8Array[]) : [];
}

/**
 * Converts an error raised before the request started. If undici rejected the request itself, for
 * example because of a line feed in a header, the caller has a bug.
 */
function notStarted(error: unknown): Error {
  const { code } = error as { code?: unknown };
  if (code === 'UND_ERR_INVALID_ARG' && error instanceof Error) return error;
  return new ConnectionClosedError();
}
