import type { Db } from '../../../src/storage/db.ts';

export const SIZES = { companies: 10_000, subscriptions: 1_000, listed: 100, bySymbol: 100 };
export const TEMPLATE = 'earnings_schedule';
/** Template of the subscriptions to symbols, which the sets are compared with. */
export const BARE_TEMPLATE = 'by_symbol';
/** Data of every company after its last fan-out. */
const OLD_DATA = '{"date":"2026-11-20"}';

export function symbolOf(index: number): string {
  return `S${String(index).padStart(5, '0')}`;
}

const SYMBOL = `'S' || lpad(n::text, 5, '0')`;
const EXCHANGES = `array['NASDAQ', 'NYSE', 'AMEX']`;

/**
 * Stores companies on three exchanges and in eleven sectors, and endpoints that subscribe to one set
 * each: a quarter to all companies, and one quarter each to an exchange, a sector and a watchlist.
 */
export async function fill(db: Db): Promise<void> {
  const { companies, subscriptions, listed } = SIZES;
  const companyRows = `generate_series(0, ${companies - 1}) as n`;
  const endpointRows = `generate_series(0, ${subscriptions - 1}) as n`;
  for (const statement of [
    `insert into customer (id, name, plan, created_at) values ('cus', 'Desk', 'pro', now())`,
    `insert into security (id, symbol, cik, name, exchange, active, reports, symbols, former_ciks)
     select 'sec_' || ${SYMBOL}, ${SYMBOL}, null, 'Company ' || n, (${EXCHANGES})[1 + n % 3], true,
            true, jsonb_build_array(jsonb_build_object('symbol', ${SYMBOL}, 'from', null, 'to', null)),
            '[]'
       from ${companyRows}`,
    `insert into security_symbol (symbol, security_id)
     select symbol, id from security`,
    `insert into profile (security_id, symbol, fields, provenance, updated_at, known_from)
     select 'sec_' || ${SYMBOL}, ${SYMBOL}, jsonb_build_object('sector', 'Sector ' || n % 11), '{}',
            now(), now()
       from ${companyRows}`,
    `insert into webhook_endpoint (id, customer_id, url, created_at, updated_at)
     select 'e' || lpad(n::text, 5, '0'), 'cus', 'https://receiver.example/', now(), now()
       from ${endpointRows}`,
    `insert into watchlist (id, customer_id, name, created_at, updated_at)
     select 'wl_' || n, 'cus', 'list-' || n, now(), now() from ${endpointRows} where n % 4 = 3`,
    // The step is prime, so that the lists differ.
    `insert into watchlist_member (watchlist_id, security_id, symbol, added_at)
     select distinct w.id, 'sec_' || ${SYMBOL}, ${SYMBOL}, now()
       from watchlist w, generate_series(1, ${listed}) as i,
            lateral (select (substr(w.id, 4)::int * 7919 + i * 97) % ${companies} as n) m`,
    `insert into webhook_subscription (template_id, symbol, endpoint_id, created_at, kind)
     select '${TEMPLATE}',
            case n % 4 when 0 then '*' when 1 then 'exchange:' || lower((${EXCHANGES})[1 + n % 3])
                       when 2 then 'sector:sector-' || n % 11 else '@wl_' || n end,
            'e' || lpad(n::text, 5, '0'), now(), 'set'
       from ${endpointRows}`,
    `insert into webhook_baseline (template_id, symbol, data)
     select '${TEMPLATE}', ${SYMBOL}, '${OLD_DATA}' from ${companyRows}`,
    `insert into webhook_cursor (name, position) values ('baseline ${TEMPLATE}', 1)`,
    BARE_SUBSCRIPTIONS,
    db.engine === 'postgres' ? 'vacuum analyze' : 'analyze',
  ]) {
    await db.execute(statement);
  }
}

/** Subscribes the endpoints that the sets select for some companies to the companies' symbols. */
const BARE_SUBSCRIPTIONS = `
  insert into webhook_subscription (template_id, symbol, endpoint_id, created_at, answered_data)
  select '${BARE_TEMPLATE}', s.symbol, w.endpoint_id, now(), '${OLD_DATA}'
    from (select s.id, s.symbol, s.exchange, p.fields->>'sector' as sector from security s
            join profile p on p.security_id = s.id order by s.symbol limit ${SIZES.bySymbol}) s
    join webhook_subscription w on w.template_id = '${TEMPLATE}' and w.kind = 'set'
   where w.symbol in ('*', 'exchange:' || lower(s.exchange),
                      'sector:' || replace(lower(s.sector), ' ', '-'))
      or exists (select 1 from watchlist_member m
                  where w.symbol = '@' || m.watchlist_id and m.security_id = s.id)`;
