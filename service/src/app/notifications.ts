import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Shutdown } from '../platform/shutdown.ts';
import {
  listenForNotifications,
  sendNotification,
} from '../storage/engines/postgres/notifications.ts';
import type { Db } from '../storage/db.ts';

/** Wake-ups between the parts of one process, and between processes on one store. */
export interface Notifications {
  /** This process committed changes; cached responses of these topics are stale. */
  notifyCommitted(topics: ReadonlySet<string>): void;
  /** Deliveries may have become due; wakes webhook workers in every process. */
  notifyDeliveriesDue(): void;
  subscribe(listener: NotificationListener): void;
}

export interface NotificationListener {
  onCommitted?(topics: ReadonlySet<string>): void;
  /** Another process committed changes. */
  onCommitElsewhere?(): void;
  /** API keys, customers or plans changed. */
  onKeysChanged?(): void;
  onDeliveriesDue?(): void;
}

/**
 * Function calls within a process, LISTEN and NOTIFY between processes on one PostgreSQL. They only
 * save time: every listener also polls at least once a second.
 */
export function createNotifications(deps: {
  db: Db;
  clock: Clock;
  log: Log;
  shutdown: Pick<Shutdown, 'register'>;
  /** Null for the embedded store, which only one process opens. */
  databaseUrl: string | null;
}): Notifications {
  const { db, clock, log, shutdown, databaseUrl } = deps;
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
    subscribe: (listener) => void listeners.push(listener),
  };
}
