import type { Db } from '../../../src/storage/db.ts';
import { loadSourceData } from '../../../src/delivery/source-data.ts';
import { template } from '../../../src/webhooks/templates/earnings-schedule.ts';
import type { Receiver } from '../world/receiver.ts';
import { SYMBOLS } from '../world/companies.ts';

/** History of the stored data of each company. */
export interface States {
  /** Records the current data if it changed. */
  note(): Promise<void>;
  current(symbol: string): string | null;
  /** Called for each new id at a receiver: its data must not be older than the data before. */
  onFirst(receiver: Receiver, symbol: string, data: Record<string, unknown>): void;
}

export function createStates(
  { db, now }: { db: Db; now: () => number },
  report: (wrong: string) => void,
): States {
  const statesOf = new Map<string, (string | null)[]>(SYMBOLS.map((symbol) => [symbol, [null]]));
  const reached = new Map<string, number>();

  async function note(): Promise<void> {
    const wanted = SYMBOLS.map((symbol) => ({ template, symbol }));
    const dataOf = await loadSourceData(db, wanted, now());
    for (const one of wanted) {
      const states = statesOf.get(one.symbol) ?? [];
      const data = dataOf(one);
      if (states.at(-1) !== data) states.push(data);
    }
  }

  function onFirst(receiver: Receiver, symbol: string, data: Record<string, unknown>): void {
    const key = `${receiver.endpointId} ${symbol}`;
    const states = statesOf.get(symbol) ?? [];
    // A repeated state counts as its latest occurrence, which rules out false alarms.
    const place = states.lastIndexOf(JSON.stringify(data));
    if (place < 0) return report(`${key} was told what never stood: ${JSON.stringify(data)}`);
    const before = reached.get(key) ?? 0;
    if (place < before) report(`${key} went back from state ${before} to ${place}`);
    reached.set(key, Math.max(place, before));
  }

  return {
    note,
    current: (symbol) => statesOf.get(symbol)?.at(-1) ?? null,
    onFirst,
  };
}
