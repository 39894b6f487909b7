import type { Queryable } from '../../db.ts';
import { StoreUnavailableError } from '../../errors.ts';
import { readServerState } from './server-history.ts';

/**
 * Called when connections reach a server with another history than before: a promoted standby, for
 * example. No call runs on it until this resolves. If it rejects, the call fails, and the next one
 * tries again.
 */
export type OnHistoryChanged = (history: string) => Promise<void>;

/**
 * Checks which server a new connection has reached. Rejects a standby, which a primary becomes after
 * a failover, and holds all calls back while the store is prepared for another history.
 */
export class ServerCheck {
  readonly #onHistoryChanged: OnHistoryChanged;
  /** The history that calls may use. */
  #history: string | null = null;
  #change: { history: string; accepted: Promise<void> } | null = null;

  constructor(onHistoryChanged: OnHistoryChanged) {
    this.#onHistoryChanged = onHistoryChanged;
  }

  /** Returns the history of the last checked connection; null before the first one. */
  get history(): string | null {
    return this.#history;
  }

  /**
   * Returns the history that the connection has reached; null if it is unknown. Throws
   * `StoreUnavailableError` if calls cannot use this connection.
   */
  async run(connection: Queryable): Promise<string | null> {
    const { isStandby, history } = await readServerState(connection);
    if (isStandby) {
      throw new StoreUnavailableError(
        'The database is unavailable: the server is a standby: DATABASE_URL must lead to the primary',
      );
    }
    if (history === null) return null;
    this.#history ??= history;
    if (history !== this.#history) await this.#accept(history);
    return history;
  }

  async #accept(history: string): Promise<void> {
    if (this.#change?.history !== history) {
      const accepted = this.#onHistoryChanged(history).then(() => {
        this.#history = history;
      });
      this.#change = { history, accepted };
      void accepted.catch(() => undefined).finally(() => (this.#change = null));
    }
    await this.#change.accepted;
  }
}
