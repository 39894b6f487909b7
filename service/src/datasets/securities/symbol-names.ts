import { compareText } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';

/** The first and last time at which something was seen. */
export interface Period {
  from: Instant;
  to: Instant;
}

/** A company name that sources gave for a symbol, with its period in all feeds and in each. */
export interface SymbolName extends Period {
  symbol: string;
  name: string;
  byFeed: ReadonlyMap<string, Period>;
}

/** Loads the company names of symbols from the profiles of all sources, oldest first. */
export async function loadSymbolNames(
  db: Queryable,
  symbols: readonly string[],
): Promise<SymbolName[]> {
  if (symbols.length === 0) return [];
  // Returns one row per record of a name. Uses the unique key of source_record and, twice per row,
  // the primary key of sighting.
  const rows = await db.query<NameRecord>(
    `select r.subject as symbol, r.provider || '/' || r.feed as feed,
            r.fields->>'companyName' as name,
            (select min(s.observed_at) from sighting s where s.record_id = r.id) as "from",
            (select max(s.observed_at) from sighting s where s.record_id = r.id) as "to"
       from source_record r
      where r.dataset = 'profiles' and r.subject = any($1::text[])
        and r.fields->>'companyName' is not null`,
    [symbols],
  );
  const dated = rows
    .map((row) => ({ ...row, name: row.name.trim() }))
    .filter(({ name, from }) => name !== '' && from > 0);
  return [...Map.groupBy(dated, ({ symbol, name }) => `${symbol}\n${name}`).values()]
    .flatMap(joinRecords)
    .toSorted(oldestFirst);
}

export function oldestFirst(a: SymbolName, b: SymbolName): number {
  return a.from - b.from || compareText(a.name, b.name) || compareText(a.symbol, b.symbol);
}

interface NameRecord extends Period, Row {
  symbol: string;
  feed: string;
  name: string;
}

/** Joins the records of one name of a symbol. */
function joinRecords(records: readonly NameRecord[]): SymbolName[] {
  const [first] = records;
  if (first === undefined) return [];
  const byFeed = new Map(
    [...Map.groupBy(records, ({ feed }) => feed)].map(([feed, own]) => [feed, unionOf(own)]),
  );
  const { symbol, name } = first;
  return [{ symbol, name, ...unionOf(records), byFeed }];
}

function unionOf(periods: readonly Period[]): Period {
  return {
    from: Math.min(...periods.map(({ from }) => from)),
    to: Math.max(...periods.map(({ to }) => to)),
  };
}
