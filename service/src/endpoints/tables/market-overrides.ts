import type { LocalDate } from '../../domain/local-date.ts';
import { choice, date, integer, named, nullable, text } from '../schema/fields.ts';
import { defineTable } from './table.ts';

interface StoredOverride {
  date: LocalDate;
  kind: string;
  openMinute: number | null;
  closeMinute: number | null;
  reason: string;
}

export const table = defineTable<StoredOverride>({
  name: 'market-overrides',
  describe: 'Days on which operators changed the market schedule.',
  endpoint: null,
  row: named('MarketOverrideRow', {
    date: date('New York day.'),
    kind: choice(['closed', 'late-open', 'early-close'], 'Change to the schedule.'),
    openMinute: nullable(integer('Minute of the day at which the market opens.')),
    closeMinute: nullable(integer('Minute of the day at which the market closes.')),
    reason: text('Reason for the change.'),
  }),
  stored: {
    select: `v.market_date as date, v.kind, v.open_minute as "openMinute",
             v.close_minute as "closeMinute", v.reason`,
    versions: 'market_override',
    current: '(select * from market_override where revoked_at is null)',
    day: 'v.market_date',
    dayField: 'date',
    knownWithout: null,
    order: ['v.market_date', 'v.id'],
    securityId: null,
    knownFrom: 'v.created_at',
    knownTo: 'v.revoked_at',
    fingerprint: {
      table: 'market_override',
      value: `concat_ws('/', count(*), count(v.revoked_at), max(v.created_at))`,
    },
  },
  render: ({ date: day, kind, openMinute, closeMinute, reason }) => ({
    date: day,
    kind,
    openMinute,
    closeMinute,
    reason,
  }),
});
