import type { SharedDecision } from './shared-quota-store.ts';

type Receipt = SharedDecision['receipt'];

/** What is given back to customers, each after what was given back before. */
export interface Refunds {
  /** Resolves when all that is being given back is written; undefined when nothing is. */
  owed(customerId: string): Promise<void> | undefined;
  giveBack(customerId: string, receipt: Receipt): Promise<void>;
}

export function createRefunds(deps: {
  write(customerId: string, receipt: Receipt): Promise<void>;
  onWritten(customerId: string): void;
  onLost(error: unknown): void;
}): Refunds {
  const owed = new Map<string, Promise<void>>();

  async function giveBack(customerId: string, receipt: Receipt): Promise<void> {
    const earlier = owed.get(customerId);
    const written = write(customerId, receipt);
    const all = earlier === undefined ? written : earlier.then(() => written);
    owed.set(customerId, all);
    await all;
    if (owed.get(customerId) === all) owed.delete(customerId);
  }

  /** A refund that cannot be written is lost: the customer has one request less. */
  async function write(customerId: string, receipt: Receipt): Promise<void> {
    try {
      await deps.write(customerId, receipt);
      deps.onWritten(customerId);
    } catch (error) {
      deps.onLost(error);
    }
  }

  return { owed: (customerId) => owed.get(customerId), giveBack };
}
