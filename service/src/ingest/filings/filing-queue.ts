import type { SeenFiling } from '../../datasets/filings/store.ts';
import type { Clock } from '../../platform/clock.ts';

interface Entry {
  filing: SeenFiling;
  tries: number;
  readyAtMs: number;
}

const WAIT_MS_MAX = 3_600_000;
/** A page can be listed before its documents are there, so the first retries come soon. */
const RETRIES_MS = [3_000, 10_000, 60_000, 5 * 60_000, 30 * 60_000];

/** Filings whose documents are to be read: live ones before older ones, the newest first. */
export class FilingQueue {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  readonly #inProgress = new Set<string>();
  readonly #waiting = new Set<AbortController>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(filing: SeenFiling, tries = 0, delayMs = 0): void {
    const readyAtMs = this.#clock.monotonicMs() + delayMs;
    this.#entries.set(filing.accession, { filing, tries, readyAtMs });
    this.#wake();
  }

  /** Takes the filing that goes first, once one is ready; null if the signal aborts. */
  async take(signal: AbortSignal): Promise<Entry | null> {
    while (!signal.aborted) {
      const [first] = this.#ready().toSorted(compareEntries);
      if (first !== undefined) {
        this.#entries.delete(first.filing.accession);
        if (first.filing.isLive) this.#inProgress.add(first.filing.accession);
        return first;
      }
      const readyAtMs = Math.min(...[...this.#entries.values()].map((entry) => entry.readyAtMs));
      await this.#change(signal, readyAtMs - this.#clock.monotonicMs());
    }
    return null;
  }

  finish({ filing }: Entry): void {
    this.#inProgress.delete(filing.accession);
    this.#wake();
  }

  /** Resolves when no live filing is being read or ready to be, or after a while. */
  async waitUntilIdle(signal: AbortSignal | undefined, waitMsMax: number): Promise<void> {
    const untilMs = this.#clock.monotonicMs() + waitMsMax;
    while (this.#hasLiveWork() && !signal?.aborted) {
      const waitMs = untilMs - this.#clock.monotonicMs();
      if (waitMs <= 0) return;
      await this.#change(signal, waitMs);
    }
  }

  /** Resolves at the next change of the queue, or after a while. */
  async #change(signal: AbortSignal | undefined, waitMs: number): Promise<void> {
    const change = new AbortController();
    this.#waiting.add(change);
    const either = signal === undefined ? change.signal : AbortSignal.any([signal, change.signal]);
    await this.#clock.sleep(Math.min(waitMs, WAIT_MS_MAX), either);
    this.#waiting.delete(change);
  }

  #wake(): void {
    for (const change of this.#waiting) change.abort();
  }

  /** Puts a filing back for later. Returns false if it was tried too often. */
  retry({ filing, tries }: Entry): boolean {
    const delayMs = RETRIES_MS[tries];
    if (delayMs === undefined) return false;
    this.add(filing, tries + 1, delayMs);
    return true;
  }

  #hasLiveWork(): boolean {
    return this.#inProgress.size > 0 || this.#ready().some(({ filing }) => filing.isLive);
  }

  #ready(): Entry[] {
    const nowMs = this.#clock.monotonicMs();
    return [...this.#entries.values()].filter(({ readyAtMs }) => readyAtMs <= nowMs);
  }
}

function compareEntries({ filing: a }: Entry, { filing: b }: Entry): number {
  return (
    Number(b.isLive) - Number(a.isLive) ||
    (b.acceptedAt ?? 0) - (a.acceptedAt ?? 0) ||
    (a.accession < b.accession ? 1 : -1)
  );
}
