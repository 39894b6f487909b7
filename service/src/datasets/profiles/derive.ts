import { countryCodeOf, countryEmojiOf, countryNameOf } from '../../domain/country.ts';
import { exchangeOf } from '../../domain/exchange.ts';
import { issuerOf } from '../../domain/issuer-name.ts';
import { sectorOfSic } from '../../domain/sector.ts';
import { classifySecurity } from '../../domain/security-type.ts';
import { compareText } from '../../platform/compare.ts';
import { precedence } from '../precedence.gen.ts';
import { rankOf } from '../precedence.ts';
import type { RankedValue } from '../rank.ts';
import type { Security } from '../securities/row.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';
import { filerOf } from '../source-records/entity-keys.ts';
import { unchangedSince, type ObservationHistory } from '../source-records/observation-history.ts';
import type { ProfileObservation } from './observation.ts';
import type { Profile, ProfileFields } from './row.ts';

export interface ProfileInput {
  security: Security;
  /** False for a company with several share classes. */
  isOnlyClass: boolean;
  histories: readonly ObservationHistory<ProfileObservation>[];
}

/** Fields with a ranking of their own. */
const RANKED_FIELDS: Partial<Record<keyof ProfileObservation, RankedValue>> = {
  companyName: 'profiles.companyName',
  exchange: 'profiles.exchange',
  country: 'profiles.country',
};

/**
 * Providers with their own classification. Its names are not mixed with Nasdaq's, which the table
 * of SIC codes also uses. These providers are used only if no other source classifies the company,
 * with sector and industry from the same provider.
 */
const OWN_CLASSIFICATIONS = precedence.classification.first;

/** Derives the profile of one security from all observations about it and its filer. */
export function deriveProfile({ security, isOnlyClass, histories }: ProfileInput): Profile {
  const pick = picker(security, histories);
  const pickFromLists = picker(
    security,
    histories.filter(({ entityKey }) => filerOf(entityKey) === null),
  );
  // A filer has a single exchange for all its securities; lists have the exchange for each
  // security.
  const exchange = pickFromLists('exchange', null) ?? security.exchange ?? pick('exchange', null);
  // The full name in lists contains a security word such as "Common Stock" or "Warrants".
  const listName = pickFromLists('companyName', security.name);
  const sicCode = pick('sicCode', null);
  const pickClass = classifier(security, histories, sicCode);
  const sector = pickClass('sector', null);
  const shares = security.reports ? pick('sharesOutstanding', null) : null;
  const fields: ProfileFields = {
    companyName: issuerOf(pick('companyName', security.name)),
    cik: security.cik ?? pick('cik', null),
    exchange: exchange === null ? null : exchangeOf(exchange).name,
    mic: exchange === null ? null : exchangeOf(exchange).mic,
    sector: sector ?? (sicCode === null ? null : sectorOfSic(sicCode)),
    industry: pickClass('industry', null) ?? pick('sicDescription', null),
    sicCode,
    classification: classificationOf(
      sector === null ? null : pickClass.providerOf('sector'),
      sicCode,
    ),
    ...countryOf(pick('country', null), pick('countryCode', null)),
    ...classifySecurity({
      symbol: security.symbol,
      name: listName,
      sicCode,
      isEtf: pickFromLists('isEtf', false),
    }),
    outstandingShares: isOnlyClass ? shares : null,
    outstandingSharesAllClasses: shares,
    sharesAsOf: shares === null ? null : pick('sharesAsOf', null),
    active: security.active,
    listDate: null,
    delistDate: null,
    formerSymbols: security.symbols
      .flatMap(({ symbol, to }) => (to === null ? [] : [{ symbol, until: to }]))
      .filter(({ symbol }) => symbol !== security.symbol),
    fiscalYearEnd: pick('fiscalYearEnd', null),
  };
  const provenance = { ...pickFromLists.provenance, ...pick.provenance, ...pickClass.provenance };
  const instants = Object.values(provenance).map(({ seenAt }) => seenAt);
  return {
    securityId: security.id,
    symbol: security.symbol,
    fields,
    provenance,
    updatedAt: Math.max(security.listedAt ?? 0, 0, ...instants),
  };
}

interface Picker {
  <Field extends keyof ProfileObservation, Fallback>(
    field: Field,
    fallback: Fallback,
  ): NonNullable<ProfileObservation[Field]> | Fallback;
  providerOf(field: keyof ProfileObservation): string | null;
  provenance: Profile['provenance'];
}

type FieldSource = Profile['provenance'][string];

function picker(
  security: Security,
  histories: readonly ObservationHistory<ProfileObservation>[],
): Picker {
  const provenance: Profile['provenance'] = {};
  function pick<Field extends keyof ProfileObservation, Fallback>(
    field: Field,
    fallback: Fallback,
  ): NonNullable<ProfileObservation[Field]> | Fallback {
    let removedBy: FieldSource | null = null;
    const value = RANKED_FIELDS[field] ?? 'profiles.other';
    for (const history of ranked(security, histories, value)) {
      const observation = history.observations.findLast(
        ({ fields }) => fields[field] !== undefined,
      );
      if (observation === undefined) continue;
      const value = observation.fields[field];
      const seenAt = unchangedSince(history, observation, (fields) => textOf(fields[field]));
      const source = { provider: history.provider, feed: history.feed, seenAt };
      if (value != null) {
        provenance[field] = source;
        return value;
      }
      removedBy ??= source;
    }
    // The value may have been known before, and its removal is also a change.
    if (removedBy !== null) provenance[field] = removedBy;
    return fallback;
  }
  return Object.assign(pick, {
    provenance,
    providerOf: (field: keyof ProfileObservation) => provenance[field]?.provider ?? null,
  });
}

/** Picks sector and industry; see `OWN_CLASSIFICATIONS`. */
function classifier(
  security: Security,
  histories: readonly ObservationHistory<ProfileObservation>[],
  sicCode: string | null,
): Picker {
  const common = picker(
    security,
    histories.filter(({ provider }) => !OWN_CLASSIFICATIONS.includes(provider)),
  );
  const isClassified = [common('sector', null), common('industry', null), sicCode].some(
    (value) => value !== null,
  );
  if (isClassified) return common;
  const ownClassifications = OWN_CLASSIFICATIONS.map((name) => {
    return picker(
      security,
      histories.filter(({ provider }) => provider === name),
    );
  });
  return ownClassifications.find((pick) => pick('sector', null) !== null) ?? common;
}

/** Returns equal text for equal values. An unreported value remains undefined. */
function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : canonicalJson(value);
}

/** Orders by rank, then by current symbol, filer, former filers and former symbols. */
function ranked(
  { symbol, symbols, formerCiks }: Security,
  histories: readonly ObservationHistory<ProfileObservation>[],
  value: RankedValue,
): ObservationHistory<ProfileObservation>[] {
  const age = ({ entityKey }: ObservationHistory<unknown>): number => {
    if (entityKey === symbol) return 0;
    const cik = filerOf(entityKey);
    if (cik !== null) return formerCiks.includes(cik) ? 2 : 1;
    return 2 + symbols.length - symbols.findIndex((span) => span.symbol === entityKey);
  };
  const name = (history: ObservationHistory<unknown>): string =>
    `${history.provider}/${history.feed}/${history.entityKey}/${history.naturalKey}`;
  return histories.toSorted(
    (a, b) =>
      rankOf(value, a) - rankOf(value, b) || age(a) - age(b) || compareText(name(a), name(b)),
  );
}

function classificationOf(
  sectorProvider: string | null,
  sicCode: string | null,
): ProfileFields['classification'] {
  if (sectorProvider === 'files') return 'operator';
  return sectorProvider === null && sicCode !== null ? 'sic' : 'provider';
}

function countryOf(
  name: string | null,
  code: string | null,
): Pick<ProfileFields, 'country' | 'countryCode' | 'countryEmoji'> {
  const countryCode = (name === null ? null : countryCodeOf(name)) ?? (name === null ? code : null);
  if (countryCode === null) return { country: name, countryCode: null, countryEmoji: null };
  return {
    country: countryNameOf(countryCode) ?? name,
    countryCode,
    countryEmoji: countryEmojiOf(countryCode),
  };
}
