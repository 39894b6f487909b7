import { symbolKind } from './symbol.ts';

export type SecurityType = 'equity' | 'fund' | 'non_equity' | 'other';
export type SecurityTag =
  | 'adr'
  | 'etf'
  | 'etn'
  | 'reit'
  | 'preferred'
  | 'warrant'
  | 'right'
  | 'unit'
  | 'spac';

export interface SecurityClass {
  type: SecurityType;
  /** Tags in the order of `SecurityTag`. */
  tags: SecurityTag[];
}

/** Words in a security's full name that identify its type. */
const NAME_TAGS: readonly (readonly [SecurityTag, RegExp])[] = [
  // Does not match before a hyphen, as in ADS-TEC.
  ['adr', /\b(american depositary|depositary receipts?|ADSs?|ADRs?)\b(?!-)/i],
  ['etf', /\b(ETF|exchange[- ]traded fund)\b/i],
  ['etn', /\b(ETNs?|exchange[- ]traded notes?)\b/i],
  ['reit', /\b(REIT|real estate investment trust)\b/i],
  // Some funds are named after the preferred securities they hold, but their own shares are common
  // shares.
  ['preferred', /\b(preferred|preference)\b(?!(?: securities)?(?: &| and)? income\b)/i],
  ['warrant', /\bwarrants?\b/i],
  ['right', /\brights?\s*$/i],
  // The common units of a partnership are its shares, and so are the units of a class.
  ['unit', /(?<!(?:\b(?:common|partnership|partner|LP|class [a-z])|L\.P\.)\s+)\bunits?\s*$/i],
  ['spac', /\b(blank check|special purpose acquisition|acquisition corp)/i],
];

const SIC_TAGS = new Map<string, SecurityTag>([
  ['6770', 'spac'],
  ['6798', 'reit'],
]);
/** The interest rate may precede or follow the word. */
const DEBT_NAME = /^(?=.*\b(notes?|debentures?|bonds?)\b)(?=.*(\bdue\b|%))/i;
/** Identifies a common share regardless of the issuer's name. */
const COMMON_NAME = /\b(?:common|ordinary) (?:stock|shares?)(?: of beneficial interest)?\s*$/i;
const FUND_NAME = /\b(fund|closed[- ]end)\b/i;

/**
 * Classifies a security by its symbol's suffix, its full name and its filer's SIC code. Without a
 * name or code, a plain symbol is classified as an equity, because nearly all listed symbols are
 * equities.
 */
export function classifySecurity(facts: {
  symbol: string;
  name: string | null;
  sicCode: string | null;
  /** True if a list flags the security as an exchange-traded fund. */
  isEtf?: boolean;
}): SecurityClass {
  const name = facts.name ?? '';
  const tagSet = new Set<SecurityTag>();
  for (const [tag, pattern] of NAME_TAGS) if (pattern.test(name)) tagSet.add(tag);
  if (COMMON_NAME.test(name)) tagSet.delete('preferred');
  // A depositary receipt may represent a unit but isn't one.
  if (tagSet.has('adr')) tagSet.delete('unit');
  if (facts.isEtf === true && !tagSet.has('etn')) tagSet.add('etf');
  const bySic = SIC_TAGS.get(facts.sicCode ?? '');
  if (bySic !== undefined) tagSet.add(bySic);
  const kind = symbolKind(facts.symbol);
  if (kind === 'preferred' || kind === 'warrant' || kind === 'unit' || kind === 'right') {
    tagSet.add(kind);
  }
  const tags = NAME_TAGS.map(([tag]) => tag).filter((tag) => tagSet.has(tag));
  return { type: typeOf(tagSet, name), tags };
}

function typeOf(tags: ReadonlySet<SecurityTag>, name: string): SecurityType {
  if (tags.has('etn') || DEBT_NAME.test(name)) return 'non_equity';
  if (tags.has('warrant') || tags.has('right') || tags.has('unit')) return 'non_equity';
  if (tags.has('etf') || FUND_NAME.test(name)) return 'fund';
  return 'equity';
}
