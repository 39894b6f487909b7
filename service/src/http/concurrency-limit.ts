/** Limits how many operations run at the same time for each key, such as a customer. */
export class ConcurrencyLimit {
  readonly #max: number;
  readonly #running = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Reserves a slot for the key. Returns a function that releases the slot, or null if all slots
   * for the key are taken.
   */
  acquire(key: string): (() => void) | null {
    const running = this.#running.get(key) ?? 0;
    if (running >= this.#max) return null;
    this.#running.set(key, running + 1);
    return () => this.#release(key);
  }

  #release(key: string): void {
    const running = (this.#running.get(key) ?? 1) - 1;
    if (running === 0) this.#running.delete(key);
    else this.#running.set(key, running);
  }
}
