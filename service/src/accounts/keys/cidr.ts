import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A parsed CIDR block. */
export type Block = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Normalizes `10.0.0.0/8`, `2001:db8::/32` or a single address. IPv4-mapped IPv6 becomes IPv4.
 * Returns null for any other text, including a block with bits set beyond its prefix length,
 * because `10.1.2.3/8` is ambiguous.
 */
export function normalizeCidr(text: string): string | null {
  const [address = '', bits, ...extra] = text.trim().split('/');
  if (isIP(address) === 0 || address.includes('%') || extra.length > 0) return null;
  const parsed = ipaddr.parse(address);
  const width = parsed.kind() === 'ipv4' ? 32 : 128;
  if (bits !== undefined && !/^(0|[1-9]\d{0,2})$/.test(bits)) return null;
  const length = bits === undefined ? width : Number(bits);
  if (length > width || hasBitsBeyond(parsed, length)) return null;
  const canonical = ipaddr.process(address);
  if (canonical.kind() === parsed.kind()) return `${canonical.toString()}/${length}`;
  return length < 96 ? `${parsed.toString()}/${length}` : `${canonical.toString()}/${length - 96}`;
}

/** Parses a block returned by `normalizeCidr`. */
export function parseBlock(cidr: string): Block {
  return ipaddr.parseCIDR(cidr);
}

/**
 * Checks whether a block lies within one of the given blocks. All of them must have been returned
 * by `normalizeCidr`.
 */
export function isBlockWithin(cidr: string, blocks: readonly string[]): boolean {
  const [base, length] = parseBlock(cidr);
  return blocks.map(parseBlock).some(([outer, outerLength]) => {
    return base.kind() === outer.kind() && length >= outerLength && base.match(outer, outerLength);
  });
}

/**
 * Checks whether an address is in one of the blocks. Returns false for text that is not an address.
 */
export function isAddressWithin(address: string, blocks: readonly Block[]): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  return blocks.some(
    ([base, length]) => parsed.kind() === base.kind() && parsed.match(base, length),
  );
}

function hasBitsBeyond(address: ipaddr.IPv4 | ipaddr.IPv6, length: number): boolean {
  return address
    .toByteArray()
    .some((byte, index) => (byte & (0xff >> Math.min(8, Math.max(0, length - index * 8)))) !== 0);
}
