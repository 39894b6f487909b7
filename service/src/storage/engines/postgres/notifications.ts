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
export interface NotificationListener {
  /** Whether hints come now; while they do not, only polling tells what others did. */
  isConnected(): boolean;
  stop(): Promise<void>;
}

/**
 * Hears what other processes tell as they commit, on a connection of its own. Hints only: one that is
 * lost costs the time until the next poll. After each connect `onConnected` is called, since what was
 * told before went unheard. A pooler that shares connections between statements lets none through.
 */
export function listenForNotifications(options: {
  url: string;
  clock: Clock;
  log: Log;
  onNotification(text: string): void;
  onConnected(): void;
}): NotificationListener {
  const { clock, log } = options;
  const stopping = new AbortController();
  let isConnected = false;
  const backoff = createBackoff({
    clock,
    minMs: RETRY_MS.first,
    maxMs: RETRY_MS.max,
    log: (facts) => log.warn(facts, 'Hints of other processes cannot be heard; polling goes on.'),
  });
  const running = loop();

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await listenOnce();
      } catch (error) {
        await clock.sleep(backoff.failed(error), stopping.signal);
      }
    }
  }

  /** Returns when told to stop; throws when the connection is gone. */
  async function listenOnce(): Promise<void> {
    const client = newClient(options.url);
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ payload }) => options.onNotification(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      isConnected = true;
      backoff.succeeded();
      options.onConnected();
      const ended = AbortSignal.any([lost.signal, stopping.signal]);
      while (!ended.aborted) {
        await clock.sleep(PING_MS, ended);
        if (!ended.aborted) await client.query('select 1');
      }
      if (lost.signal.aborted) throw new Error('The connection for hints is gone.');
    } finally {
      isConnected = false;
      await client.end().catch(ignore);
    }
  }

  return {
    isConnected: () => isConnected,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Tells all who listen on this store, once the transaction it is in has committed. */
export async function sendNotification(db: Queryable, text: string): Promise<void> {
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
