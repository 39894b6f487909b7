import pg from 'pg';
import type { Clock, Timer } from '../../../platform/clock.ts';
import type { Row } from '../../db.ts';
import { convertErrors } from './connection-errors.ts';
import { readServerState } from './server-history.ts';

/** Duration after which a call is slow. The call may still be fine, but the server is probed. */
const SLOW_CALL_MS = 5_000;
const PROBE_TIMEOUT_MS = 5_000;

export interface HangWatch {
  /**
   * Records that a call has started on this connection. Call the returned function when it ends.
   */
  callStarted(client: pg.ClientBase): () => void;
  stop(): void;
}

/**
 * Detects a server that hangs or has become unreachable. Connections to such a server stay open,
 * and calls would wait a quarter of an hour until the operating system gives up. While a call is
 * slow, the server is probed on a separate connection. If the probe fails, or reaches a server with
 * another history, the connections of all slow calls are closed, so those calls fail.
 *
 * `history` returns the history of the server that the calls use; null if it is unknown.
 */
export function watchForHangs({
  url,
  clock,
  history = () => null,
}: {
  url: string;
  clock: Clock;
  history?(): string | null;
}): HangWatch {
  const running = new Map<pg.ClientBase, number>();
  let timer: Timer | null = null;
  let isStopped = false;

  async function check(): Promise<void> {
    const now = clock.monotonicMs();
    const slowCalls = Array.from(running).filter(([, sinceMs]) => now - sinceMs >= SLOW_CALL_MS);
    if (slowCalls.length > 0 && !(await respondsAsBefore(url, history()))) {
      for (const [client, sinceMs] of slowCalls) if (running.get(client) === sinceMs) cut(client);
    }
    timer = null;
    if (running.size > 0) scheduleCheck();
  }

  /** The timer isn't canceled when calls end, so that short calls cost nothing. */
  function scheduleCheck(): void {
    if (!isStopped) timer ??= clock.setTimer(SLOW_CALL_MS, () => void check());
  }

  return {
    callStarted(client) {
      running.set(client, clock.monotonicMs());
      scheduleCheck();
      return () => void running.delete(client);
    },
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}

/**
 * Returns true if the server responds at all, even if it is starting up or rejects the login. Returns
 * false if a standby was promoted and has taken over the address: the calls wait for the old server.
 */
async function respondsAsBefore(url: string, expectedHistory: string | null): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'afterbell sign of life',
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  });
  client.on('error', ignore);
  try {
    await client.connect();
    const { isStandby, history } = await readServerState({
      query: async <T extends Row>(sql: string) => (await convertErrors(client.query<T>(sql))).rows,
    });
    if (expectedHistory === null) return true;
    return !isStandby && (history === null || history === expectedHistory);
  } catch (error) {
    return (
      error instanceof Error && [error, error.cause].some((one) => one instanceof pg.DatabaseError)
    );
  } finally {
    cut(client);
  }
}

/**
 * Closes the connection. While a call is in flight, the driver closes the socket instead of sending
 * Terminate.
 */
function cut(client: pg.ClientBase): void {
  (client as pg.Client).end().catch(ignore);
}

function ignore(): void {}
