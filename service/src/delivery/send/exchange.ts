import type { Dispatcher } from 'undici';
import { AttemptError, exchangeFailure } from './attempt-error.ts';
import type { Connection } from './connection.ts';
import { captureResponse, type CapturedResponse } from './response-capture.ts';
import type { Deadline } from './deadline.ts';
import { BODY_PIECES_MAX, HEAD_LINES_MAX, INTERIM_MAX, READ_BYTES_MAX } from './limits.ts';

const LINE_FEED = 10;

export interface ExchangeOptions {
  /** Path and query. */
  path: string;
  /** Name, value, name, value. */
  headers: string[];
  body: Uint8Array;
  limit: Deadline;
  /** Asked right before the first byte; false ends the exchange. */
  mayStart(): boolean;
  /** The status of the answer is known. */
  onAnswer(): void;
}

export interface ExchangeResult {
  answer: CapturedResponse;
  /** Whether the answer came to its end, so that the connection may serve again. */
  isComplete: boolean;
}

/** The connection was gone before the first byte: another one may be tried. */
export class ConnectionClosedError extends Error {}

/**
 * One POST. Once the status is known it is the outcome, whatever becomes of the body. Rejects with
 * `AttemptFailed` when no status came, with `ConnectionGone` when nothing was sent.
 */
export function exchange(
  connection: Connection,
  options: ExchangeOptions,
): Promise<ExchangeResult> {
  const { client } = connection;
  const { limit } = options;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let answer: CapturedResponse | null = null;
    let interim = 0;
    let readBytes = 0;
    let headLines = 0;
    let bodyPieces = 0;

    const stop = (reason: Error): void => {
      if (controller === null) connection.destroy();
      else controller.abort(reason);
    };
    // Everything that arrives counts, whichever part of an answer it claims to be.
    const count = (piece: Uint8Array): void => {
      readBytes += piece.length;
      if (readBytes > READ_BYTES_MAX) stop(new AttemptError('reset', 'The answer has no end.'));
      if (answer !== null) return;
      // As long as no status came of them, the pieces before this one were head.
      if (headLines > HEAD_LINES_MAX) stop(new AttemptError('reset', 'The head has no end.'));
      headLines += linesIn(piece);
    };
    const finish = (settle: () => void): void => {
      limit.listen(null);
      connection.listen(null);
      settle();
    };

    const { reason } = limit;
    if (reason !== null) return reject(reason);
    limit.listen(stop);
    client.dispatch(
      {
        method: 'POST',
        path: options.path,
        headers: options.headers,
        body: options.body,
        // A POST may not be sent twice by a library that means well.
        idempotent: false,
      },
      {
        onRequestStart(started) {
          controller = started;
          if (!options.mayStart()) {
            return started.abort(new AttemptError('not_sent', 'The lease ended before sending.'));
          }
          connection.listen(count);
        },
        onResponseStart(started, status) {
          if (status >= 200) {
            answer = captureResponse(status, rawHeaders(started));
            options.onAnswer();
          } else if (++interim > INTERIM_MAX) {
            started.abort(new AttemptError('reset', 'Interim answers came without an answer.'));
          }
        },
        onResponseData(started, piece) {
          bodyPieces += 1;
          if (bodyPieces <= BODY_PIECES_MAX) answer?.add(piece);
          else started.abort(new AttemptError('reset', 'The answer comes in crumbs without end.'));
        },
        onResponseEnd() {
          const whole = answer;
          if (whole !== null) finish(() => resolve({ answer: whole, isComplete: true }));
        },
        onResponseError(_started, error) {
          const partial = answer;
          partial?.markTruncated();
          finish(() => {
            if (partial !== null) resolve({ answer: partial, isComplete: false });
            else if (controller !== null) reject(exchangeFailure(error));
            else reject(limit.reason ?? notStarted(error));
          });
        },
      },
    );
  });
}

function linesIn(piece: Uint8Array): number {
  let lines = 0;
  for (const byte of piece) if (byte === LINE_FEED) lines += 1;
  return lines;
}

function rawHeaders(controller: Dispatcher.DispatchController): readonly Uint8Array[] {
  return Array.isArray(controller.rawHeaders) ? (controller.rawHeaders as Uint8Array[]) : [];
}

/** What the library refuses to send, such as a line feed in a header, is our mistake. */
function notStarted(error: unknown): Error {
  const { code } = error as { code?: unknown };
  if (code === 'UND_ERR_INVALID_ARG' && error instanceof Error) return error;
  return new ConnectionClosedError();
}
