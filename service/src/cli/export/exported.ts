import { byPrecedence } from '../../datasets/bars/precedence.ts';

/** A data set as files show it. */
export interface Exported {
  name: string;
  table: string;
  /** Columns that say nothing outside of this store. */
  without: readonly string[];
  /** What stands for the table when only what holds now is wanted, in SQL. */
  current: string;
  /** The column of the day that `--from` and `--to` bound; null where facts have none. */
  day: string | null;
  /** Columns in whose order the rows come: they tell every row from every other. */
  order: readonly string[];
}

/** Closed versions have an end. */
function versioned(name: string, table: string, key: string, day: string | null): Exported {
  return {
    ...{ name, table, day, without: ['version_id'] },
    current: `(select * from ${table} where known_to is null)`,
    order: [...(day === null ? [] : [day]), key, 'known_from'],
  };
}

const TELLINGS = ['symbol', 'date', 'provider', 'feed'] as const;

export const EXPORTED: readonly Exported[] = [
  versioned('earnings', 'earnings_event', 'id', 'date'),
  versioned('economic-events', 'economic_event', 'id', 'date'),
  versioned('ipos', 'ipo', 'id', 'date'),
  versioned('dividends', 'dividend', 'id', 'ex_date'),
  versioned('profiles', 'profile', 'security_id', null),
  versioned('securities', 'security_version', 'id', null),
  {
    ...{ name: 'bars', table: 'price_bar', without: ['answer_id'], day: 'date', order: TELLINGS },
    // One bar a symbol and day: of several sources the one whose word stands. The primary key gives
    // them in order, so that nothing is sorted but the sources of a day.
    current: `(select distinct on (b.symbol, b.date) b.* from price_bar b
                where b.held is null order by b.symbol, b.date, ${byPrecedence('b')})`,
  },
  {
    ...{ name: 'splits', table: 'share_split', without: [], day: 'date', order: TELLINGS },
    // Every source's word: which of them is believed depends on the company's other splits.
    current: 'share_split',
  },
  {
    ...{ name: 'market-overrides', table: 'market_override', without: [], day: 'market_date' },
    ...{ current: '(select * from market_override where revoked_at is null)' },
    order: ['market_date', 'id'],
  },
];
