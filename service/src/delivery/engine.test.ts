import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { eventOf, storeRows } from '../../test/support/stored-earnings.ts';
import {
  addCompanies,
  addEndpoint,
  respondWith,
  claimAll,
  deliverAll,
  deliveryRows,
  engineDeps,
  failWith,
  recordOutcomes,
  publish,
  subscribe,
  fanOutAll,
} from '../../test/support/webhook-world.ts';
import { localDate } from '../domain/local-date.ts';
import { fakeClock, type FakeClock } from '../../test/support/fake-clock.ts';
import type { Db } from '../storage/db.ts';
import type { EngineDeps } from './engine.ts';
import { queueDateRollover } from './fan-out/date-rollover.ts';
import { expireLeases } from './record/expire-leases.ts';
import { releaseClaims } from './record/release-claims.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const HOUR = 3_600_000;

onEachEngine((db) => {
  test('sends a change to subscribers to the company, with the current data and the changed fields', async () => {
    const { deps } = await world(db());
    await publish(deps, 'NRTH', { date: localDate('2026-11-23'), epsEstimate: '1.3' });
    const sent = await deliverAll(deps);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      template_id: 'earnings_schedule',
      event_type: 'earnings_schedule.changed',
      context: { symbol: 'NRTH' },
      data: { date: '2026-11-23', epsEstimate: 1.3, eps: null },
      changed_fields: ['date', 'epsEstimate'],
    });
    const [row] = await deliveryRows(db());
    expect(row).toMatchObject({
      id: sent[0]?.id,
      state: 'delivered',
      delivered_at: NOW,
      response_status: 200,
      attempt_count: 1,
      changed_fields: ['date', 'epsEstimate'],
    });
    expect(await deliverAll(deps)).toEqual([]);
  });

  test('sends nothing just because an endpoint subscribes to a company', async () => {
    const { deps } = await world(db());
    expect(await deliverAll(deps)).toEqual([]);
    expect(await deliveryRows(db())).toEqual([]);
  });

  test('sends a change that is stored between reading the data for a new subscription and committing it', async () => {
    const { deps } = await world(db(), { isSettled: false });
    await db().query(`update webhook_subscription set answered_data = null`);
    const [sent] = await deliverAll(deps);
    expect(sent?.changed_fields).toEqual(['date', 'time', 'epsEstimate']);
  });

  test('lists every known field in the first delivery for a report', async () => {
    const { deps } = await world(db(), { symbols: [] });
    await addCompanies(db(), ['VLY']);
    await db().query(`delete from earnings_event`);
    await subscribe(deps, 'ep', ['VLY']);
    await publish(deps, 'VLY', { revenueEstimate: '9000000' });
    const [sent] = await deliverAll(deps);
    expect(sent?.changed_fields).toEqual(['date', 'time', 'epsEstimate', 'revenueEstimate']);
  });

  test('creates no delivery for a change to a field outside the template', async () => {
    const { deps } = await world(db());
    await publish(deps, 'NRTH', { estimateCount: 9 });
    expect(await deliverAll(deps)).toEqual([]);
    expect(await deliveryRows(db())).toEqual([]);
  });

  test('ignores changes observed more than 24 hours before they were stored', async () => {
    const { deps } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.4' }, NOW - 24 * HOUR - 1);
    expect(await deliverAll(deps)).toEqual([]);
    await publish(deps, 'NRTH', { epsEstimate: '1.5' }, NOW - 24 * HOUR);
    expect(await deliverAll(deps)).toHaveLength(1);
  });

  test('sends a change that was recent when it was stored, even if no worker ran for a long time', async () => {
    const { deps, clock } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.4' }, NOW - 24 * HOUR);
    await clock.advance(60 * HOUR);
    expect(await deliverAll(deps)).toHaveLength(1);
  });

  test('sends recent changes even after a clock that ran ahead is set back', async () => {
    const { deps, clock } = await world(db());
    const ahead = fakeClock(NOW + 48 * HOUR);
    await publish({ db: db(), clock: ahead }, 'NRTH', { epsEstimate: '1.4' }, NOW - HOUR);
    expect(clock.now()).toBe(NOW);
    expect(await deliverAll(deps)).toHaveLength(1);
  });

  test('adds a change to a delivery that was never attempted', async () => {
    const { deps } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    await publish(deps, 'NRTH', { date: localDate('2026-11-24') });
    const sent = await deliverAll(deps);
    expect(sent.map((body) => body.changed_fields)).toEqual([['date', 'epsEstimate']]);
  });

  test('cancels a pending delivery if the value changes back before any attempt', async () => {
    const { deps } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    await publish(deps, 'NRTH', { epsEstimate: '1.2' });
    expect(await deliverAll(deps)).toEqual([]);
    expect(await deliveryRows(db())).toMatchObject([
      { state: 'cancelled', last_error_code: 'no_change', attempt_count: 0 },
    ]);
  });

  test('supersedes an attempted delivery when the data changes: the new delivery is due now and lists the earlier fields too', async () => {
    const { deps, clock } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    const [first] = await deliverAll(deps, () => respondWith(500));
    await clock.advance(1000);
    await publish(deps, 'NRTH', { epsEstimate: '1.2', date: localDate('2026-11-24') });
    const [second] = await deliverAll(deps);
    expect(second?.id).not.toBe(first?.id);
    expect(second?.changed_fields).toEqual(['date', 'epsEstimate']);
    expect(await deliveryRows(db())).toMatchObject([
      { id: first?.id, state: 'superseded', superseded_by: second?.id },
      { id: second?.id, state: 'delivered' },
    ]);
  });

  test('adds a change to a delivery that was attempted without sending a byte', async () => {
    const { deps } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    const [first] = await deliverAll(deps, () => failWith('dns', false));
    await publish(deps, 'NRTH', { epsEstimate: '1.2', date: localDate('2026-11-24') });
    await fanOutAll(deps);
    const rows = await deliveryRows(db());
    expect(rows).toMatchObject([{ id: first?.id, state: 'retrying', last_error_code: 'dns' }]);
    const [row] = await db().query<{ named_fields: string[] }>(
      `select named_fields from webhook_subscription`,
    );
    expect(row?.named_fields).toEqual([]);
  });

  test('retries a delivery with the same id and body after the scheduled delay', async () => {
    const { deps, clock } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    const [first] = await deliverAll(deps, () => respondWith(500));
    const [row] = await deliveryRows(db());
    expect(row?.due_at).toBeGreaterThanOrEqual(NOW + 5_000);
    expect(row?.due_at).toBeLessThanOrEqual(NOW + 6_001);
    await clock.advance((row?.due_at ?? 0) - NOW - 1);
    expect(await deliverAll(deps)).toEqual([]);
    await clock.advance(1);
    expect(await deliverAll(deps)).toEqual([first]);
  });

  test('retries a delivery under a new id if the data changed without a change record', async () => {
    const { deps, clock } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    const [first] = await deliverAll(deps, () => respondWith(500));
    await publish(deps, 'NRTH', { epsEstimate: '1.4' }, NOW - 25 * HOUR);
    await clock.advance(10_000);
    const sent = await deliverAll(deps);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.id).not.toBe(first?.id);
    expect(sent[0]?.data['epsEstimate']).toBe(1.4);
  });

  test('waits for the delivery in flight before sending a newer change: a 2xx response completes it, and any other outcome supersedes it', async () => {
    for (const status of [200, 500]) {
      const { deps, clock } = await world(db(), {
        endpointId: `ep${status}`,
        symbol: `S${status}`,
        seed: status,
      });
      await publish(deps, `S${status}`, { epsEstimate: '1.3' });
      await fanOutAll(deps);
      const flight = await claimAll(deps);
      expect(flight).toHaveLength(1);
      await clock.advance(1);
      await publish(deps, `S${status}`, { epsEstimate: '1.4' });
      await fanOutAll(deps);
      expect(await claimAll(deps)).toEqual([]);
      await recordOutcomes(deps, flight, () => respondWith(status));
      const sent = await deliverAll(deps);
      expect(sent.map((body) => body.data['epsEstimate'])).toEqual([1.4]);
      const states = await db().query<{ state: string }>(
        `select state from delivery where symbol = $1 order by created_at`,
        [`S${status}`],
      );
      const first = status === 200 ? 'delivered' : 'superseded';
      expect(states.map(({ state }) => state)).toEqual([first, 'delivered']);
    }
  });

  test('fails the delivery after a 410 response, disables the endpoint, records an alert and holds pending deliveries', async () => {
    const { deps, clock } = await world(db(), { symbols: ['NRTH', 'VLY'] });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await deliverAll(deps, () => respondWith(410));
    await clock.advance(1);
    await publish(deps, 'VLY', { epsEstimate: '1.3' });
    expect(await deliverAll(deps)).toEqual([]);
    expect(await deliveryRows(db())).toMatchObject([
      { state: 'failed', last_error_code: 'gone' },
      { state: 'held', symbol: 'VLY' },
    ]);
    const alerts = await db().query(`select kind from webhook_alert`);
    expect(alerts).toEqual([{ kind: 'disabled' }]);
    const [endpoint] = await db().query(`select disabled_reason from webhook_endpoint`);
    expect(endpoint).toEqual({ disabled_reason: 'gone' });
  });

  test('marks a delivery as failed after twelve attempts within about 76 hours and keeps the error of each attempt', async () => {
    const { deps, clock } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    let attempts = 0;
    for (let hour = 0; hour < 95; hour += 1) {
      attempts += (await deliverAll(deps, () => respondWith(503))).length;
      // The first six attempts are made within the first two hours.
      for (let minute = 0; minute < 60 && hour < 2; minute += 1) {
        await clock.advance(60_000);
        attempts += (await deliverAll(deps, () => respondWith(503))).length;
      }
      if (hour >= 2) await clock.advance(HOUR);
    }
    expect(attempts).toBe(12);
    expect(await deliveryRows(db())).toMatchObject([
      { state: 'failed', attempt_count: 12, last_error_code: 'http_5xx' },
    ]);
    const whys = 'select error_code, count(*) as n from delivery_attempt group by error_code';
    expect(await db().query(whys)).toEqual([{ error_code: 'http_5xx', n: 12 }]);
    const alerts = await db().query(`select kind from webhook_alert order by id`);
    expect(alerts).toEqual([{ kind: 'failing' }, { kind: 'failing_24h' }, { kind: 'failing_72h' }]);
  });

  test('shows an interrupted attempt to an endpoint for CloudEvents as a CloudEvent', async () => {
    const { deps, clock } = await world(db());
    await db().query(`update webhook_endpoint set payload_format = 'cloudevents'`);
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    const [claimed] = await claimAll(deps);
    await clock.advance(60_000);
    await expireLeases(deps);
    const [attempt] = await db().query(`select request_body from delivery_attempt`);
    expect(JSON.parse(claimed?.body ?? '')).toMatchObject({ specversion: '1.0' });
    expect(attempt).toEqual({ request_body: claimed?.body });
  });

  test('marks a delivery as failed after 24 attempts with an unknown outcome', async () => {
    const { deps, clock } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    for (let time = 0; time < 24; time += 1) {
      expect(await claimAll(deps)).toHaveLength(1);
      await clock.advance(60_000);
      await expireLeases(deps);
    }
    expect(await deliveryRows(db())).toMatchObject([
      { state: 'failed', unknown_count: 24, last_error_code: 'unknown' },
    ]);
  });

  test('restores a released delivery to the state it had before the claim', async () => {
    const { deps } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    const [before] = await deliveryRows(db());
    await releaseClaims(deps, await claimAll(deps));
    expect(await deliveryRows(db())).toEqual([before]);
    expect(await db().query('select 1 from delivery_claim')).toEqual([]);
    expect(await db().query(`select 1 from delivery_attempt`)).toEqual([]);
    await publish(deps, 'NRTH', { epsEstimate: '1.2' });
    expect(await deliverAll(deps)).toEqual([]);
  });

  test('releases a delivery whose lease expired before the first byte was sent', async () => {
    const { deps } = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    await recordOutcomes(deps, await claimAll(deps), () => failWith('not_sent', false));
    expect(await deliveryRows(db())).toMatchObject([{ state: 'pending', attempt_count: 0 }]);
  });

  test('cancels deliveries whose subscription was removed or whose company no longer has a report', async () => {
    const { deps } = await world(db(), { symbols: ['NRTH', 'VLY'] });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await publish(deps, 'VLY', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    await db().query(`delete from webhook_subscription where symbol = 'NRTH'`);
    await publish(deps, 'VLY', null);
    expect(await deliverAll(deps)).toEqual([]);
    expect(await deliveryRows(db())).toMatchObject([
      { state: 'cancelled', last_error_code: 'cancelled' },
      { state: 'cancelled', last_error_code: 'cancelled' },
    ]);
  });

  test('retries failed deliveries immediately once the endpoint returns 2xx again', async () => {
    const { deps } = await world(db(), { symbols: ['NRTH', 'VLY'] });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await deliverAll(deps, () => respondWith(500));
    await publish(deps, 'VLY', { epsEstimate: '1.3' });
    const sent = await deliverAll(deps);
    expect(sent.map((body) => body.context.symbol)).toEqual(['VLY', 'NRTH']);
  });

  test('sends the next report when it replaces a past report at midnight', async () => {
    const { deps, clock } = await world(db());
    const later = { id: 'ern_NEXT', date: localDate('2027-02-20'), fiscalQuarter: 4 };
    await db().query(`update earnings_event set date = '2026-11-10'`);
    await storeRows(db(), { events: [eventOf('NRTH', later)] });
    await db().query(`delete from webhook_subscription`);
    await subscribe(deps, 'ep', ['NRTH']);
    expect(await queueDateRollover(deps)).toBe(false);
    // Advances to ten days after the event on November 10, without running a worker in between.
    await clock.advance(4 * 24 * HOUR);
    expect(await queueDateRollover(deps)).toBe(true);
    expect(await queueDateRollover(deps)).toBe(false);
    const sent = await deliverAll(deps);
    expect(sent.map((body) => [body.data['date'], body.changed_fields])).toEqual([
      ['2027-02-20', ['date']],
    ]);
  });

  test('limits deliveries in flight to one per endpoint and company, eight per endpoint and one per slow endpoint', async () => {
    const symbols = Array.from({ length: 12 }, (_, i) => `S${i}`);
    const { deps } = await world(db(), { symbols });
    await addEndpoint(db(), 'slow', { isSlow: true });
    await subscribe(deps, 'slow', symbols);
    for (const symbol of symbols) await publish(deps, symbol, { epsEstimate: '1.3' });
    await fanOutAll(deps);
    const claims = await claimAll(deps);
    expect(claims.filter(({ endpointId }) => endpointId === 'ep')).toHaveLength(8);
    expect(claims.filter(({ endpointId }) => endpointId === 'slow')).toHaveLength(1);
    expect(await claimAll(deps)).toEqual([]);
  });

  test('creates deliveries for all subscribers in batches, exactly one each', async () => {
    const { deps } = await world(db(), { endpointId: 'ep0000' });
    const rest = Array.from({ length: 2_300 }, (_, i) => `ep${String(i + 1).padStart(4, '0')}`);
    await db().query(
      `insert into webhook_endpoint (id, customer_id, url, created_at, updated_at)
       select id, 'cus_ep0000', 'https://x.example/', now(), now() from unnest($1::text[]) as e(id)`,
      [rest],
    );
    await db().query(
      `insert into webhook_subscription (template_id, symbol, endpoint_id, created_at, answered_data)
       select template_id, symbol, id, now(), answered_data
         from webhook_subscription, unnest($1::text[]) as e(id)`,
      [rest],
    );
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    const [counts] = await db().query(
      `select count(*)::int4 as rows, count(distinct endpoint_id)::int4 as endpoints from delivery`,
    );
    expect(counts).toEqual({ rows: 2_301, endpoints: 2_301 });
    expect(await db().query(`select 1 from webhook_fan_out`)).toEqual([]);
  });
});

interface WorldOptions {
  endpointId?: string;
  symbol?: string;
  symbols?: readonly string[];
  seed?: number;
  /** True if the comparison that follows each new subscription has already run. */
  isSettled?: boolean;
}

/** Creates an endpoint that is subscribed to the given companies. */
async function world(
  db: Db,
  options: WorldOptions = {},
): Promise<{ deps: EngineDeps; clock: FakeClock }> {
  const { endpointId = 'ep', symbol = 'NRTH', symbols = [symbol], seed = 1 } = options;
  const clock = fakeClock(NOW);
  const deps = engineDeps(db, clock, seed);
  await addEndpoint(db, endpointId);
  await addCompanies(db, symbols);
  await subscribe(deps, endpointId, symbols);
  if (options.isSettled !== false) await fanOutAll(deps);
  return { deps, clock };
}
