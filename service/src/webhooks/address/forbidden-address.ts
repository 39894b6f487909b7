import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** The reason an address is blocked, as shown in metrics and the delivery log. */
export type AddressClass =
  | 'this-network'
  | 'private'
  | 'carrier'
  | 'loopback'
  | 'link-local'
  | 'metadata'
  | 'reserved'
  | 'documentation'
  | 'relay'
  | 'benchmark'
  | 'multicast'
  | 'not-global'
  | 'denied'
  | 'not-an-address';

/** The first range that contains the address determines its class. */
const FORBIDDEN_V4: readonly (readonly [string, AddressClass])[] = [
  ['169.254.169.254/32', 'metadata'],
  ['169.254.170.2/32', 'metadata'],
  ['100.100.100.200/32', 'metadata'],
  ['192.0.0.192/32', 'metadata'],
  ['168.63.129.16/32', 'metadata'],
  ['0.0.0.0/8', 'this-network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'relay'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmark'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
];

/** Only 2000::/3 is globally routed IPv6. The following parts of it are not public. */
const GLOBAL_V6 = '2000::/3';
const FORBIDDEN_V6: readonly (readonly [string, AddressClass])[] = [
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', 'relay'],
  ['3fff::/20', 'documentation'],
];
/** Everything outside 2000::/3 is blocked. The following ranges have a more specific class. */
const NAMED_V6: readonly (readonly [string, AddressClass])[] = [
  ['fd00:ec2::254/128', 'metadata'],
  ['fd20:ce::254/128', 'metadata'],
  ['::1/128', 'loopback'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
];

export type AddressRange = readonly [IPv4 | IPv6, number];

const v4 = FORBIDDEN_V4.map(([cidr, name]) => ({ range: ipaddr.parseCIDR(cidr), name }));
const v6 = [...NAMED_V6, ...FORBIDDEN_V6].map(([cidr, name]) => ({
  range: ipaddr.parseCIDR(cidr),
  name,
}));
const global6 = ipaddr.parseCIDR(GLOBAL_V6);

/**
 * Returns the class of a blocked address, or null if deliveries may go there. `address` comes from
 * the resolver or the socket. Everything except a plain address is blocked, for example an address
 * with a zone. IPv4 addresses inside IPv6 (mapped, translated or tunneled) are blocked, because
 * their IPv6 ranges are, or because the address has the form of ISATAP (RFC 5214).
 */
export function forbiddenAddress(address: string): AddressClass | null {
  const parsed = parseAddress(address);
  if (parsed === null) return 'not-an-address';
  const table = parsed.kind() === 'ipv4' ? v4 : v6;
  const match = table.find(({ range }) => isInside(parsed, range));
  if (match !== undefined) return match.name;
  if (isIsatap(parsed)) return 'relay';
  return parsed.kind() === 'ipv4' || isInside(parsed, global6) ? null : 'not-global';
}

/** An interface identifier that ISATAP uses contains an IPv4 address, in any network. */
function isIsatap(address: IPv4 | IPv6): boolean {
  if (address.kind() === 'ipv4') return false;
  const { parts } = address as IPv6;
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);
}

/**
 * Parses an address. Returns null for anything except dotted decimal IPv4 or IPv6 without a zone.
 */
export function parseAddress(address: string): IPv4 | IPv6 | null {
  return isIP(address) === 0 || address.includes('%') ? null : ipaddr.parse(address);
}

/**
 * Returns true if the address is inside the range, and false if it belongs to a different address
 * family.
 */
export function isInside(address: IPv4 | IPv6, [base, bits]: AddressRange): boolean {
  return address.kind() === base.kind() && address.match([base, bits] as [IPv6, number]);
}

/** Parses a range, or an address as the range that contains only it. Throws for any other text. */
export function toAddressRange(text: string): AddressRange {
  const bits = isIP(text) === 4 ? '/32' : isIP(text) === 6 ? '/128' : '';
  return ipaddr.parseCIDR(`${text}${bits}`);
}
