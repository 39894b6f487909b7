import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import { forbiddenAddress, isInside, parseAddress } from './forbidden-address.ts';

/**
 * Exceptions to the URL rules: private addresses and ports on a developer's machine or network that
 * deliveries may reach.
 */
export interface DevAllow {
  /**
   * Returns true if deliveries may reach this address and port. Never returns true for the address
   * of a cloud metadata service.
   */
  allows(address: string, port: number): boolean;
  hasPort(port: number): boolean;
  isEmpty: boolean;
}

interface AllowedRange {
  range: readonly [IPv4 | IPv6, number];
  port: number;
}

/** Ranges in which development receivers may run. All other ranges are public or unassigned. */
const INSIDE = ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map(
  (cidr) => ipaddr.parseCIDR(cidr),
);
const PRIVATE_V6 = ipaddr.parseCIDR('fc00::/7');

/** The default for a public service. */
export const NO_DEV_ALLOW: DevAllow = {
  allows: () => false,
  hasPort: () => false,
  isEmpty: true,
};

/**
 * Parses items such as `127.0.0.1/32:3000`, `127.0.0.1:3000`, `[::1]:3000` and `::1/128:3000`.
 * Throws for any other form.
 */
export function devAllow(items: readonly string[]): DevAllow {
  const entries = items.map((item) => {
    const entry = parseEntry(item);
    if (entry === null) throw new RangeError(`not a private range and a port: ${item}`);
    return entry;
  });
  return {
    allows(address, port) {
      const parsed = parseAddress(address);
      if (parsed === null || forbiddenAddress(address) === 'metadata') return false;
      return entries.some((entry) => entry.port === port && isInside(parsed, entry.range));
    },
    hasPort: (port) => entries.some((entry) => entry.port === port),
    isEmpty: entries.length === 0,
  };
}

/**
 * Returns true if the text is an address range with a port, and the range lies within loopback or a
 * private range.
 */
export function isDevAllowEntry(item: string): boolean {
  return parseEntry(item) !== null;
}

function parseEntry(item: string): AllowedRange | null {
  const match = /^(?:\[([\d.:a-f]+)\]|([\d.:a-f]+))(?:\/(\d{1,3}))?:(\d{1,5})$/i.exec(item);
  if (match === null) return null;
  const [, bracketed, plain, bitsText, portText] = match;
  const address = parseAddress(bracketed ?? plain ?? '');
  const port = Number(portText);
  if (address === null || port < 1 || port > 65_535) return null;
  // Without brackets or a prefix length, the last group of an IPv6 address would be parsed as the
  // port.
  if (address.kind() === 'ipv6' && bracketed === undefined && bitsText === undefined) return null;
  const widest = address.kind() === 'ipv4' ? 32 : 128;
  const bits = bitsText === undefined ? widest : Number(bitsText);
  if (bits > widest) return null;
  const holder = [...INSIDE, PRIVATE_V6].find((range) => isInside(address, range));
  return holder === undefined || bits < holder[1] ? null : { range: [address, bits], port };
}
