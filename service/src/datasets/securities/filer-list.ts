import { COMPLETE_LISTS } from './listing.ts';

/**
 * Minimum number of lists from which a symbol must be missing, because a single list may be
 * incomplete. Lists are published weekly.
 */
const LISTS_MIN = 2;
const DAYS_MIN = 10;

/**
 * Returns an SQL condition on SQL expressions for a symbol and its filer: every complete list that
 * ever gave the filer this symbol has omitted it since, at least twice and for over ten days. Null
 * for a symbol that was never in such a list. Uses one lookup per list in the unique key of
 * source_record, the primary key of sighting and index raw_answer_observed.
 */
export function missingFromFilerList({ symbol, cik }: { symbol: string; cik: string }): string {
  return `(select bool_and(later.lists >= ${LISTS_MIN}
                           and later.newest > named.last + interval '${DAYS_MIN} days')
             from (select r.provider, r.feed, max(s.observed_at) as last
                     from source_record r join sighting s on s.record_id = r.id
                    where r.dataset = 'securities' and r.subject = ${symbol}
                      and r.natural_key = ${cik}
                      and r.provider || '/' || r.feed in (${COMPLETE_LISTS.map((list) => `'${list}'`).join(', ')})
                    group by r.provider, r.feed) named
            cross join lateral (
              select count(*) as lists, max(a.observed_at) as newest from raw_answer a
               where a.provider = named.provider and a.feed = named.feed
                 and a.observed_at > named.last and a.outcome = 'ingested') later)`;
}
