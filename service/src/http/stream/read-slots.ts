/** Runs at most a given number of reads at the same time; the others wait in order. */
export class ReadSlots {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#max) await new Promise<void>((start) => this.#waiting.push(start));
    else this.#running += 1;
    try {
      return await read();
    } finally {
      // A waiting read takes over the slot.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
