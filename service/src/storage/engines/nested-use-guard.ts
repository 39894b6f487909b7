import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Detects a call on the store inside one of the store's own open transactions. On the embedded
 * store the call would deadlock; on PostgreSQL it would run outside the transaction. Both engines
 * reject it, so tests on either engine reveal the mistake.
 */
export class NestedUseGuard {
  #current = new AsyncLocalStorage<{ open: boolean }>();

  /**
   * Runs `work` as a transaction. Until the transaction ends, `refuse` throws when it is called
   * inside `work`.
   */
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
