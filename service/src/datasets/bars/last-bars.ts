import type { LocalDate } from '../../domain/local-date.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import type { BasedBar } from './common-basis.ts';
import { byPrecedence } from './precedence.ts';

/** The close of a session, on the share basis that its source used. */
export type LastBar = Pick<BasedBar, 'date' | 'basisDate' | 'close'>;

/** Loads the newest bar of each security between two days. Securities without a bar are absent. */
export async function loadLastBars(
  db: Queryable,
  securityIds: readonly string[],
  { from, to }: { from: LocalDate; to: LocalDate },
): Promise<Map<string, LastBar>> {
  if (securityIds.length === 0) return new Map();
  // Returns one row per security. Uses index security_symbol_security, then reads a single row
  // backwards from the end of the range in the primary key of price_bar, because a calendar needs
  // thousands of these bars.
  const rows = await db.query<LastBar & { id: string } & Row>(
    `select distinct on (n.security_id) n.security_id as id, b.date, b.basis_date as "basisDate",
            b.close::text as close
       from security_symbol n
       join lateral (select * from price_bar b
                      where b.symbol = n.symbol and b.date between $2 and $3
                        and (n.valid_from is null or b.date >= n.valid_from)
                        and (n.valid_to is null or b.date <= n.valid_to)
                        and b.held is null and b.close > 0
                      order by b.date desc, ${byPrecedence('b')}
                      limit 1) b on true
      where n.security_id = any($1::text[])
      order by n.security_id, b.date desc, ${byPrecedence('b')}, b.symbol`,
    [securityIds, from, to],
  );
  return new Map(rows.map(({ id, ...bar }) => [id, bar]));
}
