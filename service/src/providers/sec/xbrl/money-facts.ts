import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import { type FactsResult, type FactsSource, readFacts } from './facts.ts';
import { EPS_TAGS, REVENUE_TAGS } from './filed-figure.ts';

const CURRENCY = /^[A-Z]{3}$/;
const PER_SHARE = /^([A-Z]{3})\/shares$/;

/**
 * Reads revenue and earnings per share from a filer's `us-gaap` facts, in one currency: U.S.
 * dollars if present, otherwise the only other currency. If there are several other currencies or
 * none, `currency` is null and nothing is read.
 */
export function readMoneyFacts(
  taxonomy: unknown,
  source: FactsSource,
): FactsResult & { currency: string | null } {
  const tags = isJsonObject(taxonomy) ? taxonomy : {};
  const currency = currencyOf(tags);
  if (currency === null) return { currency, facts: [], bad: [] };
  const series = [
    ...REVENUE_TAGS.map((tag) => ({ tag, unit: currency })),
    ...EPS_TAGS.map((tag) => ({ tag, unit: `${currency}/shares` })),
  ];
  const results = series.flatMap(({ tag, unit }) => {
    const list = unitsOf(tags, tag)[unit];
    return list === undefined ? [] : [readFacts(tag, list, source)];
  });
  return {
    currency,
    facts: results.flatMap(({ facts }) => facts),
    bad: results.flatMap(({ bad }) => bad),
  };
}

function currencyOf(tags: JsonObject): string | null {
  const currencies = new Set([
    ...REVENUE_TAGS.flatMap((tag) => Object.keys(unitsOf(tags, tag)).filter(isCurrency)),
    ...EPS_TAGS.flatMap((tag) => Object.keys(unitsOf(tags, tag)).flatMap(currencyPerShare)),
  ]);
  if (currencies.has('USD')) return 'USD';
  const [only] = currencies;
  return only !== undefined && currencies.size === 1 ? only : null;
}

function unitsOf(tags: JsonObject, tag: string): JsonObject {
  const entry = tags[tag];
  return isJsonObject(entry) && isJsonObject(entry['units']) ? entry['units'] : {};
}

function isCurrency(unit: string): boolean {
  return CURRENCY.test(unit);
}

function currencyPerShare(unit: string): string[] {
  return PER_SHARE.exec(unit)?.slice(1) ?? [];
}
