import pg from 'pg';
import type { Clock, Timer } from '../../../platform/clock.ts';

/** A call that takes longer is no proof of anything, but reason to ask whether the server is there. */
const SLOW_CALL_MS = 5_000;
const PROBE_TIMEOUT_MS = 5_000;

export interface HangWatch {
  /** A call has begun on this connection; returns what is to be called when it has ended. */
  callStarted(client: pg.ClientBase): () => void;
  stop(): void;
}

/**
 * A server that a network no longer reaches, or a machine that stands still, ends no connection: what
 * is under way on it would wait for a quarter of an hour, until the operating system gives up. So while
 * a call takes long, the server is asked for a sign of life on another connection, and when there is
 * none the connections of all such calls are cut; the calls then fail.
 */
export function watchForHangs({ url, clock }: { url: string; clock: Clock }): HangWatch {
  const running = new Map<pg.ClientBase, number>();
  let timer: Timer | null = null;
  let isStopped = false;

  async function check(): Promise<void> {
    const now = clock.monotonicMs();
    const slowCalls = Array.from(running).filter(([, sinceMs]) => now - sinceMs >= SLOW_CALL_MS);
    if (slowCalls.length > 0 && !(await isReachable(url))) {
      for (const [client, sinceMs] of slowCalls) if (running.get(client) === sinceMs) cut(client);
    }
    timer = null;
    if (running.size > 0) scheduleCheck();
  }

  /** It outlasts calls that are soon over, so that these cost nothing. */
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

/** Whether anything answers, even if it is that it starts just now or lets nobody in. */
async function isReachable(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'afterbell sign of life',
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  });
  client.on('error', ignore);
  try {
    await client.connect();
    // One row of nothing.
    await client.query('select 1');
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    cut(client);
  }
}

/** With a call under way the driver breaks the connection instead of taking leave. */
function cut(client: pg.ClientBase): void {
  (client as pg.Client).end().catch(ignore);
}

function ignore(): void {}
