import { topics } from '../topics.gen.ts';
import { changeOf, type ChangeSource } from '../changes/change-of.ts';
import { CURRENT_VERSION } from '../counts/coverage-table.ts';
import { type Dataset, emptyMergeResult, type MergeContext, type MergeResult } from '../dataset.ts';
import { defineExplore } from '../explore.ts';
import { loadHistories } from '../source-records/load.ts';
import { touchedKeys } from '../source-records/entity-keys.ts';
import { changedFacts } from '../versions/changed-facts.ts';
import { replaceVersions } from '../versions/versioned-table.ts';
import { deriveIpos } from './derive.ts';
import type { IpoObservation } from './observation.ts';
import type { Ipo } from './row.ts';
import { ipoVersions, loadIposOfKeys, relatedKeys } from './store.ts';

export const dataset: Dataset = {
  name: 'ipos',
  describe: 'Initial public offerings, from filing to pricing or withdrawal.',
  // A proposed ticker does not identify a listed security yet, and may never do so.
  isAboutSecurities: false,
  after: [],
  due: 'daily',
  coverage: {
    table: 'ipo',
    condition: CURRENT_VERSION,
    dateColumn: 'date',
    // Scans the current versions, which are a few thousand rows.
    symbols: `select count(distinct symbol) as symbols from ipo where ${CURRENT_VERSION}`,
    fields: [
      ['symbol', 'symbol'],
      ['priceLow', 'price_low'],
      ['price', 'price'],
      ['shares', 'shares'],
      ['lockupExpiration', 'lockup_expiration'],
    ],
  },
  explore: defineExplore<Ipo, object>({
    table: 'ipo',
    key: 'id',
    versions: ipoVersions,
    title: 'v.company_name',
    symbol: 'v.symbol',
    day: `coalesce(v.date, v.withdrawn_date, v.filed_date, date '1900-01-01')`,
    hasText: (placeholder) => `(position(lower(${placeholder}) in lower(v.company_name)) > 0
        or starts_with(v.symbol, upper(${placeholder})))`,
    hasSymbol: (placeholder) => `v.symbol = ${placeholder}`,
    entityKeysOf: (_, { subject }) => Promise.resolve([subject]),
    isAbout: () => true,
  }),
  // Includes rows that repeat known values, because the latest observation wins if a deal is both
  // expected and postponed.
  merge: (context, { rows }) => mergeIpos(context, touchedKeys(rows, 'ipos')),
};

const ipoChangeSource: ChangeSource<Ipo> = {
  dataset: 'ipos',
  idOf: ({ id }) => id,
  symbolOf: ({ symbol }) => symbol ?? '',
  factsOf: (version) => version,
  changed: changedFacts<Ipo>,
};

/** Derives the offerings for these entity keys and writes the differences. */
async function mergeIpos(
  { tx, now }: MergeContext,
  touched: readonly string[],
): Promise<MergeResult> {
  const result = emptyMergeResult();
  if (touched.length === 0) return result;
  const entityKeys = await relatedKeys(tx, touched);
  const after = deriveIpos(await loadHistories<IpoObservation>(tx, 'ipos', entityKeys));
  const before = await loadIposOfKeys(tx, entityKeys);
  const parts = { before, after, changed: changedFacts<Ipo> };
  for (const difference of await replaceVersions(ipoVersions, tx, parts, now)) {
    result.topics.add(topics.ipos.any);
    result.changes.push(...changeOf(difference, ipoChangeSource));
  }
  return result;
}
