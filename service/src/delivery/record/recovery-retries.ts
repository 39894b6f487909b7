import { earliestAttemptAt } from '../../webhooks/queue/retry-schedule.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Row, Transaction } from '../../storage/db.ts';
import { retryAfterOf } from './next-state.ts';

/**
 * Once an endpoint has not returned 2xx for this time, it is considered down rather than rejecting
 * a few deliveries.
 */
const OUTAGE_MS = 3_600_000;

/** An endpoint that returned 2xx again, with its health before the recovery. */
export interface RecoveredEndpoint {
  endpointId: string;
  lastSuccessAt: Instant | null;
  failingSince: Instant | null;
}

/**
 * Makes the retries of recovered endpoints due now, but not before the receiver's `Retry-After` and
 * not within the one-minute pause for a busy receiver.
 *
 * A delivery that failed while others succeeded keeps its schedule: the receiver rejects that
 * delivery in particular, and retrying it after each success would use up its twelve attempts.
 * After an hour without a 2xx response, this exception does not apply.
 */
export async function advanceRetries(
  tx: Transaction,
  recovered: readonly RecoveredEndpoint[],
  now: Instant,
): Promise<void> {
  if (recovered.length === 0) return;
  // Returns the pending retries of each endpoint with their latest attempts, using index
  // delivery_due.
  const retries = await tx.query<Retry>(
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
      recovered.map((endpoint) => firstAttemptAfter(endpoint, now)),
      now,
    ],
  );
  const advanced = retries
    .map(({ id, dueAt, ...attempt }) => ({
      id,
      dueAt,
      at: Math.max(now, earliestOf(attempt, now)),
    }))
    .filter(({ at, dueAt }) => at < dueAt);
  if (advanced.length === 0) return;
  await tx.query(
    `update delivery d set due_at = to_timestamp(r.due / 1000.0)
       from unnest($1::text[], $2::float8[]) as r(id, due) where d.id = r.id`,
    [advanced.map(({ id }) => id), advanced.map(({ at }) => at)],
  );
}

/**
 * Returns the time of the last success, or 0 if there is none or the whole endpoint was down. A
 * delivery first attempted by that time failed while another delivery succeeded, so its retry is
 * not moved forward.
 */
function firstAttemptAfter(endpoint: RecoveredEndpoint, now: Instant): Instant {
  const { lastSuccessAt, failingSince } = endpoint;
  const wasDown = failingSince !== null && now - failingSince >= OUTAGE_MS;
  return wasDown ? 0 : (lastSuccessAt ?? 0);
}

interface LatestAttempt {
  startedAt: Instant;
  durationMs: number | null;
  status: number | null;
  code: string | null;
  headers: [string, string][] | null;
}

interface Retry extends Row, LatestAttempt {
  id: string;
  dueAt: Instant;
}

function earliestOf(attempt: LatestAttempt, now: Instant): Instant {
  const { startedAt, durationMs, status, code, headers } = attempt;
  // The attempt has already ended, even if a clock step puts its calculated end in the future.
  const at = Math.min(now, startedAt + (durationMs ?? 0));
  const isTimeout = code === 'timeout';
  return earliestAttemptAt({ at, status, isTimeout, retryAfter: retryAfterOf(headers ?? [], at) });
}
