import { earliestAttemptAt } from '../../webhooks/queue/attempt-schedule.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Row, Transaction } from '../../storage/db.ts';
import { retryAfterOf } from './next-state.ts';

/** After so long without a 2xx it was the endpoint that failed, and not a few of its deliveries. */
const OUTAGE_MS = 3_600_000;

/** An endpoint that answers 2xx again, and how it stood before. */
export interface RecoveredEndpoint {
  endpointId: string;
  lastSuccessAt: Instant | null;
  failingSince: Instant | null;
}

/**
 * An endpoint that answers again gets what waited for its next attempt at once; never before a receiver
 * asked for it, nor within the minute that a busy one is left alone. What an answer between its attempts
 * has passed over keeps to its schedule: the receiver refuses it alone, and each 2xx for another would
 * else cost it one of its twelve attempts. After an hour without a 2xx nothing is passed over.
 */
export async function advanceRetries(
  tx: Transaction,
  recovered: readonly RecoveredEndpoint[],
  now: Instant,
): Promise<void> {
  if (recovered.length === 0) return;
  // What waits of each endpoint, by index delivery_due, with its newest attempt, by the primary key.
  const waiting = await tx.query<Waiting>(
    `select d.id, d.due_at as "dueAt", a.started_at as "startedAt", a.duration_ms as "durationMs",
            a.response_status as status, a.error_code as code, a.response_headers as headers
       from unnest($1::text[], $2::float8[]) as e(id, since) cross join lateral (
         select w.id, w.due_at, w.attempt_count from delivery w
          where w.endpoint_id = e.id and w.state = 'retrying'
            and w.due_at > to_timestamp($3 / 1000.0)
            and w.first_attempt_at > to_timestamp(e.since / 1000.0)) d
       join delivery_attempt a on a.delivery_id = d.id and a.n = d.attempt_count`,
    [
      recovered.map(({ endpointId }) => endpointId),
      recovered.map((one) => passedOverBefore(one, now)),
      now,
    ],
  );
  const due = waiting.map((one) => ({ ...one, at: Math.max(now, earliestOf(one, now)) }));
  const earlier = due.filter(({ at, dueAt }) => at < dueAt);
  if (earlier.length === 0) return;
  // By the primary key.
  await tx.query(
    `update delivery d set due_at = to_timestamp(r.due / 1000.0)
       from unnest($1::text[], $2::float8[]) as r(id, due) where d.id = r.id`,
    [earlier.map(({ id }) => id), earlier.map(({ at }) => at)],
  );
}

/** What was first attempted by then has been passed over by a 2xx; 0: nothing. */
function passedOverBefore(
  { lastSuccessAt, failingSince }: RecoveredEndpoint,
  now: Instant,
): Instant {
  const wasOut = failingSince !== null && now - failingSince >= OUTAGE_MS;
  return wasOut ? 0 : (lastSuccessAt ?? 0);
}

interface Waiting extends Row {
  id: string;
  dueAt: Instant;
  startedAt: Instant;
  durationMs: number | null;
  status: number | null;
  code: string | null;
  headers: [string, string][] | null;
}

function earliestOf(attempt: Waiting, now: Instant): Instant {
  const { startedAt, durationMs, status, code, headers } = attempt;
  // It is over, whatever a clock that was set makes of it.
  const at = Math.min(now, startedAt + (durationMs ?? 0));
  const isTimeout = code === 'timeout';
  return earliestAttemptAt({ at, status, isTimeout, retryAfter: retryAfterOf(headers ?? [], at) });
}
