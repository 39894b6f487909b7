import pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { createBackoff } from '../../../platform/backoff.ts';
import type { Queryable } from '../../db.ts';

/** The one channel of hints; migration 0018 has the triggers that tell on it. */
const CHANNEL = 'afterbell';
const RETRY_MS = { first: 1_000, max: 30_000 };
/** A connection that was cut without a word looks like one on which nothing happens. */
const PING_MS = 30_000;
const PING_MS_MAX = 10_000;

/** A connection that waits for hints. */
export interface Listening {
  /** Whether hints come now; while they do not, only polling tells what others did. */
  isOn(): boolean;
  stop(): Promise<void>;
}

/**
 * Hears what other processes tell as they commit, on a connection of its own. Hints only: one that is
 * lost costs the time until the next poll. After each connect `onConnected` is called, since what was
 * told before went unheard. A pooler that shares connections between statements lets none through.
 */
export function listenForHints(options: {
  url: string;
  clock: Clock;
  log: Log;
  onHint(text: string): void;
  onConnected(): void;
}): Listening {
  const { clock, log } = options;
  const stopping = new AbortController();
  let isOn = false;
  const trouble = createBackoff({
    clock,
    minMs: RETRY_MS.first,
    maxMs: RETRY_MS.max,
    log: (facts) => log.warn(facts, 'Hints of other processes cannot be heard; polling goes on.'),
  });
  const running = loop();

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await hear();
      } catch (error) {
        await clock.sleep(trouble.failed(error), stopping.signal);
      }
    }
  }

  /** Returns when told to stop; throws when the connection is gone. */
  async function hear(): Promise<void> {
    const client = newClient(options.url);
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ payload }) => options.onHint(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      isOn = true;
      trouble.succeeded();
      options.onConnected();
      const over = AbortSignal.any([lost.signal, stopping.signal]);
      while (!over.aborted) {
        await clock.sleep(PING_MS, over);
        if (!over.aborted) await client.query('select 1');
      }
      if (lost.signal.aborted) throw new Error('The connection for hints is gone.');
    } finally {
      isOn = false;
      await client.end().catch(ignore);
    }
  }

  return {
    isOn: () => isOn,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Tells all who listen on this store, once the transaction it is in has committed. */
export async function tellHint(db: Queryable, text: string): Promise<void> {
  // One row of nothing; the server keeps what it tells in memory.
  await db.query('select pg_notify($1, $2)', [CHANNEL, text]);
}

function newClient(url: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: 'afterbell hints',
    connectionTimeoutMillis: 5_000,
    query_timeout: PING_MS_MAX,
    keepAlive: true,
  });
}

function ignore(): void {}
