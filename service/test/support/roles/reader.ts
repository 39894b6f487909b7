import { Agent, request } from 'node:http';
import { systemClock } from '../../../src/platform/clock.ts';

/** A response, or a broken connection. */
export interface ObservedResponse {
  sentMs: number;
  doneMs: number;
  /** Null if the connection broke. */
  status: number | null;
  retryAfter: string | null;
  body: string;
}

/** A client that sends requests continuously on one keep-alive connection. */
export interface Reader {
  responses: readonly ObservedResponse[];
  stop(): Promise<void>;
}

/**
 * Starts a reader. `nextPath` returns its next path, and `pauseMs` is the pause after each
 * response.
 */
export function startReader(
  port: number,
  { key, nextPath, pauseMs }: { key: string; nextPath: () => string; pauseMs: number },
): Reader {
  const clock = systemClock();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const responses: ObservedResponse[] = [];
  let isStopped = false;
  const running = loop();

  async function loop(): Promise<void> {
    while (!isStopped) {
      const sentMs = clock.monotonicMs();
      const response = await sendRequest({ port, agent, path: nextPath(), key });
      responses.push({ sentMs, doneMs: clock.monotonicMs(), ...response });
      if (pauseMs > 0) await clock.sleep(pauseMs);
    }
  }

  return {
    responses,
    async stop() {
      isStopped = true;
      await running;
      agent.destroy();
    },
  };
}

/** Sends one request. If the connection breaks, resolves with a null status. */
export function sendRequest(options: {
  port: number;
  path: string;
  key: string;
  agent?: Agent;
}): Promise<Pick<ObservedResponse, 'status' | 'retryAfter' | 'body'>> {
  const { port, path, key, agent } = options;
  const broken = (error: Error) => ({ status: null, retryAfter: null, body: error.message });
  return new Promise((resolve) => {
    const headers = { 'X-Api-Key': key };
    const clientRequest = request(
      { host: '127.0.0.1', port, path, headers, ...(agent === undefined ? {} : { agent }) },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.once('error', (error) => resolve(broken(error)));
        response.once('end', () => {
          const retryAfter = response.headers['retry-after'] ?? null;
          resolve({ status: response.statusCode ?? null, retryAfter, body });
        });
      },
    );
    clientRequest.once('error', (error) => resolve(broken(error))).end();
  });
}
