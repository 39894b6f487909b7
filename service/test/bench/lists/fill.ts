import type { Instant } from '../../../src/platform/instant.ts';
import type { Db } from '../../../src/storage/db.ts';
import { fillDeliveries } from './fill-deliveries.ts';
import { fillFacts } from './fill-facts.ts';
import { BIG, inPortions, momentOf, OWNER, SIZES } from './portions.ts';

/** Fills a store with a month of data in which every day is busy. */
export async function fill(db: Db, now: Instant): Promise<void> {
  for (const part of [fillAccounts, fillDeliveries, fillFacts, fillLogs, fillQuarantine]) {
    process.stderr.write(`${db.engine}: ${part.name}\n`);
    await part(db, now);
  }
  // On a server, autovacuum would soon do this. The embedded engine has no autovacuum.
  if (db.engine === 'postgres') await db.execute('vacuum analyze');
}

async function fillAccounts(db: Db, now: Instant): Promise<void> {
  await inPortions(
    db,
    SIZES.customers,
    `insert into customer (id, name, plan, created_at, suspended_at)
     select 'cus_' || n, 'Customer ' || md5(n::text), 'pro', to_timestamp($1 / 1000.0),
            case when n % 50 = 0 then to_timestamp($1 / 1000.0) end from NUMBERS`,
    [now],
  );
  await inPortions(
    db,
    SIZES.usage,
    `insert into usage_hour (customer_id, hour, key_id, endpoint, status, requests)
     select case when n % 10 = 0 then '${BIG}' else 'cus_' || (2 + n % ${SIZES.customers - 1}) end,
            date_trunc('hour', ${momentOf(SIZES.usage)}), 'key_' || n % 3, 'e' || n % 7,
            (array[200, 404, 429])[1 + n % 3], 1 + n % 90 from NUMBERS
     on conflict do nothing`,
    [now],
  );
}

async function fillLogs(db: Db, now: Instant): Promise<void> {
  await inPortions(
    db,
    SIZES.requests,
    `insert into request_log (at, customer_id, key_id, method, path, status, duration_ms, request_id)
     select ${momentOf(SIZES.requests)}, ${OWNER}, 'key_' || n % 3, 'GET',
            (array['/v1/earnings/S', '/v1/calendar/earnings?date=2026-11-', '/v1/profile/S'])[1 + n % 3]
              || n % 30,
            case when n % 5000 = 0 then 503 when n % 50 = 0 then 404 else 200 end, n % 40,
            'req_' || md5(n::text) from NUMBERS`,
    [now],
  );
  await inPortions(
    db,
    SIZES.runs,
    `insert into ingest_run (provider, feed, datasets, url, started_at, duration_ms, outcome, reason,
                             rows_seen, rows_new, rows_changed, rows_same, rows_quarantined)
     select 'source-' || n % 8, 'feed', '{earnings}', 'https://source.example/list?page=' || n,
            ${momentOf(SIZES.runs)}, n % 900,
            case when n % 1000 = 0 then 'rejected' when n % 100 = 0 then 'unavailable'
                 else 'ingested' end,
            case when n % 100 = 0 then 'timeout' end, 40, 1, 2, 37, 0 from NUMBERS`,
    [now],
  );
  await inPortions(
    db,
    SIZES.audit,
    `insert into audit_event (at, actor_kind, actor_id, actor_label, address, act, customer_id,
                              subject, details)
     select ${momentOf(SIZES.audit)}, 'person', 'per_' || n % 700, 'someone@example.com',
            '198.51.100.7',
            case when n % 2000 = 0 then 'plan.change'
                 else (array['key.create', 'key.revoke', 'session.sign-in'])[1 + n % 3] end,
            ${OWNER}, 'thing_' || n, '{"name":"a job"}' from NUMBERS`,
    [now],
  );
}

/**
 * Fills the quarantine. Half of the rows are invalid, and half are records that no fact uses. Some
 * are resolved.
 */
async function fillQuarantine(db: Db, now: Instant): Promise<void> {
  const half = SIZES.quarantined / 2;
  await db.query(`insert into raw_body (sha256, gzip, size_bytes) values ('\\x01', '\\x01', 1)`);
  await inPortions(
    db,
    500,
    `insert into raw_answer (provider, feed, url, status, content_type, observed_at, received_at,
                             body_sha256, outcome)
     select 'source-' || n % 8, 'feed', 'https://source.example/' || n, 200, 'application/json',
            ${momentOf(500)}, ${momentOf(500)}, '\\x01', 'ingested' from NUMBERS`,
    [now],
  );
  await inPortions(
    db,
    half,
    `insert into quarantined_row (answer_id, dataset, subject, reason, detail, row_sha256, row_json,
                                  quarantined_at)
     select 1 + n % 500, (array['earnings', 'dividends', 'ipos'])[1 + n % 3], 'S' || n,
            'reason-' || n % 6, 'no number', sha256(n::text::bytea), '{"symbol":"S","eps":"n/a"}',
            ${momentOf(half)} from NUMBERS`,
    [now],
  );
  await inPortions(
    db,
    half,
    `with record as (
       insert into source_record (dataset, subject, provider, feed, natural_key, fields_sha256, fields)
       select (array['dividends', 'earnings'])[1 + n % 2], 'S' || n, 'source-' || n % 8, 'feed',
              'k' || n, sha256(n::text::bytea), '{"symbol":"S","kind":"filing"}' from NUMBERS
       returning id, dataset, subject),
     seen as (
       insert into sighting (record_id, observed_at, answer_id)
       select id, to_timestamp($1 / 1000.0), 1 from record)
     insert into held_record (record_id, dataset, owner, reason, detail)
     select id, dataset, subject, 'paid-before-ex-date', 'paid too early' from record`,
    [now],
  );
  await db.query(
    `insert into quarantine_decision (decision, why, decided_at, decided_by, record_id, provider,
                                      feed, dataset, subject, reason, detail)
     select case when id % 40 = 0 then 'accepted' else 'rejected' end, 'looked at', now(),
            'someone', id, provider, feed, dataset, subject, 'paid-before-ex-date', 'paid too early'
       from source_record where id % 20 = 0`,
  );
}
