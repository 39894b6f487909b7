import { isListed } from '../../datasets/securities/listed.ts';
import type { Security } from '../../datasets/securities/row.ts';
import { securityVersions } from '../../datasets/securities/store.ts';
import { date, flag, list, named, nullable, symbol, text } from '../schema/fields.ts';
import { defineTable, storedVersions } from './table.ts';

export const table = defineTable<Security & { isListed: boolean }>({
  name: 'securities',
  describe: 'Listed securities: symbols with validity dates, filers.',
  endpoint: null,
  row: named('SecurityRow', {
    symbol: symbol('Current or last symbol.'),
    name: nullable(text('Issuer.')),
    cik: nullable(text('SEC filer number, ten digits.')),
    formerCiks: list(text('CIK.'), 'Earlier filers of the same company.'),
    exchange: nullable(text('Listing exchange.')),
    active: flag('True if it is still listed.'),
    symbols: list(
      named('SymbolPeriod', {
        symbol: symbol(),
        from: nullable(date('First day; null if unknown.')),
        to: nullable(date('Last day; null for the current symbol.')),
      }),
      'All symbols, with the days on which they referred to this security.',
    ),
  }),
  stored: {
    ...storedVersions('security_version', securityVersions, {
      key: 'id',
      securityId: 'id',
      select: [
        `case when v.known_to is null then ${isListed('v')} else v.active end as "isListed"`,
      ],
    }),
    knownWithout: (sources) => `exists (
      select from jsonb_array_elements(v.symbols) s
        join source_record r on r.subject = s->>'symbol' and r.dataset = any(array['securities',
          'profiles', 'earnings', 'dividends', 'splits'])
       where r.provider not in (${sources.map((name) => `'${name}'`).join(', ')}))`,
    // Price lists decide whether a security is still listed, without a new version.
    fingerprint: null,
  },
  render: ({ symbol: ticker, name, cik, formerCiks, exchange, symbols, isListed: active }) => ({
    symbol: ticker,
    name,
    cik,
    formerCiks,
    exchange,
    active,
    symbols: symbols.map(({ symbol: held, from, to }) => ({ symbol: held, from, to })),
  }),
});
