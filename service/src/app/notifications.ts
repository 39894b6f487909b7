import type { Topic } from '../datasets/topics.gen.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Shutdown } from '../platform/shutdown.ts';
import {
  listenForNotifications,
  sendNotification,
} from '../storage/engines/postgres/notifications.ts';
import type { Pooler } from '../storage/engines/postgres/connection-settings.ts';
import type { Db } from '../storage/db.ts';

/** Notifies the parts of one process, and other processes on the same store, about changes. */
export interface Notifications {
  /**
   * Called after this process has committed changes. Cached responses for these topics are stale.
   */
  notifyCommitted(topics: ReadonlySet<Topic>): void;
  /** Called when deliveries may have become due. Wakes webhook workers in every process. */
  notifyDeliveriesDue(): void;
  /** Called after a failover. Data that this process has read before may have been lost. */
  notifyHistoryChanged(): void;
  subscribe(listener: NotificationListener): void;
}

export interface NotificationListener {
  onCommitted?(topics: ReadonlySet<Topic>): void;
  /** Called when another process has committed changes. */
  onCommitElsewhere?(): void;
  /** Called when API keys, customers or plans have changed. */
  onKeysChanged?(): void;
  onDeliveriesDue?(): void;
  /** Called after a failover. Data that was read before may have been lost. */
  onHistoryChanged?(): void;
}

/**
 * Creates notifications that use function calls within a process, and LISTEN and NOTIFY between
 * processes on one PostgreSQL database. They only reduce delays: every listener also polls at least
 * once a second.
 */
export function createNotifications(deps: {
  db: Db;
  clock: Clock;
  log: Log;
  shutdown: Pick<Shutdown, 'register'>;
  /** Null for the embedded store, which only one process can open. */
  databaseUrl: string | null;
  pooler: Pooler;
}): Notifications {
  const { db, clock, log, shutdown, databaseUrl, pooler } = deps;
  const listeners: NotificationListener[] = [];
  const notify = (call: (listener: NotificationListener) => void): void => listeners.forEach(call);

  function receive(text: string): void {
    if (text === 'commit') notify((listener) => listener.onCommitElsewhere?.());
    else if (text === 'keys') notify((listener) => listener.onKeysChanged?.());
    else if (text === 'deliveries') notify((listener) => listener.onDeliveriesDue?.());
  }

  if (databaseUrl !== null) {
    const onConnected = (): void => ['commit', 'keys', 'deliveries'].forEach(receive);
    const connection = listenForNotifications({
      url: databaseUrl,
      pooler,
      clock,
      log,
      onConnected,
      onNotification: receive,
    });
    shutdown.register('notifications', () => connection.stop());
  }
  return {
    notifyCommitted: (topics) => notify((listener) => listener.onCommitted?.(topics)),
    notifyDeliveriesDue() {
      notify((listener) => listener.onDeliveriesDue?.());
      // If the store is unavailable, the next poll finds the deliveries.
      if (databaseUrl !== null) sendNotification(db, 'deliveries').catch(() => undefined);
    },
    notifyHistoryChanged: () => notify((listener) => listener.onHistoryChanged?.()),
    subscribe: (listener) => void listeners.push(listener),
  };
}
