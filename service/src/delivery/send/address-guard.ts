import { forbiddenAddress, parseAddress } from '../../webhooks/address/forbidden-address.ts';
import { isDenied, LOOPBACK, mayConnect, type UrlRules } from '../../webhooks/address/url-rules.ts';
import type { Clock } from '../../platform/clock.ts';
import { memoize } from '../../platform/memoize.ts';
import { AttemptError } from './attempt-error.ts';
import { Deadline, untilAborted } from './deadline.ts';
import { DNS_MS, DNS_TTL_MS_MAX } from './limits.ts';
import type { ResolvedAddress, Resolver } from './resolver.ts';

const CACHED_NAMES_MAX = 10_000;

interface CacheEntry {
  addresses: readonly string[];
  /** Expiry time, on the monotonic clock. */
  expiresMs: number;
}

interface GuardDeps {
  clock: Clock;
  resolver: Resolver;
  rules: UrlRules;
}

/** Resolves host names and blocks internal addresses (SSRF protection). */
export class AddressGuard {
  readonly #deps: GuardDeps;
  readonly #cache = new Map<string, CacheEntry>();
  readonly #lookups = new Map<string, Promise<readonly string[]>>();
  // Caches host names that need no DNS lookup, because parsing an address costs as much as a
  // signature and the rules never change.
  readonly #literal = memoize(addressesWithoutDns);
  readonly #isAllowed = memoize((addressAndPort: string) => {
    const [address = '', port] = addressAndPort.split(' ');
    return mayConnect(address, Number(port), this.#deps.rules);
  });

  constructor(deps: GuardDeps) {
    this.#deps = deps;
  }

  /**
   * Returns all addresses for a host in the resolver's order, IPv4 first. Rejects with
   * `AttemptError`: `blocked_address` if any of the addresses is forbidden, `dns` if there are
   * none.
   */
  async resolve(host: string, port: number): Promise<readonly string[]> {
    return (
      this.resolveCached(host, port) ?? this.#requireAllowed(host, port, await this.#lookUp(host))
    );
  }

  /**
   * Returns the same addresses as `resolve`, but never performs a DNS lookup. Returns null if a
   * lookup is needed. Throws the error with which `resolve` would reject.
   */
  resolveCached(host: string, port: number): readonly string[] | null {
    const literal = this.#literal(host);
    if (literal !== null) {
      return nonEmpty(literal.filter((address) => this.#isAllowed(`${address} ${port}`)));
    }
    const entry = this.#cache.get(host);
    if (entry === undefined || this.#deps.clock.monotonicMs() >= entry.expiresMs) return null;
    return this.#requireAllowed(host, port, entry.addresses);
  }

  #requireAllowed(host: string, port: number, addresses: readonly string[]): readonly string[] {
    for (const address of addresses) {
      if (!this.#isAllowed(`${address} ${port}`)) throw blocked(host, address, this.#deps.rules);
    }
    return nonEmpty(addresses);
  }

  /** Looks up a name. Concurrent callers with the same name share one lookup. */
  #lookUp(name: string): Promise<readonly string[]> {
    this.#cache.delete(name);
    const running = this.#lookups.get(name);
    if (running !== undefined) return running;
    const lookup = lookUp(this.#deps, name).then(({ addresses, ttlMs }) => {
      if (ttlMs > 0) this.#store(name, addresses, ttlMs);
      return addresses;
    });
    this.#lookups.set(name, lookup);
    const remove = (): void => void this.#lookups.delete(name);
    lookup.then(remove, remove);
    return lookup;
  }

  #store(name: string, addresses: readonly string[], ttlMs: number): void {
    this.#cache.set(name, { addresses, expiresMs: this.#deps.clock.monotonicMs() + ttlMs });
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > CACHED_NAMES_MAX && oldest !== undefined) this.#cache.delete(oldest);
  }
}

function addressesWithoutDns(host: string): readonly string[] | null {
  if (host === 'localhost') return LOOPBACK;
  return parseAddress(host) === null ? null : [host];
}

function nonEmpty(addresses: readonly string[]): readonly string[] {
  if (addresses.length === 0) throw new AttemptError('blocked_address', 'No address is allowed.');
  return addresses;
}

/**
 * The message leaves out the address and its class, because both would reveal details of the internal
 * network. Operators see the class in the metrics.
 */
function blocked(host: string, address: string, rules: UrlRules): AttemptError {
  const addressClass = isDenied(address, rules) ? 'denied' : forbiddenAddress(address);
  const detail = `${host} does not lead to a public address.`;
  return new AttemptError('blocked_address', detail, addressClass ?? undefined);
}

/**
 * Looks up both address families at the same time. One lookup may fail if the other finds
 * addresses.
 */
async function lookUp(
  { clock, resolver }: GuardDeps,
  name: string,
): Promise<{ addresses: readonly string[]; ttlMs: number }> {
  const deadline = new Deadline(clock, {
    ms: DNS_MS,
    expire: () => new AttemptError('dns', `The DNS lookup of ${name} timed out.`),
  });
  try {
    const lookups = ([4, 6] as const).map((family) =>
      untilAborted(resolver.resolve(name, family, deadline.signal), deadline.signal),
    );
    const results = await Promise.allSettled(lookups);
    const records = results.flatMap((result) =>
      result.status === 'fulfilled' ? result.value : [],
    );
    if (records.length > 0) return { addresses: records.map(canonical), ttlMs: ttlMsOf(records) };
    const failure = results.find((result) => result.status === 'rejected');
    if (failure === undefined) throw new AttemptError('dns', `${name} has no DNS address.`);
    throw dnsFailure(name, failure.reason);
  } finally {
    deadline.clear();
  }
}

function ttlMsOf(records: readonly ResolvedAddress[]): number {
  const ttls = records.map(({ ttlSeconds }) => Math.max(0, ttlSeconds) * 1000);
  return Math.min(DNS_TTL_MS_MAX, ...ttls);
}

/**
 * Normalizes the spelling of an address. Leaves an invalid address unchanged, because it is blocked
 * later.
 */
function canonical({ address }: ResolvedAddress): string {
  return parseAddress(address)?.toString() ?? address;
}

function dnsFailure(name: string, reason: unknown): AttemptError {
  if (reason instanceof AttemptError) return reason;
  const { code } = reason as { code?: unknown };
  const suffix = typeof code === 'string' ? ` (${code})` : '';
  return new AttemptError('dns', `The DNS lookup of ${name} failed${suffix}.`);
}
