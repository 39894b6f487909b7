import type { Db, Row } from '../../../src/storage/db.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** Documented delays before attempts 1, 2, … 12, repeated here independently of the service. */
const DELAYS_MS = [
  0,
  5 * SECOND,
  30 * SECOND,
  120 * SECOND,
  600 * SECOND,
  1800 * SECOND,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
const BUSY_MS = 60 * SECOND;
/** Each of the two workers' clocks may be off by five seconds before the worker stops sending. */
const TOLERANCE_MS = 11 * SECOND;

interface LastAttempt extends Row {
  endpoint_id: string;
  started_at: number;
  state: string;
  response_status: number | null;
  error_code: string | null;
  response_headers: [string, string][] | null;
  outcomes: number;
  /**
   * Number of attempts whose lease expired. They are retried immediately, even if the result
   * arrives later.
   */
  unknown: number;
  earlier: number;
}

/** Checks that no attempt starts early, by reading the store at the start of each attempt. */
export function createScheduleCheck(
  { db, now }: { db: Db; now: () => number },
  report: (violation: string) => void,
): {
  onPost(body: string): Promise<void>;
  /**
   * Permits early attempts. Called when the endpoint recovered or was enabled, since pending
   * deliveries may then be sent immediately.
   */
  allowEarly(endpointId: string): void;
} {
  const allowedEarlyAt = new Map<string, number>();

  async function onPost(body: string): Promise<void> {
    const { id } = JSON.parse(body) as { id: string };
    const [last] = await db.query<LastAttempt>(
      `select d.endpoint_id, d.unknown_count as unknown, d.attempt_count - 1 as earlier, a.started_at, a.state, a.response_status, a.error_code,
              a.response_headers,
              (select count(*) from delivery_attempt o
                where o.delivery_id = a.delivery_id and o.state = 'finished') as outcomes
         from delivery_attempt a join delivery d on d.id = a.delivery_id
        where a.delivery_id = $1 and a.state <> 'started' order by a.n desc limit 1`,
      [id],
    );
    if (last === undefined || last.state !== 'finished') return;
    if (last.outcomes + last.unknown > last.earlier) return;
    if ((allowedEarlyAt.get(last.endpoint_id) ?? 0) >= last.started_at - TOLERANCE_MS) return;
    const earliest = last.started_at + delayOf(last);
    if (now() + TOLERANCE_MS < earliest) {
      const early = Math.round((earliest - now()) / SECOND);
      report(`${id} was sent ${early} s early, after ${last.outcomes} outcomes`);
    }
  }

  return { onPost, allowEarly: (endpointId) => void allowedEarlyAt.set(endpointId, now()) };
}

function delayOf({ outcomes, response_status: status, error_code: code, ...last }: LastAttempt) {
  const planned = DELAYS_MS[outcomes] ?? DELAYS_MS.at(-1) ?? 0;
  const isBusy = code === 'timeout' || [429, 502, 504].includes(status ?? 0);
  const retryAfter = last.response_headers?.find(([name]) => name === 'Retry-After')?.[1];
  const retryAfterMs = retryAfter === undefined ? 0 : Number(retryAfter) * SECOND;
  return Math.max(planned, isBusy ? BUSY_MS : 0, retryAfterMs);
}
