import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Text that isn't an address is truncated to this length. */
const TEXT_LENGTH_MAX = 64;

/**
 * Returns the address or network by which a client is rate-limited: an IPv4 address, or the /64
 * network of an IPv6 address, because one subscriber has 2^64 IPv6 addresses. IPv4-mapped IPv6
 * addresses are treated as IPv4.
 */
export function networkAddress(address: string): string {
  const unscoped = address.split('%', 1)[0] ?? '';
  if (isIP(unscoped) === 0) return address.slice(0, TEXT_LENGTH_MAX);
  const parsed = ipaddr.process(unscoped);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
