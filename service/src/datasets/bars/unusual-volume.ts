import type { LocalDate } from '../../domain/local-date.ts';
import type { VolumeCriteria } from '../../domain/unusual-volume.ts';
import type { Queryable } from '../../storage/db.ts';
import { securitiesThatSplit } from '../splits/store.ts';
import { byPrecedence } from './precedence.ts';

/**
 * Returns the securities that may have had unusual volume on `date`: those that meet the criteria
 * on the stored prices, and those whose bars span several share bases or symbols. The exact rules
 * run only on these few candidates, so the bars of thousands of other securities need not be read.
 */
export async function unusualVolumeCandidates(
  db: Queryable,
  from: LocalDate,
  date: LocalDate,
  criteria: VolumeCriteria,
): Promise<string[]> {
  const { minRelativeVolume, minPrice, minAverageVolume, minDollarVolume } = criteria;
  // Returns one row per security. Scans the bars of the range once, using index price_bar_by_date
  // and the primary key of security_symbol.
  const rows = await db.query<{ id: string }>(
    `select n.security_id as id
       from (select symbol
               from (select distinct on (b.symbol, b.date) b.symbol, b.date, b.close, b.volume
                       from price_bar b
                      where b.date between $1 and $2 and b.held is null
                      order by b.symbol, b.date, ${byPrecedence('b')}) best
              group by symbol
             having max(close) filter (where date = $2) >= $4::numeric
                and max(close * volume) filter (where date = $2) >= $6::numeric
                and max(volume) filter (where date = $2) * count(volume) filter (where date < $2)
                      >= $3::numeric * sum(volume) filter (where date < $2)
                and sum(volume) filter (where date < $2)
                      >= $5::numeric * count(volume) filter (where date < $2)) busy
       join security_symbol n on n.symbol = busy.symbol
      where (n.valid_from is null or n.valid_from <= $2)
        and (n.valid_to is null or n.valid_to >= $2)
     union
     select security_id from security_symbol where valid_from > $1 and valid_from <= $2`,
    [from, date, minRelativeVolume, minPrice, minAverageVolume, minDollarVolume],
  );
  const split = await securitiesThatSplit(db, from, date);
  return [...new Set([...rows.map(({ id }) => id), ...split])].toSorted();
}
