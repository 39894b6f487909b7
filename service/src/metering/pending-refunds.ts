import type { Receipt } from '../domain/quota-window-use.ts';

interface RefundDeps {
  write(customerId: string, receipt: Receipt): Promise<void>;
  onWritten(customerId: string): void;
  onError(error: unknown): void;
}

/** Refunds that are being written. */
export class PendingRefunds {
  readonly #deps: RefundDeps;
  readonly #pending = new Map<string, Promise<void>>();

  constructor(deps: RefundDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves once all refunds for the customer have been written. Returns undefined if there are
   * none.
   */
  pending(customerId: string): Promise<void> | undefined {
    return this.#pending.get(customerId);
  }

  async add(customerId: string, receipt: Receipt): Promise<void> {
    const earlier = this.#pending.get(customerId);
    const written = this.#write(customerId, receipt);
    const all = earlier === undefined ? written : earlier.then(() => written);
    this.#pending.set(customerId, all);
    await all;
    if (this.#pending.get(customerId) === all) this.#pending.delete(customerId);
  }

  /** Writes a refund. If it cannot be written, it is lost and the customer has one request less. */
  async #write(customerId: string, receipt: Receipt): Promise<void> {
    try {
      await this.#deps.write(customerId, receipt);
      this.#deps.onWritten(customerId);
    } catch (error) {
      this.#deps.onError(error);
    }
  }
}
