import {
  createSourceClient,
  type FetchResult,
  type SourceClient,
  type SourceClientDeps,
  type SourceOptions,
  type SourceRequest,
} from './source-client.ts';
import type { Cooldown } from './source-cooldown.ts';

/**
 * The client for a source whose hosts belong to independent operators. Each host has its own rate
 * limit, cooldown and circuit breaker, so that one host that refuses does not stop the others.
 */
export class PerHostClient implements SourceClient {
  readonly #clients: ReadonlyMap<string, SourceClient>;
  #last: SourceClient | null = null;

  constructor(deps: SourceClientDeps, options: SourceOptions) {
    const { memory } = options;
    this.#clients = new Map(
      options.hosts.map(hostOf).map((host) => {
        const ofHost = memory === undefined ? {} : { memory: () => memory(host) };
        return [host, createSourceClient(deps, { ...options, ...ofHost })];
      }),
    );
  }

  async fetch(request: SourceRequest): Promise<FetchResult> {
    const { host } = new URL(request.url);
    const client = this.#clients.get(host);
    if (client === undefined) throw new RangeError(`${host} is not a listed host of the source`);
    this.#last = client;
    const result = await client.fetch(request);
    return result.kind === 'unavailable' ? { ...result, ...this.#scope() } : result;
  }

  /** Returns the cooldown that ends first if all hosts cool down, and null otherwise. */
  cooldown(): Cooldown | null {
    let first: Cooldown | null = null;
    for (const client of this.#clients.values()) {
      const cooldown = client.cooldown();
      if (cooldown === null) return null;
      if (first === null || cooldown.retryAt < first.retryAt) first = cooldown;
    }
    return first;
  }

  hostCooldowns(): ReadonlyMap<string, Cooldown> {
    return new Map(
      [...this.#clients].flatMap(([host, client]) => {
        const cooldown = client.cooldown();
        return cooldown === null ? [] : [[host, cooldown]];
      }),
    );
  }

  clockAheadMs(): number | null {
    return this.#last?.clockAheadMs?.() ?? null;
  }

  /** Starts the cooldown of the host that responded last. */
  refused(): Cooldown {
    const cooldown = this.#last?.refused?.();
    if (cooldown === undefined) throw new RangeError('no host has responded');
    return { ...cooldown, ...this.#scope() };
  }

  #scope(): { isHostOnly?: true } {
    return this.cooldown() === null ? { isHostOnly: true } : {};
  }
}

/** Returns the host of a list entry, which is a host name or an origin. */
function hostOf(entry: string): string {
  return entry.includes('://') ? new URL(entry).host : entry;
}
