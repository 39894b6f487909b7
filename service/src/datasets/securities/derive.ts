import { bestLikeness, likenessOf } from '../../domain/company-likeness.ts';
import { foldCompanyName } from '../../domain/company-name.ts';
import { issuerName } from '../../domain/issuer-name.ts';
import { addDays } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { symbolKind } from '../../domain/symbol.ts';
import { compareText } from '../../platform/compare.ts';
import type { ObservationHistory } from '../source-records/observation-history.ts';
import { chainsIn, NO_SHARE } from './company-chains.ts';
import { byFirstSeen, firstKnown, isEarlier, type Listing, listingsOf } from './listing.ts';
import { type CompanyNames, findMovedNames } from './moved-names.ts';
import type { SecurityObservation } from './observation.ts';
import { type Security, securityId, type SymbolSpan } from './row.ts';
import { NO_SIZES, type Sizes } from './sizes.ts';
import { companiesWith, type FilerListings } from './succession.ts';

/** Evidence from other data sets about the companies that held the symbols. */
export interface CompanyEvidence extends CompanyNames {
  sizes: Sizes;
}

const NO_EVIDENCE: CompanyEvidence = { names: [], formerNames: [], sizes: NO_SIZES };

/**
 * Derives securities from lists and from symbols seen elsewhere (`implied`). A pure function: equal
 * input in any order yields equal securities.
 *
 * If a filer's lists lose one symbol and gain another of the same kind, the filer has renamed it; so
 * has a company whose name moved to another symbol, see `findMovedNames`. A symbol taken over by a
 * second company belongs to the first one until the day before the second one was first seen with
 * it. A company keeps its security under a new filer, see `companiesWith`.
 */
export function deriveSecurities(
  histories: readonly ObservationHistory<SecurityObservation>[],
  implied: Iterable<string>,
  { names, formerNames, sizes }: CompanyEvidence = NO_EVIDENCE,
): Security[] {
  const listed = listingsOf(histories);
  const filers = Map.groupBy(listed, (listing) => listing.cik ?? listing.symbol);
  const bySymbol = Map.groupBy(listed, ({ symbol }) => symbol);
  const namesOf = Map.groupBy(names, ({ symbol }) => symbol);
  const movedNames = findMovedNames({ names, formerNames, sizes }, listed);
  const symbols = [...new Set([...bySymbol.keys(), ...implied])].toSorted(compareText);
  const companiesOf = (successors: ReadonlySet<string>): Listing[] =>
    symbols.flatMap((symbol) => {
      const known = { listings: bySymbol.get(symbol) ?? [], names: namesOf.get(symbol) ?? [] };
      return companiesWith(symbol, known, { filers, sizes, movedNames, successors });
    });
  const companies = companiesOf(new Set());
  const successors = new Set(companies.flatMap(({ ciks }) => successorsIn(ciks)));
  const listings = (successors.size > 0 ? companiesOf(successors) : companies).toSorted(
    byFirstSeen,
  );
  const chains = chainsIn(listings, movedNames.moves);
  const holders = Map.groupBy(
    chains.flatMap((chain) => chain.map((listing) => ({ listing, chain }))),
    ({ listing }) => listing.symbol,
  );
  const withNamesake = movedNames.symbols;
  return chains.map((chain) => {
    const security = toSecurity(chain, filers, (listing) =>
      (holders.get(listing.symbol) ?? [])
        .filter((holder) => holder.chain !== chain)
        .map((holder) => holder.listing),
    );
    const spans = security.symbols.map((span) =>
      withNamesake.has(span.symbol) ? { ...span, hasNamesake: true as const } : span,
    );
    return { ...security, symbols: spans };
  });
}

function successorsIn(ciks: readonly string[]): string[] {
  return ciks.slice(1).map((cik, index) => `${ciks[index]}/${cik}`);
}

function toSecurity(
  chain: readonly Listing[],
  filers: FilerListings,
  othersWith: (listing: Listing) => Listing[],
): Security {
  const [first] = chain;
  const last = chain.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('an empty chain');
  const isLaterHolder = othersWith(first).some((other) => isEarlier(other, first));
  const spans = chain.map((listing, i) => spanOf(listing, chain[i - 1], chain[i + 1], othersWith));
  // A name may show the new symbol before lists of filers do.
  const cik = firstKnown(chain.toReversed().map((listing) => listing.cik));
  const former = chain
    .flatMap(({ symbol, ciks }) => ciks.map((each) => ({ symbol, cik: each })))
    .filter((each) => each.cik !== cik && isReporting(each.symbol, each.cik, filers));
  return {
    id: idFrom(first, isLaterHolder),
    symbol: last.symbol,
    cik,
    name: firstKnown(chain.toReversed().map((listing) => listing.name)),
    exchange: last.exchange,
    active: !last.isRemoved && !othersWith(last).some((other) => isEarlier(last, other)),
    reports:
      last.cik === null ? reportsFor(last, [last]) : isReporting(last.symbol, last.cik, filers),
    listedAt: last.lastAtOf.size > 0 && last.firstAt > 0 ? last.firstAt : null,
    symbols: spans,
    formerCiks: [...new Set(former.map((each) => each.cik))],
  };
}

/** Returns the id of a security that begins with the listing. */
function idFrom(listing: Listing, isLaterHolder: boolean): string {
  return securityId(listing.symbol, isLaterHolder ? holderNameOf(listing) : null);
}

/** Returns the name that distinguishes a later holder of a symbol, the same in every source. */
function holderNameOf({ names: [first], cik }: Listing): string | null {
  return (first === undefined ? null : foldCompanyName(issuerName(first.name))) ?? cik;
}

/** Returns whether a filer's reports belong to this symbol. */
function isReporting(symbol: string, cik: string, filers: FilerListings): boolean {
  const siblings = filers.get(cik) ?? [];
  const listing = siblings.find((sibling) => sibling.symbol === symbol);
  return listing !== undefined && reportsFor(listing, siblings);
}

function spanOf(
  listing: Listing,
  before: Listing | undefined,
  after: Listing | undefined,
  othersWith: (listing: Listing) => Listing[],
): SymbolSpan {
  const others = othersWith(listing);
  const hasEarlierHolder = others.some((other) => isEarlier(other, listing));
  const laterHolders = others.filter((other) => isEarlier(listing, other));
  const until = listing.renamedAt ?? listing.firstAt;
  const ends = [...laterHolders, ...(after === undefined ? [] : [after])].map((other) =>
    // A company that returns to an earlier symbol held that one first.
    other.heldFrom > listing.heldFrom
      ? addDays(newYorkDate(other.heldFrom), -1)
      : newYorkDate(listing.heldTo),
  );
  return {
    symbol: listing.symbol,
    from: before !== undefined || hasEarlierHolder ? newYorkDate(listing.heldFrom) : null,
    to: ends.toSorted(compareText)[0] ?? null,
    ...namesOf(listing),
    ...(before === undefined
      ? {}
      : { earlierId: { id: idFrom(listing, hasEarlierHolder), until } }),
  };
}

/**
 * Returns whether a filer's reports belong to this listing. They belong to the filer's shortest
 * plain symbol, and to symbols that differ from it only by share class (GOOG and GOOGL, FOX and
 * FOXA, BRK.A and BRK.B).
 */
function reportsFor(listing: Listing, siblings: readonly Listing[]): boolean {
  if (symbolKind(listing.symbol) !== 'share') return false;
  const plain = siblings
    .filter(
      (other) => symbolKind(other.symbol) === 'share' && other.isRemoved === listing.isRemoved,
    )
    .map((other) => stem(other.symbol))
    .toSorted((a, b) => a.length - b.length || compareText(a, b));
  const primary = plain[0] ?? stem(listing.symbol);
  const stemOfListing = stem(listing.symbol);
  if (stemOfListing === primary) return true;
  if (NO_SHARE.test(stemOfListing)) return false;
  if (stemOfListing.startsWith(primary)) return stemOfListing.length === primary.length + 1;
  return (
    stemOfListing.length === primary.length &&
    stemOfListing.length >= 4 &&
    stemOfListing.slice(0, -1) === primary.slice(0, -1)
  );
}

function stem(symbol: string): string {
  return symbol.split('.')[0] ?? symbol;
}

function namesOf({ names }: Listing): Pick<SymbolSpan, 'names' | 'isCompanyRenamed'> {
  if (names.length === 0) return {};
  const distinct: string[] = [];
  for (const { name } of names) {
    const issuer = issuerName(name).replace(/\s+/g, ' ');
    if (bestLikeness(issuer, distinct) !== 'same') distinct.push(issuer);
  }
  const isRenamed = distinct.some((name) => likenessOf(name, distinct[0] ?? name) === 'different');
  return { names: distinct, ...(isRenamed ? { isCompanyRenamed: true } : {}) };
}
