import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import {
  claimAll,
  deliverAll,
  deliveryRows,
  publish,
  fanOutAll,
  subscribedWorld,
} from '../../../test/support/webhook-world.ts';
import type { Db } from '../../storage/db.ts';
import type { PostOutcome } from '../send/agent.ts';
import { expireLeases } from './expire-leases.ts';
import { recordAttempts } from './record.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const DURATION_MS = 1_500;
/** All values differ, so that the test fails if two columns are swapped. */
const TIMINGS = { dnsMs: 11, connectMs: 22, tlsMs: 33, firstByteMs: 44, totalMs: 155 };
const REQUEST_HEADERS = [['X-Request', 'sent']] as const;
const RESPONSE_HEADERS: [string, string][] = [['X-Response', 'received']];

const DELIVERED: PostOutcome = respond(202);
const REJECTED: PostOutcome = respond(404);
const TIMED_OUT: PostOutcome = {
  kind: 'failed',
  code: 'timeout',
  detail: 'The receiver did not respond in time.',
  remoteAddress: '203.0.113.9',
  timings: TIMINGS,
  maybeSent: true,
};

onEachEngine((db) => {
  test.each([
    { name: 'a delivered attempt', outcome: DELIVERED, isLate: false },
    { name: 'an attempt with an error response', outcome: REJECTED, isLate: false },
    { name: 'an attempt without a response', outcome: TIMED_OUT, isLate: false },
    { name: 'the late result of a delivered attempt', outcome: DELIVERED, isLate: true },
    { name: 'the late result of an attempt without a response', outcome: TIMED_OUT, isLate: true },
  ])('stores all columns of the attempt row for $name', async ({ outcome, isLate }) => {
    const { deps, clock, claim } = await secondDelivery(db());
    await clock.advance(isLate ? 60_000 : DURATION_MS);
    if (isLate) expect(await expireLeases(deps)).toBe(1);
    const result = { delivery: claim, outcome, requestHeaders: REQUEST_HEADERS, at: clock.now() };
    await recordAttempts(deps, [result]);
    const isResponse = outcome.kind === 'responded';
    const rows = await db().query(`select * from delivery_attempt where delivery_id = $1`, [
      claim.id,
    ]);
    expect(rows).toEqual([
      {
        delivery_id: claim.id,
        n: 1,
        state: 'finished',
        claim_token: claim.claimToken,
        // A late result completes the row that the expired lease has left.
        started_at: isLate ? claim.startedAt : clock.now() - 155,
        request_headers: REQUEST_HEADERS,
        request_body: claim.body,
        duration_ms: 155,
        dns_ms: 11,
        connect_ms: 22,
        tls_ms: 33,
        first_byte_ms: 44,
        remote_address: '203.0.113.9',
        response_status: isResponse ? outcome.status : null,
        response_headers: isResponse ? RESPONSE_HEADERS : null,
        response_body: isResponse ? 'received body' : null,
        truncated: isResponse,
        ...errorOf(outcome),
      },
    ]);
  });

  test.each([
    { name: 'a delivered attempt', outcome: DELIVERED, state: 'delivered' },
    { name: 'a failed attempt', outcome: REJECTED, state: 'retrying' },
  ])('stores the state, status and times of a delivery after $name', async (expected) => {
    const { deps, clock, claim } = await secondDelivery(db());
    await clock.advance(DURATION_MS);
    const { outcome, state } = expected;
    const at = clock.now();
    await recordAttempts(deps, [{ delivery: claim, outcome, requestHeaders: [], at }]);
    const isDelivered = state === 'delivered';
    const rows = await deliveryRows(db());
    expect(rows.find(({ id }) => id === claim.id)).toMatchObject({
      state,
      superseded_by: null,
      may_have_left: true,
      sent_data: isDelivered ? null : claim.data,
      response_status: isDelivered ? 202 : 404,
      last_error_code: isDelivered ? null : 'http_4xx',
      delivered_at: isDelivered ? at : null,
      finished_at: isDelivered ? at : null,
    });
    const [subscription] = await db().query(
      `select answered_data, answered_at, named_fields from webhook_subscription`,
    );
    expect(subscription).toEqual({
      answered_data: isDelivered ? claim.data : expect.not.stringMatching(claim.data),
      answered_at: isDelivered ? at : NOW,
      named_fields: isDelivered ? [] : claim.changedFields,
    });
  });
});

/** Claims the second delivery to an endpoint that has already acknowledged the first. */
async function secondDelivery(db: Db) {
  const { deps, clock } = await subscribedWorld(db, { now: NOW });
  await publish(deps, 'NRTH', { epsEstimate: '1.3' });
  await deliverAll(deps);
  await clock.advance(500);
  await publish(deps, 'NRTH', { epsEstimate: '1.4' });
  await fanOutAll(deps);
  const [claim] = await claimAll(deps);
  if (claim === undefined) throw new Error('no delivery was claimed');
  return { deps, clock, claim };
}

function respond(status: number): PostOutcome {
  return {
    kind: 'responded',
    status,
    headers: RESPONSE_HEADERS,
    body: 'received body',
    truncated: true,
    remoteAddress: '203.0.113.9',
    timings: TIMINGS,
  };
}

function errorOf(outcome: PostOutcome) {
  if (outcome.kind === 'failed') {
    return { error_code: outcome.code, error_detail: outcome.detail };
  }
  if (outcome.status < 300) return { error_code: null, error_detail: null };
  return { error_code: 'http_4xx', error_detail: expect.stringContaining('404') };
}
