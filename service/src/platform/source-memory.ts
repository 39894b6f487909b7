import type { Clock } from './clock.ts';
import type { Instant } from './instant.ts';
import type { RateLimiter, RequestBudget } from './rate-limiter.ts';
import type { SavedCooldown, SourceCooldown } from './source-cooldown.ts';

/** Requests and cooldown of a source, saved so that a restart does not forget them. */
export interface SourceState {
  /** Requests in the budget's window, by the minute in which they started. */
  requests: readonly { minute: Instant; count: number }[];
  /** Requests that may have started since. */
  reserved: number;
  cooldown: SavedCooldown | null;
}

/** Stores the state of one source, or of one of its hosts. */
export interface SourceMemory {
  /** Returns null if nothing was saved. */
  load(): Promise<SourceState | null>;
  save(state: SourceState): Promise<void>;
}

const MINUTE_MS = 60_000;
/** Requests that are recorded before they start. One write covers this many. */
const RESERVED = 5;

/**
 * Keeps the limits of one source across restarts. Requests are recorded before they start, so that a
 * process that dies forgets none of them: the next one counts a reserved request as started.
 */
export class SavedLimits {
  readonly #deps: SavedLimitsDeps;
  #isLoaded = false;
  #hasChanged = false;
  #reserved = 0;
  #saving: Promise<unknown> = Promise.resolve();

  constructor(deps: SavedLimitsDeps) {
    this.#deps = deps;
  }

  /** Restores the limits before the first request, and saves changes that are not saved yet. */
  async ready(): Promise<void> {
    const { memory } = this.#deps;
    if (memory === undefined) return;
    if (!this.#isLoaded) {
      this.#restore(await memory.load());
      this.#isLoaded = true;
    }
    if (this.#hasChanged) await this.save();
  }

  /** Records the next request. Call `started` when it starts. */
  async reserve(): Promise<void> {
    const { memory, budget } = this.#deps;
    if (memory === undefined || budget === undefined || this.#reserved > 0) return;
    this.#reserved = RESERVED;
    try {
      await this.save();
    } catch (error) {
      this.#reserved = 0;
      throw error;
    }
  }

  started(): void {
    this.#reserved = Math.max(0, this.#reserved - 1);
  }

  /** Saves the current limits. A change that cannot be saved is saved before the next request. */
  save(): Promise<void> {
    const { memory } = this.#deps;
    if (memory === undefined) return Promise.resolve();
    this.#hasChanged = true;
    const saved = this.#saving.then(async () => {
      await memory.save(this.#state());
      this.#hasChanged = false;
    });
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  #state(): SourceState {
    const { clock, rateLimiter, budget, cooldown } = this.#deps;
    const aheadMs = clock.now() - clock.monotonicMs();
    const windowStartMs = clock.monotonicMs() - (budget?.windowMs ?? 0);
    const minutes = rateLimiter
      .startsMs()
      .filter((startMs) => startMs > windowStartMs)
      .map((startMs) => Math.floor((startMs + aheadMs) / MINUTE_MS) * MINUTE_MS);
    const counts = Map.groupBy(minutes, (minute) => minute);
    return {
      requests: [...counts].map(([minute, { length: count }]) => ({ minute, count })),
      reserved: this.#reserved,
      cooldown: cooldown.toSaved(),
    };
  }

  #restore(state: SourceState | null): void {
    const { clock, rateLimiter, cooldown } = this.#deps;
    const [now, nowMs] = [clock.now(), clock.monotonicMs()];
    const { requests = [], reserved = 0 } = state ?? {};
    const startsMs = requests.flatMap(({ minute, count }) => {
      // Within its minute, each request may have started last. A minute ahead has a wrong clock.
      const startMs = nowMs - Math.max(0, now - (minute + MINUTE_MS));
      return Array.from({ length: count }, () => startMs);
    });
    startsMs.push(...Array.from({ length: reserved }, () => nowMs));
    rateLimiter.restore(startsMs);
    if (state?.cooldown) cooldown.restore(state.cooldown);
  }
}

interface SavedLimitsDeps {
  clock: Clock;
  /** Absent if nothing is saved. */
  memory: SourceMemory | undefined;
  rateLimiter: RateLimiter;
  budget: RequestBudget | undefined;
  cooldown: SourceCooldown;
}
