import { Agent, request } from 'node:http';
import { systemClock } from '../../../src/platform/clock.ts';

/** One answer, or what came instead. */
export interface Seen {
  sentMs: number;
  doneMs: number;
  /** Null when the connection broke. */
  status: number | null;
  retryAfter: string | null;
  body: string;
}

/** Somebody who asks all the time, on connections that are kept as long as the server wants. */
export interface Reader {
  seen: readonly Seen[];
  stop(): Promise<void>;
}

/** `pathOf` tells what is asked next; `pauseMs` is between an answer and the next question. */
export function startReader(
  port: number,
  { key, pathOf, pauseMs }: { key: string; pathOf: () => string; pauseMs: number },
): Reader {
  const clock = systemClock();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seen: Seen[] = [];
  let isStopped = false;
  const running = loop();

  async function loop(): Promise<void> {
    while (!isStopped) {
      const sentMs = clock.monotonicMs();
      const answer = await ask({ port, agent, path: pathOf(), key });
      seen.push({ sentMs, doneMs: clock.monotonicMs(), ...answer });
      if (pauseMs > 0) await clock.sleep(pauseMs);
    }
  }

  return {
    seen,
    async stop() {
      isStopped = true;
      await running;
      agent.destroy();
    },
  };
}

/** One question; a connection that breaks is told as one. */
export function ask(options: {
  port: number;
  path: string;
  key: string;
  agent?: Agent;
}): Promise<Pick<Seen, 'status' | 'retryAfter' | 'body'>> {
  const { port, path, key, agent } = options;
  const broken = (error: Error) => ({ status: null, retryAfter: null, body: error.message });
  return new Promise((resolve) => {
    const headers = { 'X-Api-Key': key };
    const asked = request(
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
    asked.once('error', (error) => resolve(broken(error))).end();
  });
}
