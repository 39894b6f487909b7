import { expect, test } from 'vitest';
import { rankOf } from '../../service/src/datasets/precedence.ts';
import { RANKED_VALUES, type RankedValue } from '../../service/src/datasets/rank.ts';
import type { Feed, Provider } from '../../service/src/providers/provider.ts';
import { providers } from '../../service/src/providers/registry.gen.ts';
import { precedenceOf } from './precedence.ts';

/**
 * Sources of each value, by rank. Sources on one line are equal, and `other` stands for all without
 * a rank. A change here changes stored values.
 */
const ORDERS: Record<RankedValue, string> = {
  bars: 'files/bars > other/x massive/grouped-daily yahoo/chart > nasdaq/screener',
  classification: 'yahoo/quote-summary > alphavantage/overview > other/x nasdaq/screener',
  dividends:
    'files/dividends > nasdaq/calendar-dividends nasdaq/dividends-table nasdaq/quote-dividends > ' +
    'other/x massive/dividends fmp/dividends-calendar yahoo/chart',
  'earnings.date':
    'files/earnings > nasdaq/earnings-surprise > alphavantage/earnings > nasdaq/calendar-earnings > ' +
    'nasdaq/calendar-table > nasdaq/earnings-date > finnhub/calendar-earnings > fmp/earnings > ' +
    'fmp/earnings-calendar > yahoo/quote-summary > yahoo/quote > alphavantage/earnings-calendar > ' +
    'sandbox/calendar > other/x sec/companyfacts nasdaq/earnings-forecast',
  'earnings.time':
    'files/earnings > nasdaq/calendar-earnings > nasdaq/calendar-table > nasdaq/earnings-date > ' +
    'finnhub/calendar-earnings > alphavantage/earnings-calendar > alphavantage/earnings > ' +
    'yahoo/quote-summary > yahoo/quote > sandbox/calendar > other/x fmp/earnings sec/submissions',
  'earnings.figures':
    'files/earnings > nasdaq/calendar-earnings > nasdaq/calendar-table > nasdaq/earnings-surprise > ' +
    'nasdaq/earnings-forecast > finnhub/calendar-earnings > fmp/earnings > fmp/earnings-calendar > ' +
    'yahoo/quote-summary > alphavantage/earnings > alphavantage/earnings-calendar > ' +
    'sandbox/calendar > other/x sec/companyfacts sec/release',
  'economic-events':
    'files/economic-events > us-agencies/auction-results > us-agencies/auction-schedule > ' +
    'us-agencies/bea-schedule > us-agencies/bea-figures > us-agencies/bea-release > ' +
    'us-agencies/bls-figures > us-agencies/bls-schedule > us-agencies/census-schedule > ' +
    'us-agencies/retail-sales > us-agencies/census-figures > us-agencies/weekly-schedule > ' +
    'us-agencies/claims-report > us-agencies/petroleum-stocks > us-agencies/gas-storage > ' +
    'us-agencies/fomc-calendar > us-agencies/fed-calendar > us-agencies/fomc-decision > ' +
    'us-agencies/industrial-production > nasdaq/economic-events > sandbox/economic > other/x',
  ipos: 'files/ipos > nasdaq/ipo-calendar > other/x finnhub/calendar-ipo fmp/ipos-calendar',
  'profiles.companyName':
    'files/profiles > sec/submissions sec/companyfacts > nasdaq/screener nasdaq/historical > ' +
    'other/x nasdaq-trader/nasdaq-listed yahoo/quote-summary',
  'profiles.country':
    'files/profiles > nasdaq/screener > sec/submissions > other/x finnhub/profile2',
  'profiles.exchange':
    'files/profiles > nasdaq-trader/nasdaq-listed nasdaq-trader/other-listed > nasdaq/screener > ' +
    'sec/submissions > other/x finnhub/profile2',
  'profiles.other':
    'files/profiles > nasdaq/screener > sec/submissions > other/x yahoo/quote-summary',
  splits: 'files/splits > other/x yahoo/chart massive/ticker > nasdaq/calendar-splits',
};

test.each(RANKED_VALUES)('ranks the sources of %s as documented', (value) => {
  const groups = ORDERS[value].split(' > ').map((group) => group.split(' '));
  const ranks = groups.map((group) => new Set(group.map((name) => rankOf(value, sourceOf(name)))));
  expect(ranks.map(({ size }) => size)).toEqual(groups.map(() => 1));
  const distinct = ranks.flatMap((group) => [...group]);
  expect(distinct).toEqual([...new Set(distinct)].toSorted((a, b) => a - b));
});

test('names in the table only feeds that exist', () => {
  const known = providers.flatMap(({ name, feeds }) => feeds.map((feed) => `${name}/${feed.name}`));
  const named = Object.values(ORDERS).flatMap((order) => order.split(/ > | /));
  expect(named.filter((name) => name !== 'other/x' && !known.includes(name))).toEqual([]);
});

test('rejects two sources with the same rank, and names them', () => {
  const first = stubProvider('first', [{ earnings: ['vendor', 10] }]);
  const second = stubProvider('second', [{ 'earnings.date': ['vendor', 10] }]);
  expect(() => precedenceOf('earnings.date', [first, second])).toThrow(
    'first/feed0 and second/feed0 have the same rank for earnings.date: vendor 10. ' +
      'Give one of them another order.',
  );
  expect(precedenceOf('earnings.time', [first, second])).toEqual({
    first: ['first/feed0'],
    last: [],
  });
});

test('prefers a rank of a value to that of its data set, and of a feed to that of its provider', () => {
  const general = { ...stubProvider('general', [{ splits: 'provisional' }]), ranks: PROFILES };
  expect(precedenceOf('profiles.exchange', [general]).first).toEqual(['general']);
  const better = stubProvider('better', [{ profiles: 'exchange' }]);
  expect(precedenceOf('profiles.country', [general, better]).first).toEqual([
    'better/feed0',
    'general',
  ]);
  expect(precedenceOf('profiles.exchange', [general, better]).first).toEqual([
    'general',
    'better/feed0',
  ]);
  expect(precedenceOf('splits', [general])).toEqual({ first: [], last: ['general/feed0'] });
});

const PROFILES = { profiles: 'secondary', 'profiles.exchange': 'regulator' } as const;

function sourceOf(name: string): { provider: string; feed: string } {
  const [provider = '', feed = ''] = name.split('/');
  return { provider, feed };
}

function stubProvider(name: string, ranks: readonly Feed['ranks'][]): Provider {
  const feeds = ranks.map((own, index) => ({ name: `feed${index}`, ranks: own }));
  return { name, feeds } as unknown as Provider;
}
