import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import {
  addCompanies,
  addEndpoint,
  respondWith,
  deliveryRows,
  engineDeps,
  recordOutcomes,
  publish,
  subscribe,
  fanOutAll,
} from '../../test/support/webhook-world.ts';
import { disableEndpoint, enableEndpoint } from '../webhooks/endpoint/endpoint-states.ts';
import { lockEndpoints } from '../webhooks/endpoint/lock-endpoints.ts';
import { systemClock } from '../platform/clock.ts';
import { seededRandom } from '../platform/random.ts';
import { DueEndpointCache } from './claim/due-endpoints.ts';
import { claimDue } from './claim/claim.ts';
import { expireLeases } from './record/expire-leases.ts';
import { fanOut } from './fan-out/fan-out.ts';
import { readChanges } from './fan-out/read-changes.ts';

const SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF'];
const ENDPOINTS = ['ep1', 'ep2', 'ep3', 'ep4'];
const CHANGES = 60;

onEachEngine((db) => {
  test('never claims a delivery twice or two deliveries for one company at a time, and never deadlocks, with several processes', async () => {
    const clock = systemClock();
    const deps = engineDeps(db(), clock);
    for (const id of ENDPOINTS) await addEndpoint(db(), id);
    await addCompanies(db(), SYMBOLS);
    for (const id of ENDPOINTS) await subscribe(deps, id, SYMBOLS);
    await fanOutAll(deps);
    const inFlight = new Set<string>();
    const claimedIds = new Set<string>();
    const violations: string[] = [];
    let isDrained = false;

    async function change(): Promise<void> {
      for (let count = 1; count <= CHANGES; count += 1) {
        const symbol = SYMBOLS[count % SYMBOLS.length] ?? '';
        await publish(deps, symbol, { revenueEstimate: String(count) });
      }
    }

    async function tell(seed: number): Promise<void> {
      const workerDeps = engineDeps(db(), clock, seed);
      while (!isDrained) {
        await readChanges(workerDeps);
        await fanOut(workerDeps);
        await expireLeases(workerDeps);
      }
    }

    async function send(seed: number): Promise<void> {
      const dueEndpoints = new DueEndpointCache(systemClock());
      const workerDeps = { ...engineDeps(db(), clock, seed), dueEndpoints };
      const random = seededRandom(seed);
      while (!isDrained) {
        const slots = { total: 64, free: 8, slowInFlight: 0, inFlightByCustomer: new Map() };
        const { deliveries: claimed } = await claimDue(
          workerDeps,
          slots,
          ENDPOINTS[random.int(4)] ?? '',
        );
        for (const { id, endpointId, symbol, attemptNumber: attempt } of claimed) {
          const key = `${endpointId} ${symbol}`;
          if (inFlight.has(key)) violations.push(`two of ${key} at a time`);
          if (claimedIds.has(`${id} ${attempt}`)) violations.push(`${id} twice`);
          inFlight.add(key);
          claimedIds.add(`${id} ${attempt}`);
        }
        // Removed before the outcome is recorded, because another process may claim the next
        // delivery for this company as soon as it is.
        await recordOutcomes(workerDeps, claimed, ({ endpointId, symbol }) => {
          inFlight.delete(`${endpointId} ${symbol}`);
          return respondWith(200);
        });
      }
    }

    async function turnOffAndOn(): Promise<void> {
      while (!isDrained) {
        for (const id of ENDPOINTS) {
          await db().transaction(async (tx) => {
            await lockEndpoints(tx, [id]);
            await disableEndpoint(tx, id, { reason: 'owner', now: clock.now() });
          });
          await db().transaction((tx) => enableEndpoint(tx, id, clock.now()));
        }
      }
    }

    const loops = [tell(2), tell(3), send(4), send(5), send(6), turnOffAndOn()];
    await change();
    while (!isDrained) {
      const rows = await deliveryRows(db());
      const isFannedOut = (await db().query(`select 1 from webhook_fan_out`)).length === 0;
      const isRead = await db().query(
        `select 1 from change_record
          where id > (select position from webhook_cursor where name = 'changes')`,
      );
      const isDone = rows.every(({ finished_at: at }) => at !== null);
      isDrained = isFannedOut && isRead.length === 0 && isDone && rows.length > 0;
    }
    await Promise.all(loops);
    expect(violations).toEqual([]);
    const data = await db().query<{ symbol: string; answered: string; expected: string }>(
      `select s.symbol, s.answered_data::jsonb->>'revenueEstimate' as answered,
              e.revenue_estimate::text as expected
         from webhook_subscription s
         join earnings_event e on e.symbol = s.symbol and e.known_to is null`,
    );
    expect(data).toHaveLength(SYMBOLS.length * ENDPOINTS.length);
    for (const { answered, expected } of data) expect(Number(answered)).toBe(Number(expected));
  });
});
