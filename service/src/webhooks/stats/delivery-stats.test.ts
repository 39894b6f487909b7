import { sql, statement } from '../../storage/sql.ts';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import type { Db } from '../../storage/db.ts';
import { loadDeliveryStats } from './delivery-stats.ts';
import { deliveryIdFloor } from '../queue/delivery-id.ts';

const NOON = Date.UTC(2026, 10, 20, 17);
const HOUR_MS = 3_600_000;

onEachEngine((db) => {
  test('counts attempts in the hour in which they started, by endpoint and outcome', async () => {
    await tried(db(), 'whe_a', NOON, [{ ms: 10 }]);
    await tried(db(), 'whe_a', NOON + 60_000, [
      { ms: 300, error: 'http_5xx' },
      { ms: 20, afterMs: 5_000 },
    ]);
    await tried(db(), 'whe_a', NOON + 120_000, [{ ms: null, state: 'unknown' }]);
    await tried(db(), 'whe_a', NOON + 180_000, [{ ms: null, state: 'started' }]);
    await tried(db(), 'whe_b', NOON + HOUR_MS, [{ ms: 7, error: 'timeout' }]);
    expect(await slices(db(), 'hour')).toEqual([
      {
        endpointId: 'whe_a',
        at: NOON,
        delivered: 2,
        failed: 2,
        errors: {
          http_5xx: 1,
          unknown: 1,
        },
        p50Ms: 20,
        p95Ms: 300,
      },
      {
        endpointId: 'whe_b',
        at: NOON + HOUR_MS,
        delivered: 0,
        failed: 1,
        errors: { timeout: 1 },
        p50Ms: 7,
        p95Ms: 7,
      },
    ]);
  });

  test('counts an attempt made days after its delivery was created in the hour in which the attempt started', async () => {
    const openedAt = NOON - 76 * HOUR_MS;
    await tried(db(), 'whe_a', openedAt, [
      { ms: 5, error: 'dns' },
      { ms: 6, afterMs: NOON - openedAt },
    ]);
    expect(await slices(db(), 'hour')).toMatchObject([{ at: NOON, delivered: 1, failed: 0 }]);
  });

  test('classifies a response stored without an error code by its status', async () => {
    await tried(db(), 'whe_a', NOON, [
      { ms: 1, status: 503 },
      { ms: 1, status: 404 },
      { ms: 1, status: 302 },
      { ms: 1, status: 204 },
    ]);
    expect(await slices(db(), 'hour')).toMatchObject([
      { delivered: 1, failed: 3, errors: { http_4xx: 1, http_5xx: 1, redirect: 1 } },
    ]);
  });

  test('groups attempts by New York days', async () => {
    await tried(db(), 'whe_a', Date.UTC(2026, 10, 21, 4, 59), [{ ms: 1 }]);
    await tried(db(), 'whe_a', Date.UTC(2026, 10, 21, 5), [{ ms: 1 }]);
    const days = await slices(db(), 'day');
    expect(days.map(({ at }) => new Date(at).toISOString())).toEqual([
      '2026-11-20T05:00:00.000Z',
      '2026-11-21T05:00:00.000Z',
    ]);
  });
});

function slices(db: Db, by: 'hour' | 'day') {
  const span = { from: NOON - HOUR_MS, to: NOON + 24 * HOUR_MS };
  return loadDeliveryStats(db, { endpointIds: ['whe_a', 'whe_b', 'whe_c'], ...span, by });
}

interface Tried {
  ms: number | null;
  error?: string;
  /** Defaults to 200 without an error. */
  status?: number;
  state?: string;
  afterMs?: number;
}

let made = 0;

/**
 * Creates a delivery with attempts. The delivery is due, and finishes, at the time of its last
 * attempt.
 */
async function tried(
  db: Db,
  endpointId: string,
  openedAt: number,
  attempts: readonly Tried[],
): Promise<void> {
  const id = `${deliveryIdFloor(openedAt)}${String((made += 1)).padStart(20, '0')}`;
  const finishedAt = openedAt + (attempts.at(-1)?.afterMs ?? 0);
  await db.query(
    `insert into delivery (id, customer_id, endpoint_id, template_id, event_type, symbol, state,
                           changed_at, created_at, due_at, finished_at)
     values ($1, 'cus_a', $2, 't', 't.changed', $1, 'delivered', to_timestamp($3 / 1000.0),
             to_timestamp($3 / 1000.0), to_timestamp($4 / 1000.0), to_timestamp($4 / 1000.0))`,
    [id, endpointId, openedAt, finishedAt],
  );
  for (const [index, each] of attempts.entries()) {
    const { ms, error = null, state = 'finished', afterMs = 0 } = each;
    const status = each.status ?? (error === null ? 200 : null);
    const startedAt = openedAt + afterMs;
    await db.query(
      ...statement(sql`
        insert into delivery_attempt (delivery_id, n, state, claim_token, started_at, duration_ms,
                                      request_body, error_code, response_status)
        values (${id}, ${index + 1}, ${state}, 'token', to_timestamp(${startedAt} / 1000.0), ${ms},
                '{}', ${error}, ${status})`),
    );
  }
}
