import type { RecordedWorld } from '../support/recorded-world.ts';
import type { Bar } from './bars.ts';

type Db = RecordedWorld['db'];

export interface RawBar {
  symbol: string;
  date: string;
  provider: string;
  feed: string;
  basis: string;
  open: string | null;
  high: string | null;
  low: string | null;
  close: string;
  volume: number | null;
  seen: number;
}

export interface RawSplit {
  symbol: string;
  date: string;
  provider: string;
  feed: string;
  numerator: number;
  denominator: number;
}

export interface RawEvent {
  id: string;
  security: string;
  symbol: string;
  date: string;
  time: string;
  status: string;
  reportedAt: number | null;
  ahead: boolean;
}

export interface RawName {
  security: string;
  symbol: string;
  from: string | null;
  to: string | null;
}

export interface RawFacts {
  bars: RawBar[];
  barsBySymbol: Map<string, RawBar[]>;
  /** Memoized adjusted bars by security, for one adjustment basis. */
  bySecurity: Map<string, Bar[]>;
  splits: RawSplit[];
  events: RawEvent[];
  eventsBySecurity: Map<string, RawEvent[]>;
  /** Memoized newest session. Null until it is computed. */
  newestSession: string | null;
  /** Memoized days that have bars. Null until they are computed. */
  daysOfBars: Set<string> | null;
  /** Symbols grouped by security. */
  names: Map<string, RawName[]>;
  /** Types and displayed symbols for securities that have a profile. */
  profiles: { security: string; symbol: string; type: string; tags: string }[];
}

/** Loads the input of the recomputation, straight from the tables. */
export async function loadRawFacts(db: Db): Promise<RawFacts> {
  // Loads all bars that are not quarantined.
  const bars = await rowsOf<RawBar>(
    db,
    `select symbol, date, provider, feed, basis_date as basis, open, high, low, close, volume,
            observed_at as seen
       from price_bar where held is null`,
  );
  // Loads all current events.
  const events = await rowsOf<RawEvent>(
    db,
    `select id, security_id as security, symbol, date, time, date_status as status,
            reported_at as "reportedAt", marker_ahead as ahead
       from earnings_event where known_to is null`,
  );
  return {
    bars,
    events,
    eventsBySecurity: Map.groupBy(events, ({ security }) => security),
    newestSession: null,
    daysOfBars: null,
    barsBySymbol: Map.groupBy(bars, ({ symbol }) => symbol),
    bySecurity: new Map(),
    // Loads all reported splits.
    splits: await rowsOf<RawSplit>(
      db,
      `select symbol, date, provider, feed, numerator, denominator from share_split`,
    ),
    // Loads symbols with the securities that held them.
    names: Map.groupBy(
      await rowsOf<RawName>(
        db,
        `select security_id as security, symbol, valid_from as "from", valid_to as "to"
           from security_symbol`,
      ),
      ({ security }) => security,
    ),
    // Returns one row per company.
    profiles: await rowsOf<{ security: string; symbol: string; type: string; tags: string }>(
      db,
      `select security_id as security, symbol, fields->>'type' as type, fields->>'tags' as tags
         from profile where known_to is null`,
    ),
  };
}

async function rowsOf<T>(db: Db, sql: string): Promise<T[]> {
  return (await db.query(sql)) as T[];
}
