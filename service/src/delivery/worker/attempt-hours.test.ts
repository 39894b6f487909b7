import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { addClaim, AttemptGenerator } from '../../../test/support/generated-attempts.ts';
import {
  expectedAttemptSlices,
  expectedSystemSlices,
} from '../../../test/support/expected-delivery-stats.ts';
import { runSeed, runSize } from '../../../test/support/run-size.ts';
import { engineDeps } from '../../../test/support/webhook-world.ts';
import { rollUpAttempts, loadRolledUpHours } from '../../webhooks/stats/attempt-rollup.ts';
import { loadDeliveryStats, loadSystemDeliveryStats } from '../../webhooks/stats/delivery-stats.ts';
import { deliveryIdFloor } from '../../webhooks/queue/delivery-id.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { seededRandom } from '../../platform/random.ts';
import type { Db } from '../../storage/db.ts';
import { deleteExpired } from './retention.ts';

const NOON = Date.UTC(2026, 9, 20, 16);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RUNS = runSize({ slice: 1, whole: 60 });
const STEPS = runSize({ slice: 10, whole: 30 });

onEachEngine((db) => {
  test('returns the same attempt counts from hourly rollups as from the attempts, even if attempts are recorded late or deleted', async () => {
    const firstSeed = runSeed();
    for (let seed = firstSeed; seed < firstSeed + RUNS; seed += 1) {
      await db().query(
        'truncate delivery, delivery_claim, delivery_attempt, attempt_hour, attempt_hours_kept',
      );
      await runHistory(db(), seed);
    }
  }, 1_800_000);

  test('rolls up the attempts in an hour once none is in flight, and again after a late result', async () => {
    const clock = fakeClock(NOON);
    const deps = engineDeps(db(), clock);
    const until = async () => (await loadRolledUpHours(db()))?.until;
    const keepAll = async () => {
      while (await rollUpAttempts(deps));
    };
    await keepAll();
    await addDelivery(db(), 'in_progress', NOON - 60_000);
    await clock.advance(5 * HOUR_MS);
    await keepAll();
    await db().query(
      `insert into delivery_attempt (delivery_id, n, state, claim_token, started_at, request_body)
       select id, 1, 'unknown', 't', to_timestamp($1 / 1000.0), '' from delivery`,
      [NOON - 60_000],
    );
    await keepAll();
    // The delivery is still in flight, so another attempt may follow in this hour.
    expect(await until()).toBe(NOON - HOUR_MS);
    await db().query(`update delivery set state = 'delivered'`);
    await db().query('delete from delivery_claim');
    await keepAll();
    expect(await until()).toBe(NOON + 4 * HOUR_MS);
    await db().query(`update delivery_attempt set state = 'finished', response_status = 200`);
    expect(await until()).toBe(NOON - HOUR_MS);
    const span = { from: NOON - DAY_MS, to: clock.now(), by: 'hour' } as const;
    const slice = [{ at: NOON - HOUR_MS, delivered: 1, failed: 0, errors: {} }];
    expect(await loadSystemDeliveryStats(db(), span)).toEqual(slice);
    await keepAll();
    expect(await until()).toBe(NOON + 4 * HOUR_MS);
    expect(await loadSystemDeliveryStats(db(), span)).toEqual(slice);
  });

  test('does not read attempts from hours that have been rolled up', async () => {
    const clock = fakeClock(NOON);
    const deps = engineDeps(db(), clock);
    await addDelivery(db(), 'delivered', NOON - 60_000);
    await db().query(
      `insert into delivery_attempt (delivery_id, n, state, claim_token, started_at, request_body,
                                     duration_ms, response_status)
       select id, 1, 'finished', 't', to_timestamp($1 / 1000.0), '', 7, 200 from delivery`,
      [NOON - 60_000],
    );
    await clock.advance(3 * HOUR_MS);
    expect(await rollUpAttempts(deps)).toBe(true);
    expect(await rollUpAttempts(deps)).toBe(false);
    await db().query(`update attempt_hour set attempts = 5, durations = '{1,2,3}'`);
    const span = { from: NOON - DAY_MS, to: clock.now(), by: 'day' } as const;
    expect(await loadDeliveryStats(db(), { ...span, endpointIds: ['whe_a'] })).toMatchObject([
      { delivered: 5, p50Ms: 2, p95Ms: 3 },
    ]);
    expect(await loadSystemDeliveryStats(db(), span)).toMatchObject([{ delivered: 5 }]);
  });
});

async function runHistory(db: Db, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const clock = fakeClock(NOON);
  const deps = engineDeps(db, clock);
  const world = new AttemptGenerator(db, random);
  const keep = { attempts: 7 + Math.floor(random.float() * 10), deliveries: 20 };
  for (let step = 0; step < STEPS; step += 1) {
    await world.advance(clock.now());
    if (random.float() < 0.3) await world.resolveUnknown();
    if (random.float() < 0.3) await deleteExpired(deps, keep);
    for (let isRecorded = random.float() < 0.7; isRecorded;) {
      isRecorded = (await rollUpAttempts(deps)) && random.float() < 0.9;
    }
    if (random.float() < 0.3) await world.resolveUnknown();
    await compare(db, { seed, step }, clock.now(), random.float);
    await clock.advance(Math.floor(random.float() ** 3 * 4 * DAY_MS));
  }
  const rollup = await loadRolledUpHours(db);
  expect((rollup?.until ?? 0) - (rollup?.since ?? 0), `seed ${seed}`).toBeGreaterThan(0);
}

async function compare(
  db: Db,
  at: { seed: number; step: number },
  now: number,
  draw: () => number,
): Promise<void> {
  const attempts = await loadAll(db);
  for (const by of ['hour', 'day'] as const) {
    const to = draw() < 0.5 ? now : now - Math.floor(draw() * 10 * DAY_MS);
    const length = Math.floor(draw() * (by === 'hour' ? 7 : 40) * DAY_MS);
    const unitMs = draw() < 0.3 ? HOUR_MS : 1;
    const span = { from: Math.floor((to - length) / unitMs) * unitMs, to, by };
    const note = `seed ${at.seed}, step ${at.step}, ${JSON.stringify(span)}`;
    const endpointIds = draw() < 0.5 ? ['whe_a', 'whe_c'] : ['whe_b'];
    const ofThese = attempts.filter(({ endpointId }) => endpointIds.includes(endpointId));
    const slices = await loadDeliveryStats(db, { ...span, endpointIds });
    expect(slices, note).toEqual(expectedAttemptSlices(ofThese, span));
    expect(await loadSystemDeliveryStats(db, span), note).toEqual(
      expectedSystemSlices(attempts, span),
    );
  }
}

function loadAll(db: Db) {
  return db.query<Parameters<typeof expectedAttemptSlices>[0][number] & Record<string, unknown>>(
    `select d.endpoint_id as "endpointId", a.started_at as "startedAt", a.state, a.error_code as code,
            a.response_status as status, a.duration_ms as "durationMs"
       from delivery_attempt a join delivery d on d.id = a.delivery_id`,
  );
}

async function addDelivery(db: Db, state: string, at: number): Promise<void> {
  const id = `${deliveryIdFloor(at)}0`;
  await db.query(
    `insert into delivery (id, customer_id, endpoint_id, template_id, event_type, symbol, state,
                           changed_at, created_at, due_at)
     values ($1, 'cus_a', 'whe_a', 't', 't.changed', 'S', $2, to_timestamp($3 / 1000.0),
             to_timestamp($3 / 1000.0), to_timestamp($3 / 1000.0))`,
    [id, state, at],
  );
  if (state === 'in_progress') await addClaim(db, { id, endpointId: 'whe_a', claimedAt: at });
}
