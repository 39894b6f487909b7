import pg from 'pg';
import { type Backoff, createBackoff } from '../../../platform/backoff.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Queryable } from '../../db.ts';
import { type Pooler, processId } from './connection-settings.ts';

/** The channel for all notifications. The triggers in migration 0018 use it too. */
const CHANNEL = 'afterbell';
const RETRY_MS = { min: 1_000, max: 30_000 };
/** Pings detect a connection that was dropped silently, which otherwise looks like an idle one. */
const PING_INTERVAL_MS = 30_000;
const PING_TIMEOUT_MS = 10_000;

export interface NotificationListener {
  /**
   * Returns false while notifications cannot arrive. Changes made by other processes are then found
   * only by polling.
   */
  isConnected(): boolean;
  stop(): Promise<void>;
}

interface ListenOptions {
  url: string;
  pooler: Pooler;
  clock: Clock;
  log: Log;
  onNotification(text: string): void;
  onConnected(): void;
}

/**
 * Receives notifications from other processes (LISTEN) on a dedicated connection. A notification is
 * only a wake-up, so a lost one merely delays work until the next poll. `onConnected` runs after
 * every connect, because notifications sent before it were missed.
 *
 * A pooler may share the connection to the server with other clients, which LISTEN would disturb,
 * and passes no notifications on. Once one is recognized, nothing listens any more.
 */
export function listenForNotifications(options: ListenOptions): NotificationListener {
  return new PostgresListener(options);
}

class PostgresListener implements NotificationListener {
  readonly #options: ListenOptions;
  readonly #backoff: Backoff;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #isConnected = false;

  constructor(options: ListenOptions) {
    const { clock, log } = options;
    this.#options = options;
    this.#backoff = createBackoff({
      clock,
      minMs: RETRY_MS.min,
      maxMs: RETRY_MS.max,
      log: (fields) =>
        log.warn(
          { ...fields, event: 'store.notifications_unavailable' },
          'notifications are unavailable, polling instead',
        ),
    });
    this.#running = this.#run();
  }

  isConnected(): boolean {
    return this.#isConnected;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    if (this.#options.pooler === 'transaction') return;
    while (!signal.aborted) {
      try {
        if ((await this.#listen()) === 'pooled') return;
      } catch (error) {
        await this.#options.clock.sleep(this.#backoff.failed(error), signal);
      }
    }
  }

  /** Listens until `stop` is called, or a pooler is found. Throws if the connection is lost. */
  async #listen(): Promise<'stopped' | 'pooled'> {
    const { url, clock, onNotification, onConnected } = this.#options;
    const client = newClient(url);
    const connectionLost = new AbortController();
    client.on('error', () => connectionLost.abort());
    client.on('end', () => connectionLost.abort());
    client.on('notification', ({ payload }) => onNotification(payload ?? ''));
    try {
      await client.connect();
      if (this.#options.pooler === 'auto' && (await isPooled(client))) {
        this.#options.log.info(
          { event: 'store.pooler_found' },
          'a connection pooler is in front of the database: settings are sent with each ' +
            'transaction, and changes by other processes are found by polling',
        );
        return 'pooled';
      }
      await client.query(`listen ${CHANNEL}`);
      this.#isConnected = true;
      this.#backoff.succeeded();
      onConnected();
      const ended = AbortSignal.any([connectionLost.signal, this.#stopping.signal]);
      while (!ended.aborted) {
        await clock.sleep(PING_INTERVAL_MS, ended);
        if (!ended.aborted) await client.query('select 1');
      }
      if (connectionLost.signal.aborted)
        throw new Error('The connection for notifications was lost.');
      return 'stopped';
    } finally {
      this.#isConnected = false;
      await client.end().catch(ignore);
    }
  }
}

async function isPooled(client: pg.Client): Promise<boolean> {
  // Returns one row.
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid !== processId(client);
}

/** Notifies all listeners on this store once the surrounding transaction commits. */
export async function sendNotification(db: Queryable, text: string): Promise<void> {
  // Returns one empty row.
  await db.query('select pg_notify($1, $2)', [CHANNEL, text]);
}

function newClient(url: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: 'afterbell notifications',
    connectionTimeoutMillis: 5_000,
    query_timeout: PING_TIMEOUT_MS,
    keepAlive: true,
  });
}

function ignore(): void {}
