import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What was asked last on each connection, so that every request has one answer, in its turn. */
export interface PipeliningGuard {
  /** Notes a request; how many its connection has brought by now. */
  take(request: IncomingMessage, response: ServerResponse): number;
  /** Whether nothing that was asked waits for its answer. */
  isAnswered(socket: Socket): boolean;
  /**
   * For what goes wrong on a connection outside of a request's own answer. Runs `answer` once all that
   * was asked before is answered; never when it is a request with an answer that went wrong, in its
   * body: then the connection only ends. Nothing the second time.
   */
  end(socket: Socket, answer: () => void): void;
}

interface Last {
  count: number;
  request: IncomingMessage;
  response: ServerResponse;
}

export function createPipeliningGuard(): PipeliningGuard {
  const lasts = new WeakMap<Socket, Last>();
  const ended = new WeakSet<Socket>();

  return {
    take(request, response) {
      const { socket } = request;
      const last = lasts.get(socket);
      if (last === undefined) {
        lasts.set(socket, { count: 1, request, response });
        return 1;
      }
      last.request = request;
      last.response = response;
      return (last.count += 1);
    },
    isAnswered: (socket) => lasts.get(socket)?.response.writableFinished ?? true,
    end(socket, answer) {
      if (ended.has(socket)) return;
      ended.add(socket);
      const last = lasts.get(socket);
      if (last === undefined) return answer();
      const { request, response } = last;
      if (request.complete) return whenSent(response, answer);
      if (response.headersSent) return whenSent(response, () => socket.destroySoon());
      // It waits for the rest of its body in vain: this is its answer, after those before it.
      if (response.socket === null) response.once('socket', answer);
      else answer();
    },
  };
}

function whenSent(response: ServerResponse, run: () => void): void {
  if (response.writableFinished) run();
  else response.once('finish', run);
}
