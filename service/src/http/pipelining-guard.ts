import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface LastRequest {
  /** Number of requests on this connection so far. */
  count: number;
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Tracks the last request on each connection. With HTTP pipelining, an error response must be
 * written neither before the responses to earlier requests nor into the middle of one.
 */
export class PipeliningGuard {
  readonly #lastRequests = new WeakMap<Socket, LastRequest>();
  readonly #closed = new WeakSet<Socket>();

  /** Records a request and returns the number of requests sent on its connection so far. */
  track(request: IncomingMessage, response: ServerResponse): number {
    const { socket } = request;
    const last = this.#lastRequests.get(socket);
    if (last === undefined) {
      this.#lastRequests.set(socket, { count: 1, request, response });
      return 1;
    }
    last.request = request;
    last.response = response;
    return (last.count += 1);
  }

  /** Returns true if every request on the connection has received its complete response. */
  isIdle(socket: Socket): boolean {
    return this.#lastRequests.get(socket)?.response.writableFinished ?? true;
  }

  /**
   * Closes a connection after an error. `respond` writes the error response and runs once all
   * earlier responses have been sent. If the response to the failing request has already started,
   * `respond` is not called and the connection is only closed. Only the first call for a connection
   * has an effect.
   */
  close(socket: Socket, respond: () => void): void {
    if (this.#closed.has(socket)) return;
    this.#closed.add(socket);
    const last = this.#lastRequests.get(socket);
    if (last === undefined) return respond();
    const { request, response } = last;
    if (request.complete) return whenSent(response, respond);
    if (response.headersSent) return whenSent(response, () => socket.destroySoon());
    // The rest of the request's body has not arrived yet. The error becomes its response, in
    // pipeline order.
    if (response.socket === null) response.once('socket', respond);
    else respond();
  }
}

function whenSent(response: ServerResponse, run: () => void): void {
  if (response.writableFinished) run();
  else response.once('finish', run);
}
