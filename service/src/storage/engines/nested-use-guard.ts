import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Notices a query on the store from inside one of its own open transactions. Embedded it would
 * wait for itself for ever, on PostgreSQL it would run outside the transaction; it is refused on
 * both, so that a mistake shows on whichever engine a test runs.
 */
export class NestedUseGuard {
  #current = new AsyncLocalStorage<{ open: boolean }>();

  /** Runs the work of a transaction; inside it `refuse` throws until it has ended. */
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
    throw new Error('A transaction used the store itself; use the handle the transaction gives.');
  }
}
