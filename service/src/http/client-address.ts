import { BlockList, isIP } from 'node:net';

/** Proxies whose `X-Forwarded-For` header is trusted. */
export interface TrustedProxies {
  trusts(address: string): boolean;
  /**
   * Returns the last address in the `X-Forwarded-For` chain that was not added by a trusted proxy.
   * Without trusted proxies, returns the socket address and ignores the header.
   */
  clientAddress(socketAddress: string, forwardedFor: string | string[] | undefined): string;
}

/**
 * Parses a list of IP addresses and CIDR blocks, such as `::1` or `10.0.0.0/8`. Throws a RangeError
 * if an entry is neither.
 */
export function trustedProxies(list: readonly string[]): TrustedProxies {
  const blocks = new BlockList();
  for (const entry of list) addTo(blocks, entry);
  const hasNoProxies = list.length === 0;

  function trusts(address: string): boolean {
    const ipAddress = normalizeIp(address);
    const version = isIP(ipAddress);
    return version !== 0 && blocks.check(ipAddress, version === 6 ? 'ipv6' : 'ipv4');
  }

  function clientAddress(
    socketAddress: string,
    forwardedFor: string | string[] | undefined,
  ): string {
    if (hasNoProxies || forwardedFor === undefined) return normalizeIp(socketAddress);
    const chain = String(forwardedFor).split(',').reverse();
    let address = normalizeIp(socketAddress);
    for (const entry of chain) {
      const next = normalizeIp(withoutPort(entry.trim()));
      if (!trusts(address) || isIP(next) === 0) break;
      address = next;
    }
    return address;
  }

  return { trusts, clientAddress };
}

function addTo(blocks: BlockList, entry: string): void {
  const [address = '', prefixLength, ...rest] = entry.trim().split('/');
  const version = isIP(address);
  const family = version === 6 ? 'ipv6' : 'ipv4';
  const isNumber = prefixLength === undefined || /^\d{1,3}$/.test(prefixLength);
  if (version === 0 || !isNumber || rest.length > 0) {
    throw new RangeError(`not an IP address or CIDR block: ${entry}`);
  }
  if (prefixLength === undefined) blocks.addAddress(address, family);
  else blocks.addSubnet(address, Number(prefixLength), family);
}

/** Some proxies append the client's port, as in `198.51.100.4:5001` or `[2001:db8::7]:5001`. */
function withoutPort(entry: string): string {
  const match = /^(?:([\d.]+):\d{1,5}|\[([^\]]*)\](?::\d{1,5})?)$/.exec(entry);
  return match?.[1] ?? match?.[2] ?? entry;
}

/** Normalizes an IPv4-mapped IPv6 address to IPv4. */
function normalizeIp(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
