import type { LocalDate } from '../../domain/local-date.ts';
import { date, integer, named, symbol } from '../schema/fields.ts';
import { CONTENT_FINGERPRINT, defineTable } from './table.ts';

interface StoredSplit {
  symbol: string;
  date: LocalDate;
  numerator: number;
  denominator: number;
}

export const table = defineTable<StoredSplit>({
  name: 'splits',
  describe: 'Share splits, one row per source: the first session on the new basis, and the ratio.',
  endpoint: null,
  row: named('SplitRow', {
    symbol: symbol(),
    date: date('First session on the new share basis.'),
    numerator: integer('Shares after the split.'),
    denominator: integer('Shares before the split.'),
  }),
  stored: {
    select: `v.symbol, v.date, v.numerator, v.denominator,
             jsonb_build_object('date', jsonb_build_object(
               'provider', v.provider, 'feed', v.feed,
               'seenAt', floor(extract(epoch from v.seen_at) * 1000))) as provenance`,
    versions: 'share_split',
    current: 'share_split',
    day: 'v.date',
    dayField: 'date',
    knownWithout: null,
    order: ['v.date', 'v.symbol', 'v.provider', 'v.feed'],
    securityId: null,
    knownFrom: 'v.seen_at',
    knownTo: 'null::timestamptz',
    fingerprint: { table: 'share_split', value: CONTENT_FINGERPRINT },
  },
  render: ({ symbol: ticker, date: day, numerator, denominator }) => ({
    symbol: ticker,
    date: day,
    numerator,
    denominator,
  }),
});
