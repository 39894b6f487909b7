import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Detects a call on the store inside one of its own open transactions. On the embedded store it
 * would deadlock, on PostgreSQL it would run outside the transaction. Both engines refuse it, so a
 * test finds the mistake on either.
 */
export class NestedUseGuard {
  #current = new AsyncLocalStorage<{ open: boolean }>();

  /** Runs the work of a transaction. `refuse` throws inside it until the transaction has ended. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const state = { open: true };
    try {
      return await this.#current.run(state, work);
    } finally {
      state.open = false;
    }
  }

  refuse(): void {
    if (this.#current.getStore()?.open !== true) return;
    throw new Error('A transaction called the store itself; use the handle of the transaction.');
  }
}
