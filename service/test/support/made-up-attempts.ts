import { deliveryIdFloor } from '../../src/webhooks/queue/delivery-id.ts';
import { LEASE_MS } from '../../src/webhooks/queue/in-flight-attempt.ts';
import type { Random } from '../../src/platform/random.ts';
import type { Db } from '../../src/storage/db.ts';

const HOUR_MS = 3_600_000;
const DELIVERIES = 90;
const LIFE_DAYS = 50;

interface MadeUp {
  id: string;
  endpoint: string;
  openedAt: number;
  attempts: { startedAt: number; endsAt: number; state: string; status: number | null }[];
}

/**
 * Deliveries to three endpoints and their attempts over some weeks, written as time goes by: some are
 * tried days or weeks after they were opened, some stay under way for hours, and of some it becomes
 * known late what came out.
 */
export function madeUpAttempts(db: Db, random: Random) {
  const draw = (most: number) => Math.floor(random.float() * most);
  let all: MadeUp[] | undefined;
  let writtenTo = -Infinity;

  function makeAll(from: number): MadeUp[] {
    return Array.from({ length: DELIVERIES }, (_, index) => {
      const openedAt = from + draw(LIFE_DAYS * 24) * HOUR_MS + draw(4) * 1_799_999;
      const attempts = [];
      let at = openedAt + (random.float() < 0.1 ? draw(400) * HOUR_MS : 0);
      for (let n = 1 + draw(4); n > 0; n -= 1) {
        const endsAt = at + (random.float() < 0.2 ? draw(5 * HOUR_MS) : draw(15_000));
        const state = random.float() < 0.2 ? 'unknown' : 'finished';
        const status = [200, 204, 302, 404, 503, null][draw(6)] ?? null;
        attempts.push({ startedAt: at, endsAt, state, status });
        at = endsAt + 1 + draw(random.float() < 0.1 ? 300 * HOUR_MS : 20 * HOUR_MS);
      }
      const id = `${deliveryIdFloor(openedAt)}${String(index).padStart(20, '0')}`;
      return { id, endpoint: `whe_${'abc'.charAt(draw(3))}`, openedAt, attempts };
    });
  }

  /** Writes what happened since the last step. */
  async function step(now: number): Promise<void> {
    all ??= makeAll(now);
    const open = all.filter(
      ({ openedAt, attempts }) => openedAt <= now && (attempts.at(-1)?.endsAt ?? 0) > writtenTo,
    );
    await writeDeliveries(open, now);
    const ended = open.flatMap(({ id, attempts }) =>
      attempts.flatMap(({ startedAt, endsAt, state, status }, index) =>
        endsAt > writtenTo && endsAt <= now
          ? [
              {
                id,
                n: index + 1,
                at: startedAt,
                state,
                status,
                ms: draw(9) === 0 ? null : draw(50),
              },
            ]
          : [],
      ),
    );
    await db.query(
      `insert into delivery_attempt (delivery_id, n, state, claim_token, started_at, duration_ms,
                                     request_body, response_status, error_code)
       select id, n, state, 't', to_timestamp(at / 1000.0), ms, '', status,
              case when status is null then 'timeout' end
         from jsonb_to_recordset($1::jsonb)
           as r(id text, n int4, at float8, state text, status int4, ms float8)`,
      [JSON.stringify(ended)],
    );
    writtenTo = now;
  }

  async function writeDeliveries(open: readonly MadeUp[], now: number): Promise<void> {
    const rows = open.map(({ id, endpoint, openedAt, attempts }) => {
      const begun = attempts.filter(({ startedAt }) => startedAt <= now);
      const running = begun.find(({ endsAt }) => endsAt > now);
      const lastEnd = begun.findLast(({ endsAt }) => endsAt <= now)?.endsAt;
      const isOver = running === undefined && begun.length === attempts.length;
      const due = lastEnd ?? openedAt;
      const leaseUntil = running === undefined ? null : running.startedAt + LEASE_MS;
      const state = running === undefined ? (isOver ? 'delivered' : 'held') : 'in_progress';
      return { id, endpoint, openedAt, state, due, leaseUntil, finishedAt: isOver ? due : null };
    });
    await db.query(
      `insert into delivery (id, customer_id, endpoint_id, template_id, event_type, symbol, state,
                             changed_at, created_at, due_at, finished_at, claim_token, lease_until)
       select id, 'cus_a', endpoint, 't', 't.changed', id, state, to_timestamp("openedAt" / 1000.0),
              to_timestamp("openedAt" / 1000.0), to_timestamp(due / 1000.0),
              to_timestamp("finishedAt" / 1000.0), case when state = 'in_progress' then 't' end,
              to_timestamp("leaseUntil" / 1000.0)
         from jsonb_to_recordset($1::jsonb)
           as r(id text, endpoint text, "openedAt" float8, state text, due float8,
                "leaseUntil" float8, "finishedAt" float8)
       on conflict (id) do update
          set state = excluded.state, due_at = excluded.due_at, finished_at = excluded.finished_at,
              claim_token = excluded.claim_token, lease_until = excluded.lease_until`,
      [JSON.stringify(rows)],
    );
  }

  /** Of some attempts of which nobody knew it becomes known. */
  async function makeKnown(): Promise<void> {
    await db.query(
      `update delivery_attempt set state = 'finished', response_status = 200, duration_ms = 99
        where (delivery_id, n) in (
          select delivery_id, n from delivery_attempt where state = 'unknown'
           order by md5(delivery_id || $1) limit 2)`,
      [String(draw(1_000))],
    );
  }

  return { step, makeKnown };
}
