import type { Clock } from './clock.ts';
import type { Instant } from './instant.ts';

/** A difference below this is a matter of latency, rounding and drift. */
const DIFFERENCE_MS_MAX = 5 * 60_000;
/** Age from which a reading says nothing any more. */
const READING_MS_MAX = 60 * 60_000;
/** Dates of a running clock advance with ours, up to the latency. A date from a cache does not. */
const STEP_MS_MIN = 2_000;
const STEP_TOLERANCE_MS = 5_000;

interface Reading {
  date: Instant;
  atMs: number;
}

interface Server {
  /** The reading with which later ones are compared. */
  base: Reading;
  last: Reading;
  /** The last reading that advanced with our clock, so that it comes from a running clock. */
  running: Reading | null;
}

/**
 * `unsure` means that a date differs from our clock, and nothing shows yet whether it comes from a
 * running clock or from a cache.
 */
export type ClockVerdict = 'right' | 'wrong' | 'unsure';

/**
 * Judges our clock by the `Date` headers of several servers. Data from a clock that is ahead would
 * replace everything observed later, so it must not be stored.
 */
export class ServerClocks {
  readonly #clock: Clock;
  readonly #servers = new Map<string, Server>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes the date of a response and judges our clock. It is right if any server agrees. */
  judge(host: string, date: Instant): ClockVerdict {
    const reading = { date, atMs: this.#clock.monotonicMs() };
    const previous = this.#servers.get(host);
    const known = previous !== undefined && this.#isFresh(previous.last) ? previous : null;
    this.#servers.set(host, advance(known, reading));
    const servers = [...this.#servers.values()];
    const agrees = (each: Reading | null): boolean =>
      each !== null && this.#isFresh(each) && this.#differenceMs(each) <= DIFFERENCE_MS_MAX;
    if (servers.some(({ last, running }) => agrees(last) || agrees(running))) return 'right';
    if (servers.some(({ running }) => running !== null && this.#isFresh(running))) return 'wrong';
    return known === null || reading.atMs - known.base.atMs < STEP_MS_MIN ? 'unsure' : 'right';
  }

  #isFresh({ atMs }: Reading): boolean {
    return this.#clock.monotonicMs() - atMs < READING_MS_MAX;
  }

  /** Compares the present time of both clocks, as ours may have been set since the reading. */
  #differenceMs({ date, atMs }: Reading): number {
    return Math.abs(date + (this.#clock.monotonicMs() - atMs) - this.#clock.now());
  }
}

function advance(known: Server | null, reading: Reading): Server {
  if (known === null) return { base: reading, last: reading, running: null };
  const { base, running } = known;
  const step = reading.date - base.date;
  const elapsedMs = reading.atMs - base.atMs;
  if (elapsedMs < STEP_MS_MIN) return { base, last: reading, running };
  const isRunning = step >= STEP_MS_MIN && Math.abs(step - elapsedMs) <= STEP_TOLERANCE_MS;
  return { base: reading, last: reading, running: isRunning ? reading : running };
}
