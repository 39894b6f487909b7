import pg from 'pg';
import type { Clock, Timer } from '../../../platform/clock.ts';

/** A call that takes longer is no proof of anything, but reason to ask whether the server is there. */
const LONG_MS = 5_000;
const ANSWER_MS_MAX = 5_000;

export interface SilenceWatch {
  /** A call has begun on this connection; returns what is to be called when it has ended. */
  began(client: pg.ClientBase): () => void;
  stop(): void;
}

/**
 * A server that a network no longer reaches, or a machine that stands still, ends no connection: what
 * is under way on it would wait for a quarter of an hour, until the operating system gives up. So while
 * a call takes long, the server is asked for a sign of life on another connection, and when there is
 * none the connections of all such calls are cut; the calls then fail.
 */
export function watchForSilence({ url, clock }: { url: string; clock: Clock }): SilenceWatch {
  const running = new Map<pg.ClientBase, number>();
  let timer: Timer | null = null;
  let isStopped = false;

  async function look(): Promise<void> {
    const now = clock.monotonicMs();
    const long = Array.from(running).filter(([, sinceMs]) => now - sinceMs >= LONG_MS);
    if (long.length > 0 && !(await isThere(url))) {
      for (const [client, sinceMs] of long) if (running.get(client) === sinceMs) cut(client);
    }
    timer = null;
    if (running.size > 0) wait();
  }

  /** It outlasts calls that are soon over, so that these cost nothing. */
  function wait(): void {
    if (!isStopped) timer ??= clock.setTimer(LONG_MS, () => void look());
  }

  return {
    began(client) {
      running.set(client, clock.monotonicMs());
      wait();
      return () => void running.delete(client);
    },
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}

/** Whether anything answers, even if it is that it starts just now or lets nobody in. */
async function isThere(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'afterbell sign of life',
    connectionTimeoutMillis: ANSWER_MS_MAX,
    query_timeout: ANSWER_MS_MAX,
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
