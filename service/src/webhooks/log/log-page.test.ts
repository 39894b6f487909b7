import { Recordset, sql, statement } from '../../storage/sql.ts';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { addClaim } from '../../../test/support/generated-attempts.ts';
import { addCustomer, addEndpoint } from '../../../test/support/webhook-world.ts';
import { type Random, seededRandom } from '../../platform/random.ts';
import type { Db } from '../../storage/db.ts';
import { makeDeliveryId } from '../queue/delivery-id.ts';
import { listDeliveries } from './delivery-log.ts';
import { DELIVERY_STATES, type DeliveryState, type DeliveryFilter } from './log-query.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const COUNT = 400;
const SEED = 20261122;

interface Opened {
  id: string;
  customerId: string;
  endpointId: string;
  templateId: string;
  symbol: string;
  state: DeliveryState;
  isTest: boolean;
  createdAt: number;
}

onEachEngine((db) => {
  test(`returns the same log page as a linear search for every filter (seed ${SEED})`, async () => {
    const random = seededRandom(SEED);
    const all = await openMany(db(), random);
    for (let round = 0; round < 150; round += 1) {
      const asked = question(random, all);
      const found = (await listDeliveries(db(), asked)).map(({ id }) => id);
      expect(found, JSON.stringify(asked)).toEqual(expected(all, asked));
    }
  });
});

function question(random: Random, all: readonly Opened[]): DeliveryFilter {
  const maybe = <T>(value: T): T | undefined => (random.float() < 0.4 ? value : undefined);
  const states = DELIVERY_STATES.filter(() => random.float() < 0.3);
  const at = () => NOW + Math.floor(random.float() * COUNT) * 10;
  return {
    customerId: random.float() < 0.6 ? pick(random, ['cus_a', 'cus_b', 'cus_none']) : null,
    endpointId: maybe(pick(random, ['ep_a1', 'ep_a2', 'ep_b', 'ep_none'])),
    states: random.float() < 0.7 ? states : undefined,
    templateId: maybe(pick(random, ['one', 'two', 'none'])),
    symbol: maybe(pick(random, ['S0', 'S1', 'S2', 'NONE'])),
    isTest: maybe(random.float() < 0.5),
    from: maybe(at()),
    to: maybe(at()),
    before: maybe(pick(random, all).id),
    limit: pick(random, [1, 5, 100, 1000]),
  };
}

/** Filters all deliveries in memory, as the reference for the query. */
function expected(all: readonly Opened[], asked: DeliveryFilter): string[] {
  const { customerId, endpointId, states, templateId, symbol, isTest, from, to, before } = asked;
  return all
    .filter(
      (one) =>
        (customerId === null || one.customerId === customerId) &&
        (endpointId === undefined || one.endpointId === endpointId) &&
        (states === undefined || states.includes(one.state)) &&
        (templateId === undefined || one.templateId === templateId) &&
        (symbol === undefined || one.symbol === symbol) &&
        (isTest === undefined || one.isTest === isTest) &&
        (from === undefined || one.createdAt >= from) &&
        (to === undefined || one.createdAt < to) &&
        (before === undefined || one.id < before),
    )
    .map(({ id }) => id)
    .toSorted()
    .toReversed()
    .slice(0, Math.min(asked.limit, 100));
}

async function openMany(db: Db, random: Random): Promise<Opened[]> {
  for (const customerId of ['cus_a', 'cus_b']) await addCustomer(db, customerId);
  await addEndpoint(db, 'ep_a1', { customerId: 'cus_a' });
  await addEndpoint(db, 'ep_a2', { customerId: 'cus_a' });
  await addEndpoint(db, 'ep_b', { customerId: 'cus_b' });
  const all = Array.from({ length: COUNT }, (_, i): Opened => {
    const state = pick(random, DELIVERY_STATES);
    const endpointId = pick(random, ['ep_a1', 'ep_a2', 'ep_b']);
    // Open deliveries get distinct symbols, because a symbol can have only one pending delivery and
    // one in flight.
    const isOpen = ['pending', 'in_progress', 'retrying', 'held'].includes(state);
    const createdAt = NOW + i * 10;
    return {
      id: makeDeliveryId(createdAt, random),
      customerId: endpointId === 'ep_b' ? 'cus_b' : 'cus_a',
      endpointId,
      templateId: pick(random, ['one', 'two']),
      symbol: isOpen ? `O${i}` : `S${Math.floor(random.float() * 3)}`,
      state,
      isTest: random.float() < 0.2,
      createdAt,
    };
  });
  // Rows are inserted first and updated later, as in production.
  const rows = new Recordset(
    {
      id: 'text',
      customer: 'text',
      endpoint: 'text',
      template: 'text',
      symbol: 'text',
      test: 'bool',
      at: 'float8',
    },
    all.map((row) => ({
      id: row.id,
      customer: row.customerId,
      endpoint: row.endpointId,
      template: row.templateId,
      symbol: row.symbol,
      test: row.isTest,
      at: row.createdAt,
    })),
  );
  await db.query(
    ...statement(sql`
      insert into delivery (id, customer_id, endpoint_id, template_id, event_type, symbol, state,
                            is_test, changed_at, created_at, due_at)
      select r.id, r.customer, r.endpoint, r.template, 't', r.symbol, 'cancelled', r.test, now(),
             to_timestamp(r.at / 1000.0), now()
        from ${rows.as('r')}`),
  );
  // The row of a delivery in flight keeps its state, or has `in_progress` beside a successor.
  await db.query(
    `update delivery d set state = r.state
       from unnest($1::text[], $2::text[]) as r(id, state) where d.id = r.id`,
    [
      all.map(({ id }) => id),
      all.map(({ state }) => (state === 'in_progress' ? pick(random, STORED_IN_FLIGHT) : state)),
    ],
  );
  for (const { id, endpointId, state, createdAt } of all) {
    if (state === 'in_progress') await addClaim(db, { id, endpointId, claimedAt: createdAt });
  }
  return all;
}

const STORED_IN_FLIGHT = ['in_progress', 'pending', 'retrying', 'held'];

function pick<T>(random: Random, from: readonly T[]): T {
  const found = from[Math.floor(random.float() * from.length)];
  if (found === undefined) throw new Error('There is nothing to pick from.');
  return found;
}
