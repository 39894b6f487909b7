import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Shutdown } from '../platform/shutdown.ts';
import { listenForHints, tellHint } from '../storage/engines/postgres/listen.ts';
import type { Db } from '../storage/db.ts';

/** What the parts of one process, and of all on one store, tell each other so that nobody waits. */
export interface Notifications {
  /** This process has committed: which topics are stale is known here at once. */
  notifyCommitted(topics: ReadonlySet<string>): void;
  /** Something may be due that was committed here: to whom sends, in whatever process. */
  notifyDeliveriesDue(): void;
  subscribe(listener: NotificationListener): void;
}

export interface NotificationListener {
  onCommitted?(topics: ReadonlySet<string>): void;
  /** Somebody on this store has committed changes or stale topics. */
  onCommitElsewhere?(): void;
  /** Keys, customers or plans are others. */
  onKeysChanged?(): void;
  onDeliveriesDue?(): void;
}

/**
 * In one process a call; among processes on one PostgreSQL LISTEN and NOTIFY. Nothing depends on
 * them: every listener polls besides, each second at least.
 */
export function createNotifications(deps: {
  db: Db;
  clock: Clock;
  log: Log;
  shutdown: Pick<Shutdown, 'register'>;
  /** Null on the embedded store, which one process has for itself. */
  databaseUrl: string | null;
}): Notifications {
  const { db, clock, log, shutdown, databaseUrl } = deps;
  const listeners: NotificationListener[] = [];
  const notify = (what: (listener: NotificationListener) => void): void => listeners.forEach(what);

  function receive(text: string): void {
    if (text === 'commit') notify((listener) => listener.onCommitElsewhere?.());
    else if (text === 'keys') notify((listener) => listener.onKeysChanged?.());
    else if (text === 'deliveries') notify((listener) => listener.onDeliveriesDue?.());
  }

  if (databaseUrl !== null) {
    const onConnected = (): void => ['commit', 'keys', 'deliveries'].forEach(receive);
    const connection = listenForHints({
      url: databaseUrl,
      clock,
      log,
      onConnected,
      onHint: receive,
    });
    shutdown.register('hints', () => connection.stop());
  }
  return {
    notifyCommitted: (topics) => notify((listener) => listener.onCommitted?.(topics)),
    notifyDeliveriesDue() {
      notify((listener) => listener.onDeliveriesDue?.());
      // Lost with the store's absence, it is found by the next poll.
      if (databaseUrl !== null) tellHint(db, 'deliveries').catch(() => undefined);
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}
