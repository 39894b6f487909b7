import { deliveryIdFloor } from '../../src/webhooks/queue/delivery-id.ts';
import type { Random } from '../../src/platform/random.ts';
import type { Db } from '../../src/storage/db.ts';

const HOUR_MS = 3_600_000;
const DELIVERIES = 90;
const LIFE_DAYS = 50;

interface GeneratedDelivery {
  id: string;
  endpoint: string;
  openedAt: number;
  attempts: { startedAt: number; endsAt: number; state: string; status: number | null }[];
}

/**
 * Generates deliveries to three endpoints and their attempts over some weeks, written as time
 * passes. Some are attempted days or weeks after they were opened, some are in flight for hours,
 * and some outcomes become known late.
 */
export class AttemptGenerator {
  readonly #db: Db;
  readonly #random: Random;
  #deliveries: GeneratedDelivery[] | null = null;
  #writtenTo = -Infinity;

  constructor(db: Db, random: Random) {
    this.#db = db;
    this.#random = random;
  }

  /** Writes everything that happened since the last step. */
  async advance(now: number): Promise<void> {
    this.#deliveries ??= this.#makeDeliveries(now);
    const unwritten = this.#deliveries.filter(
      ({ openedAt, attempts }) =>
        openedAt <= now && (attempts.at(-1)?.endsAt ?? 0) > this.#writtenTo,
    );
    await this.#writeDeliveries(unwritten, now);
    const attempts = unwritten.flatMap((delivery) => this.#endedAttempts(delivery, now));
    await this.#db.query(
      `insert into delivery_attempt (delivery_id, n, state, claim_token, started_at, duration_ms,
                                     request_body, response_status, error_code)
       select id, n, state, 't', to_timestamp("startedAt" / 1000.0), "durationMs", '', status,
              case when status is null then 'timeout' end
         from jsonb_to_recordset($1::jsonb)
           as r(id text, n int4, "startedAt" float8, state text, status int4, "durationMs" float8)`,
      [JSON.stringify(attempts)],
    );
    this.#writtenTo = now;
  }

  /** Records an outcome for some attempts whose outcome is unknown. */
  async resolveUnknown(): Promise<void> {
    await this.#db.query(
      `update delivery_attempt set state = 'finished', response_status = 200, duration_ms = 99
        where (delivery_id, n) in (
          select delivery_id, n from delivery_attempt where state = 'unknown'
           order by md5(delivery_id || $1) limit 2)`,
      [String(this.#draw(1_000))],
    );
  }

  #draw(limit: number): number {
    return Math.floor(this.#random.float() * limit);
  }

  #makeDeliveries(from: number): GeneratedDelivery[] {
    return Array.from({ length: DELIVERIES }, (_, index) => {
      const openedAt = from + this.#draw(LIFE_DAYS * 24) * HOUR_MS + this.#draw(4) * 1_799_999;
      const attempts = this.#makeAttempts(openedAt);
      const id = `${deliveryIdFloor(openedAt)}${String(index).padStart(20, '0')}`;
      return { id, endpoint: `whe_${'abc'.charAt(this.#draw(3))}`, openedAt, attempts };
    });
  }

  #makeAttempts(openedAt: number): GeneratedDelivery['attempts'] {
    const attempts = [];
    const random = this.#random;
    let startedAt = openedAt + (random.float() < 0.1 ? this.#draw(400) * HOUR_MS : 0);
    for (let count = 1 + this.#draw(4); count > 0; count -= 1) {
      const isLong = random.float() < 0.2;
      const endsAt = startedAt + (isLong ? this.#draw(5 * HOUR_MS) : this.#draw(15_000));
      const state = random.float() < 0.2 ? 'unknown' : 'finished';
      const status = [200, 204, 302, 404, 503, null][this.#draw(6)] ?? null;
      attempts.push({ startedAt, endsAt, state, status });
      startedAt = endsAt + 1 + this.#draw(random.float() < 0.1 ? 300 * HOUR_MS : 20 * HOUR_MS);
    }
    return attempts;
  }

  #endedAttempts({ id, attempts }: GeneratedDelivery, now: number) {
    return attempts.flatMap(({ startedAt, endsAt, state, status }, index) => {
      if (endsAt <= this.#writtenTo || endsAt > now) return [];
      const durationMs = this.#draw(9) === 0 ? null : this.#draw(50);
      return [{ id, n: index + 1, startedAt, state, status, durationMs }];
    });
  }

  async #writeDeliveries(deliveries: readonly GeneratedDelivery[], now: number): Promise<void> {
    const rows = deliveries.map(({ id, endpoint, openedAt, attempts }) => {
      const startedAttempts = attempts.filter(({ startedAt }) => startedAt <= now);
      const running = startedAttempts.find(({ endsAt }) => endsAt > now);
      const lastEnd = startedAttempts.findLast(({ endsAt }) => endsAt <= now)?.endsAt;
      const isFinished = running === undefined && startedAttempts.length === attempts.length;
      const due = lastEnd ?? openedAt;
      const state = running === undefined ? (isFinished ? 'delivered' : 'held') : 'in_progress';
      return {
        id,
        endpoint,
        openedAt,
        state,
        due,
        claimedAt: running?.startedAt ?? null,
        finishedAt: isFinished ? due : null,
      };
    });
    await this.#db.query(
      `insert into delivery (id, customer_id, endpoint_id, template_id, event_type, symbol, state,
                             changed_at, created_at, due_at, finished_at)
       select id, 'cus_a', endpoint, 't', 't.changed', id, state, to_timestamp("openedAt" / 1000.0),
              to_timestamp("openedAt" / 1000.0), to_timestamp(due / 1000.0),
              to_timestamp("finishedAt" / 1000.0)
         from jsonb_to_recordset($1::jsonb)
           as r(id text, endpoint text, "openedAt" float8, state text, due float8,
                "finishedAt" float8)
       on conflict (id) do update
          set state = excluded.state, due_at = excluded.due_at, finished_at = excluded.finished_at`,
      [JSON.stringify(rows)],
    );
    await this.#db.query('delete from delivery_claim');
    for (const { id, endpoint, claimedAt } of rows) {
      if (claimedAt !== null) await addClaim(this.#db, { id, endpointId: endpoint, claimedAt });
    }
  }
}

/** Adds an open claim of one delivery. */
export async function addClaim(
  db: Db,
  claim: { id: string; endpointId: string; claimedAt: number },
): Promise<void> {
  const { id, endpointId, claimedAt } = claim;
  await db.query(
    `insert into delivery_claim (token, claimed_at, lease_until, size, delivery_ids, endpoint_ids,
                                 symbols, attempts, changed_fields, data, texts)
     select 'token of ' || $1, to_timestamp($3 / 1000.0), to_timestamp($3 / 1000.0 + 60), 1, array[$1],
            array[$2], array[symbol], array[attempt_count + 1], array['{}'], array[1], array['{}']
       from delivery where id = $1`,
    [id, endpointId, claimedAt],
  );
}
