import { Resolver as DnsResolver } from 'node:dns/promises';

/** Resolves host names through DNS, one address family at a time. */
export interface Resolver {
  /**
   * Returns the addresses, or an empty list if the name has none. Rejects if the lookup fails, or
   * soon after an abort.
   */
  resolve(name: string, family: 4 | 6, signal: AbortSignal): Promise<readonly ResolvedAddress[]>;
}

export interface ResolvedAddress {
  address: string;
  ttlSeconds: number;
}

/**
 * Creates a resolver that uses the system's DNS servers, or the given ones (`127.0.0.1:5353`).
 * Ignores the system's hosts file and search domains.
 */
export function systemResolver(options: { servers?: readonly string[] } = {}): Resolver {
  return {
    async resolve(name, family, signal) {
      // Creates a new resolver per lookup, because `cancel` ends all lookups of a resolver and a
      // shared resolver would cache answers.
      const resolver = new DnsResolver({ timeout: 1_500, tries: 3 });
      if (options.servers !== undefined) resolver.setServers(options.servers);
      const cancel = (): void => resolver.cancel();
      signal.addEventListener('abort', cancel);
      try {
        const records = await (family === 4
          ? resolver.resolve4(name, { ttl: true })
          : resolver.resolve6(name, { ttl: true }));
        return records.map(({ address, ttl }) => ({ address, ttlSeconds: ttl }));
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (code === 'ENODATA' || code === 'ENOTFOUND') return [];
        throw error;
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
  };
}
