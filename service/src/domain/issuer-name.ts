/** Security descriptions that listings append to a company's name. */
const SECURITIES: readonly string[] = [
  // Matches Class A Common Stock, Class A-1 Common Stock, Series B Ordinary Shares, Class A.
  String.raw`(?:class|series) [a-z0-9]{1,3}(?:-[a-z0-9])?(?: .*)?`,
  // Matches Common Stock (DE), Ordinary Shares, Subordinate Voting Shares, Limited Partner Units.
  String.raw`(?:common|capital|ordinary|preferred|preference|voting|registry) (?:stock|shares?|units?)\b.*`,
  String.raw`(?:limited|subordinate|new york|restricted|multiple|non-?) ?(?:voting|registry) shares?\b.*`,
  String.raw`american deposit[ao]ry (?:shares?|receipts?)\b.*`,
  String.raw`deposit[ao]ry (?:shares?|receipts?|units?)\b.*`,
  String.raw`(?:shares|units) of beneficial interest\b.*`,
  String.raw`(?:sponsored )?ad[rs]s?(?: \(.*\))?`,
  // Matches 9.125% Senior Notes Due 2029.
  String.raw`\d+(?:\.\d+)?%.*`,
  String.raw`(?:redeemable |equity )?(?:warrants?|rights?|units?)\.?(?:,? (?:each|to|expiring|\d|\().*)?`,
];
const AT_END = new RegExp(
  String.raw`[\s,–-]+(?:${SECURITIES.join('|').replaceAll(' ', '\\s+')})$`,
  'i',
);

/**
 * Returns the issuer from a security's name: `Northgate Inc. Class A Common Stock` becomes
 * `Northgate Inc.`. Returns a name without a security description unchanged.
 */
export function issuerName(name: string): string {
  const plain = name.trim();
  const issuer = plain.replace(AT_END, '').trim();
  return issuer === '' ? plain : issuer;
}

/** Returns the same as `issuerName`, or null if the name is unknown. */
export function issuerOf(name: string | null): string | null {
  return name === null ? null : issuerName(name);
}
