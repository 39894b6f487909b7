import { Resolver as DnsResolver } from 'node:dns/promises';

/** Asks the DNS for the addresses of a name, of one family at a time. */
export interface Resolver {
  /** Empty when the name has none. Rejects when nobody knows, at latest soon after an abort. */
  resolve(name: string, family: 4 | 6, signal: AbortSignal): Promise<readonly ResolvedAddress[]>;
}

export interface ResolvedAddress {
  address: string;
  ttlSeconds: number;
}

/**
 * Asks the servers that the system names, or others (`127.0.0.1:5353`). The names of the system's
 * own file of hosts and its search domains have no say.
 */
export function systemResolver(options: { servers?: readonly string[] } = {}): Resolver {
  return {
    async resolve(name, family, signal) {
      // A new one each time: it keeps answers, and cancelling ends all it was asked.
      const resolver = new DnsResolver({ timeout: 1_500, tries: 3 });
      if (options.servers !== undefined) resolver.setServers(options.servers);
      const cancel = (): void => resolver.cancel();
      signal.addEventListener('abort', cancel);
      try {
        const found = await (family === 4
          ? resolver.resolve4(name, { ttl: true })
          : resolver.resolve6(name, { ttl: true }));
        return found.map(({ address, ttl }) => ({ address, ttlSeconds: ttl }));
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
