import type { Instant } from '../../../src/platform/instant.ts';
import type { Db } from '../../../src/storage/db.ts';
import { inPortions, SIZES } from './portions.ts';

/** Inserts companies with twelve reports each, and their profiles. */
export async function fillFacts(db: Db, now: Instant): Promise<void> {
  await inPortions(
    db,
    SIZES.symbols,
    `with one as (
       select 'sec_' || n as id, 'S' || n as symbol, 'Company ' || md5(n::text) || ' Inc.' as name
         from NUMBERS),
     called as (
       insert into security_symbol (symbol, security_id) select symbol, id from one)
     insert into security (id, symbol, name, exchange, active, reports, listed_at, symbols)
     select id, symbol, name, 'NYSE', true, true, to_timestamp($1 / 1000.0),
            jsonb_build_array(jsonb_build_object('symbol', symbol, 'from', null, 'to', null))
       from one`,
    [now],
  );
  await inPortions(
    db,
    SIZES.earnings,
    `insert into earnings_event (id, security_id, symbol, name, date, time, date_status, eps, currency,
                                 marker_ahead, split_factor, provenance, updated_at, known_from)
     select 'ern_' || n, 'sec_' || of, 'S' || of, 'Company ' || md5(of::text) || ' Inc.',
            date '2026-12-31' - ((n / ${SIZES.symbols}) * 91 + of % 60), 'time-pre-market',
            'confirmed', 1.25, 'USD', false, 1, '{}', to_timestamp($1 / 1000.0),
            to_timestamp($1 / 1000.0)
       from (select n, 1 + n % ${SIZES.symbols} as of from NUMBERS) e`,
    [now],
  );
  await inPortions(
    db,
    SIZES.symbols,
    `insert into profile (security_id, symbol, fields, provenance, updated_at, known_from)
     select 'sec_' || n, 'S' || n,
            jsonb_build_object('companyName', 'Company ' || md5(n::text) || ' Inc.',
                               'description', repeat('It makes things. ', 30)),
            '{}', to_timestamp($1 / 1000.0), to_timestamp($1 / 1000.0) from NUMBERS`,
    [now],
  );
}
