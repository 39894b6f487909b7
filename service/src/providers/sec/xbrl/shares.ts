import type { Decimal } from '../../../domain/decimal.ts';
import type { LocalDate } from '../../../domain/local-date.ts';
import { isJsonObject } from '../../kit/json.ts';
import { type Fact, type FactsResult, type FactsSource, readFacts } from './facts.ts';

const TAG = 'EntityCommonStockSharesOutstanding';

export interface SharesCount {
  sharesOutstanding: Decimal;
  sharesAsOf: LocalDate;
}

/**
 * Returns the newest share count from the cover page, or null if there is none. Filers with several
 * classes report each class separately, and those facts are not in this response.
 */
export function readShares(
  taxonomy: unknown,
  source: FactsSource,
): Pick<FactsResult, 'bad'> & { newest: SharesCount | null } {
  const entry = isJsonObject(taxonomy) ? taxonomy[TAG] : undefined;
  const units = isJsonObject(entry) && isJsonObject(entry['units']) ? entry['units'] : {};
  if (units['shares'] === undefined) return { newest: null, bad: [] };
  const { facts, bad } = readFacts(TAG, units['shares'], source);
  const [newest] = facts.filter((fact) => fact.start === null).toSorted(byNewest);
  if (newest === undefined) return { newest: null, bad };
  return { newest: { sharesOutstanding: newest.value, sharesAsOf: newest.end }, bad };
}

function byNewest(a: Fact, b: Fact): number {
  return keyOf(a) < keyOf(b) ? 1 : -1;
}

function keyOf(fact: Fact): string {
  return `${fact.end} ${fact.filedDate} ${fact.accession}`;
}
