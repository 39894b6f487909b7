import type { Db } from '../../../src/storage/db.ts';
import { loadSourceData } from '../../../src/delivery/source-data.ts';
import { template } from '../../../src/webhooks/templates/earnings-schedule.ts';
import type { Receiver } from '../world/receiver.ts';
import { SYMBOLS } from '../world/companies.ts';

/** Records each company's stored data over time, and checks the order in which receivers see it. */
export class StoreHistory {
  readonly #db: Db;
  readonly #now: () => number;
  readonly #report: (violation: string) => void;
  readonly #states = new Map<string, (string | null)[]>(SYMBOLS.map((symbol) => [symbol, [null]]));
  readonly #reachedIndex = new Map<string, number>();

  constructor({ db, now }: { db: Db; now: () => number }, report: (violation: string) => void) {
    this.#db = db;
    this.#now = now;
    this.#report = report;
  }

  current(symbol: string): string | null {
    return this.#states.get(symbol)?.at(-1) ?? null;
  }

  /** Records each company's current data if it has changed. */
  async record(): Promise<void> {
    const sources = SYMBOLS.map((symbol) => ({ template, symbol }));
    const dataOf = await loadSourceData(this.#db, sources, this.#now());
    for (const source of sources) {
      const states = this.#states.get(source.symbol) ?? [];
      const data = dataOf(source);
      if (states.at(-1) !== data) states.push(data);
    }
  }

  /**
   * Called for each new id at a receiver. Its data must not be older than the receiver's previous
   * data.
   */
  checkOrder(receiver: Receiver, symbol: string, data: Record<string, unknown>): void {
    const key = `${receiver.endpointId} ${symbol}`;
    const states = this.#states.get(symbol) ?? [];
    // A repeated state is treated as its latest occurrence, which rules out false alarms.
    const index = states.lastIndexOf(JSON.stringify(data));
    if (index < 0) {
      return this.#report(`${key} received data that was never stored: ${JSON.stringify(data)}`);
    }
    const before = this.#reachedIndex.get(key) ?? 0;
    if (index < before) this.#report(`${key} went back from state ${before} to ${index}`);
    this.#reachedIndex.set(key, Math.max(index, before));
  }
}
