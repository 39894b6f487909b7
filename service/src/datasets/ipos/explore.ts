import { defineExplore } from '../explore.ts';
import type { Ipo } from './row.ts';
import { ipoVersions } from './store.ts';

export const explore = defineExplore<Ipo, object>({
  table: 'ipo',
  key: 'id',
  versions: ipoVersions,
  title: 'v.company_name',
  symbol: 'v.symbol',
  day: `coalesce(v.date, v.withdrawn_date, v.filed_date, date '1900-01-01')`,
  hasText: (place) => `(position(lower(${place}) in lower(v.company_name)) > 0
      or starts_with(v.symbol, upper(${place})))`,
  hasSymbol: (place) => `v.symbol = ${place}`,
  subjectsOf: (_, { subject }) => Promise.resolve([subject]),
  isAbout: () => true,
});
