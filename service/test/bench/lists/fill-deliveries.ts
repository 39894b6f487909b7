import { makeDeliveryId } from '../../../src/webhooks/queue/delivery-id.ts';
import type { Instant } from '../../../src/platform/instant.ts';
import { seededRandom } from '../../../src/platform/random.ts';
import type { Db } from '../../../src/storage/db.ts';
import { inPortions, SIZES } from './portions.ts';

const MONTH_MS = 30 * 86_400_000;
const PORTION = 10_000;

/**
 * Inserts a month of deliveries with their attempts. Half of them belong to one customer with ten
 * endpoints.
 */
export async function fillDeliveries(db: Db, now: Instant): Promise<void> {
  await inPortions(
    db,
    SIZES.customers,
    `insert into webhook_endpoint (id, customer_id, url, created_at, updated_at, is_slow)
     select 'whe_' || n || '_' || e, 'cus_' || n, 'https://receiver.example/' || n || '/' || e,
            to_timestamp($1 / 1000.0), to_timestamp($1 / 1000.0), false
       from NUMBERS cross join lateral generate_series(1, case n when 1 then 10 else 1 end) as e`,
    [now],
  );
  const random = seededRandom(3);
  for (let first = 0; first < SIZES.deliveries; first += PORTION) {
    const ats = Array.from(
      { length: PORTION },
      (_, at) => now - MONTH_MS + ((first + at) / SIZES.deliveries) * MONTH_MS,
    ).map(Math.floor);
    await addPortion(
      db,
      ats.map((at) => [makeDeliveryId(at, random), at] as const),
      first,
    );
  }
}

async function addPortion(
  db: Db,
  opened: readonly (readonly [id: string, at: Instant])[],
  first: number,
): Promise<void> {
  const ids = opened.map(([id]) => id);
  const times = opened.map(([, at]) => new Date(at).toISOString());
  await db.query(
    `insert into delivery (id, customer_id, endpoint_id, template_id, event_type, symbol, state,
                           is_test, changed_at, created_at, due_at, first_attempt_at, delivered_at,
                           finished_at, response_status, attempt_count, last_error_code, sent_data)
     select id, 'cus_' || owner,
            'whe_' || owner || '_' || (case owner when 1 then 1 + (n / 2) % 10 else 1 end),
            case when n % 500 = 0 then 'earnings_result' else 'earnings_schedule' end,
            'earnings_schedule.changed', 'S' || n % ${SIZES.symbols},
            case when n % 200 = 1 then 'failed' when n % 100 = 3 then 'retrying' else 'delivered' end,
            n % 1000 = 5, at, at, at, at, at, at, case when n % 200 = 1 then 500 else 200 end, 1,
            case when n % 200 = 1 then 'http_5xx' end, repeat('x', 300)
       from (select id, at, $3 + place as n,
                    case when ($3 + place) % 2 = 0 then 1
                         else 2 + ($3 + place) % ${SIZES.customers - 1} end as owner
               from unnest($1::text[], $2::timestamptz[]) with ordinality as u(id, at, place)) d
     on conflict do nothing`,
    [ids, times, first],
  );
  await db.query(
    `insert into delivery_attempt (delivery_id, n, state, claim_token, started_at, duration_ms,
                                   request_headers, request_body, response_status, error_code)
     select d.id, 1, 'finished', 't', d.created_at, 20 + length(d.symbol) * 7,
            '[["content-type","application/json"],["webhook-id","x"]]', repeat('y', 500),
            d.response_status, d.last_error_code
       from unnest($1::text[]) as u(id) join delivery d on d.id = u.id`,
    [ids],
  );
}
