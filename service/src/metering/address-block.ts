/**
 * Maps an address to its unit of rate limiting: an IPv4 address to itself, in canonical form, and
 * an IPv6 address to its /64, because one subscriber owns at least that many. Text that is not an
 * address maps to itself, truncated.
 */
export function addressBlock(address: string): string {
  if (!address.includes(':')) return address.slice(0, TEXT_LENGTH_MAX);
  const unscoped = address.split('%', 1)[0] ?? '';
  const groups = parseGroups(unscoped);
  if (groups === null) return address.slice(0, TEXT_LENGTH_MAX);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [...groupBytes(groups[6] ?? 0), ...groupBytes(groups[7] ?? 0)].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

const TEXT_LENGTH_MAX = 64;

/** The eight groups of an IPv6 address; null if the text is not one. */
function parseGroups(address: string): number[] | null {
  const halves = address.split('::');
  if (halves.length > 2) return null;
  const [front = [], back] = halves.map((part) => (part === '' ? [] : part.split(':')));
  const start = front.flatMap(parseGroup);
  const end = (back ?? []).flatMap(parseGroup);
  const zeroCount = 8 - start.length - end.length;
  if (back === undefined ? zeroCount !== 0 : zeroCount < 1) return null;
  const groups = [...start, ...Array.from({ length: zeroCount }, () => 0), ...end];
  return groups.every((group) => group <= 0xffff) ? groups : null;
}

/** One group, or two for an embedded IPv4 address; NaN for anything else. */
function parseGroup(group: string): number[] {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(group);
  if (match === null) return [/^[0-9a-f]{1,4}$/i.test(group) ? Number.parseInt(group, 16) : NaN];
  const [a = 0, b = 0, c = 0, d = 0] = match.slice(1).map(Number);
  return [a * 256 + b, c * 256 + d];
}

function groupBytes(group: number): [number, number] {
  return [group >> 8, group & 255];
}
