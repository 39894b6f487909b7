import { LOOPBACK, mayConnect, type UrlRules } from '../../webhooks/address/url-rules.ts';
import { forbiddenAddress, parseAddress } from '../../webhooks/address/forbidden-address.ts';
import type { Clock } from '../../platform/clock.ts';
import { AttemptError } from './attempt-error.ts';
import { startDeadline, untilAborted } from './deadline.ts';
import { DNS_MS, VET_MS_MAX } from './limits.ts';
import { memoize } from '../../platform/memoize.ts';
import type { ResolvedAddress, Resolver } from './resolver.ts';

export interface AddressGuard {
  /**
   * The addresses to which a delivery may connect now: all of the name's, in the resolver's order,
   * IPv4 first. Rejects with `AttemptFailed`: `blocked_address` when any of them is forbidden,
   * `dns` when there are none.
   */
  resolve(host: string, port: number): Promise<readonly string[]>;
  /** The same at once where the resolver need not be asked, throwing as `vet` rejects; else null. */
  resolveCached(host: string, port: number): readonly string[] | null;
}

interface Known {
  addresses: readonly string[];
  /** On the monotonic clock. */
  untilMs: number;
}

const NAMES_MAX = 10_000;

export function createAddressGuard(deps: {
  clock: Clock;
  resolver: Resolver;
  rules: UrlRules;
}): AddressGuard {
  const { clock, rules } = deps;
  const resolveCached = new Map<string, Known>();
  // The rules never change while the process runs, and reading an address costs as much as signing.
  const literal = memoize(withoutAsking);
  const isOpen = memoize((place: string) => {
    const [address = '', port] = place.split(' ');
    return mayConnect(address, Number(port), rules);
  });
  const asked = new Map<string, Promise<readonly string[]>>();

  /** Those who ask for the same name at the same time share one look-up. */
  function resolve(name: string): Promise<readonly string[]> {
    resolveCached.delete(name);
    const running = asked.get(name);
    if (running !== undefined) return running;
    const lookup = lookUp(deps, name).then(({ addresses, holdsMs }) => {
      if (holdsMs > 0) remember(name, { addresses, untilMs: clock.monotonicMs() + holdsMs });
      return addresses;
    });
    asked.set(name, lookup);
    const forget = (): void => void asked.delete(name);
    lookup.then(forget, forget);
    return lookup;
  }

  function remember(name: string, entry: Known): void {
    resolveCached.set(name, entry);
    const [oldest] = resolveCached.keys();
    if (resolveCached.size > NAMES_MAX && oldest !== undefined) resolveCached.delete(oldest);
  }

  function knownOf(host: string, port: number): readonly string[] | null {
    const own = literal(host);
    if (own !== null) return vetted(own.filter((it) => isOpen(`${it} ${port}`)));
    const current = resolveCached.get(host);
    if (current === undefined || clock.monotonicMs() >= current.untilMs) return null;
    return allOpen(host, port, current.addresses);
  }

  function allOpen(host: string, port: number, addresses: readonly string[]): readonly string[] {
    for (const address of addresses) {
      if (!isOpen(`${address} ${port}`)) throw blocked(host, address);
    }
    return vetted(addresses);
  }

  return {
    async resolve(host, port) {
      return knownOf(host, port) ?? allOpen(host, port, await resolve(host));
    },
    resolveCached: knownOf,
  };
}

function withoutAsking(host: string): readonly string[] | null {
  if (host === 'localhost') return LOOPBACK;
  return parseAddress(host) === null ? null : [host];
}

function vetted(addresses: readonly string[]): readonly string[] {
  if (addresses.length === 0) throw new AttemptError('blocked_address', 'No address is allowed.');
  return addresses;
}

function blocked(host: string, address: string): AttemptError {
  const kind = forbiddenAddress(address);
  // The address itself stays out: what a name means inside is nobody's business outside.
  const detail = `${host} leads to an address that is not public (${kind ?? 'port'}).`;
  return new AttemptError('blocked_address', detail, kind ?? undefined);
}

interface LookedUp {
  addresses: readonly string[];
  holdsMs: number;
}

/** Asks for both families at once; one of them may fail when the other has addresses. */
async function lookUp(
  { clock, resolver }: { clock: Clock; resolver: Resolver },
  name: string,
): Promise<LookedUp> {
  const limit = startDeadline(clock, {
    ms: DNS_MS,
    expire: () => new AttemptError('dns', `DNS did not answer for ${name} in time.`),
  });
  try {
    const families = ([4, 6] as const).map((family) =>
      untilAborted(resolver.resolve(name, family, limit.signal), limit.signal),
    );
    const answers = await Promise.allSettled(families);
    const found = answers.flatMap((it) => (it.status === 'fulfilled' ? it.value : []));
    if (found.length > 0) return { addresses: found.map(canonical), holdsMs: holdsMs(found) };
    const failure = answers.find((it) => it.status === 'rejected');
    if (failure === undefined) throw new AttemptError('dns', `DNS has no address of ${name}.`);
    throw dnsFailure(name, failure.reason);
  } finally {
    limit.clear();
  }
}

function holdsMs(found: readonly ResolvedAddress[]): number {
  return Math.min(VET_MS_MAX, ...found.map(({ ttlSeconds }) => Math.max(0, ttlSeconds) * 1000));
}

/** One spelling for each address; what is none stays as it is, to be refused. */
function canonical({ address }: ResolvedAddress): string {
  return parseAddress(address)?.toString() ?? address;
}

function dnsFailure(name: string, reason: unknown): AttemptError {
  if (reason instanceof AttemptError) return reason;
  const { code } = reason as { code?: unknown };
  const shown = typeof code === 'string' ? ` (${code})` : '';
  return new AttemptError('dns', `DNS gave no answer for ${name}${shown}.`);
}
