import { type DeliveryData, serializeData } from '../../src/webhooks/message/payload.ts';
import type { PendingRule } from '../../src/webhooks/queue/open-deliveries.ts';
import { localDate } from '../../src/domain/local-date.ts';
import { fakeClock } from './fake-clock.ts';
import { type Random, seededRandom } from '../../src/platform/random.ts';
import type { Db } from '../../src/storage/db.ts';
import { claimDue } from '../../src/delivery/claim/claim.ts';
import type { ClaimedDelivery } from '../../src/delivery/claim/claimed-delivery.ts';
import type { PostOutcome } from '../../src/delivery/send/agent.ts';
import { expireLeases } from '../../src/delivery/record/expire-leases.ts';
import { releaseClaims } from '../../src/delivery/record/release-claims.ts';
import { loadSourceData } from '../../src/delivery/source-data.ts';
import { template } from '../../src/webhooks/templates/earnings-schedule.ts';
import {
  addCompanies,
  addEndpoint,
  answered,
  engineDeps,
  failed,
  finish,
  publish,
  subscribe,
  tellAll,
} from './webhook-world.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const SYMBOLS = ['AAA', 'BBB'];
const ENDPOINTS = ['ep1', 'ep2'];
const DAY = 86_400_000;

/** A receiver that knows each id once: what it holds, whole, and put together from what is named. */
interface Held {
  seen: Map<string, string>;
  whole: DeliveryData | null;
  pieced: Record<string, string | number | null>;
  /** The highest count of changes seen, which every change of a history with counts raises. */
  count: number;
}

export interface History {
  seed: number;
  steps: number;
  /** Every change raises a count in the data, so that order shows; else values come back. */
  counts: boolean;
  rule?: PendingRule | undefined;
}

/**
 * Lets changes, claims, answers, lost answers, crashes and time happen at random, then lets all
 * receivers answer until nothing is open. Returns what is wrong, in sentences: nothing, it is hoped.
 */
export async function playHistory(db: Db, history: History): Promise<string[]> {
  const clock = fakeClock(NOW);
  const random = seededRandom(history.seed);
  const deps = { ...engineDeps(db, clock, history.seed + 1), rule: history.rule };
  for (const id of ENDPOINTS) await addEndpoint(db, id, { isSlow: random.int(2) === 0 });
  await addCompanies(db, SYMBOLS);
  const start = new Map<string, DeliveryData>();
  for (const symbol of SYMBOLS) start.set(symbol, await stored(db, symbol, clock.now()));
  for (const id of ENDPOINTS) await subscribe(deps, id, SYMBOLS);
  const held = new Map<string, Held>();
  for (const key of ENDPOINTS.flatMap((id) => SYMBOLS.map((symbol) => `${id} ${symbol}`))) {
    const first = start.get(key.split(' ')[1] ?? '') ?? {};
    held.set(key, { seen: new Map(), whole: first, pieced: { ...first }, count: 0 });
  }
  const wrong: string[] = [];
  let flights: { claimed: ClaimedDelivery; hasArrived: boolean }[] = [];
  let count = 0;

  for (let step = 0; step < history.steps; step += 1) await takeStep();
  for (let round = 0; round < 60 && (await openCount(db)) + flights.length > 0; round += 1) {
    await finish(
      deps,
      flights.map(({ claimed }) => claimed),
      (claimed) => {
        if (flights.some((one) => one.claimed === claimed && !one.hasArrived)) arrive(claimed);
        return answered(200);
      },
    );
    flights = [];
    await tellAll(deps);
    await claim(64, 1);
    if (flights.length === 0) {
      await clock.advance(DAY);
      await expireLeases(deps);
    }
  }
  for (const [key, one] of held) await compare(key, one);
  return wrong;

  async function takeStep(): Promise<void> {
    const draw = random.int(100);
    if (draw < 30) await change();
    else if (draw < 50) await tellAll(deps);
    else if (draw < 70) await claim(1 + random.int(4), random.float());
    else if (draw < 90) await finishSome();
    else if (draw < 93) await crash();
    else await clock.advance(random.int(120_000));
    await clock.advance(1);
  }

  async function change(): Promise<void> {
    count += 1;
    const symbol = pick(SYMBOLS, random);
    const turn = random.int(3);
    const over =
      turn === 0
        ? { epsEstimate: pick(['1.2', '1.3'], random) }
        : turn === 1
          ? { date: localDate(pick(['2026-11-20', '2026-11-23'], random)) }
          : { eps: pick([null, '1.1'], random) };
    await publish(
      deps,
      symbol,
      history.counts ? { ...over, revenueEstimate: String(count) } : over,
    );
  }

  async function claim(slots: number, arriving: number): Promise<void> {
    const inFlightByCustomer = new Map<string, number>();
    const free = { total: 64, free: slots, slowInFlight: 0, inFlightByCustomer };
    const { deliveries: claimed } = await claimDue(deps, free, pick(['', ...ENDPOINTS], random));
    for (const one of claimed) {
      const hasArrived = random.float() < arriving;
      if (hasArrived) arrive(one);
      flights.push({ claimed: one, hasArrived });
    }
  }

  /** Some flights end: answered, refused after it was stored, dropped before or on the way. */
  async function finishSome(): Promise<void> {
    const ending = flights.filter(() => random.int(2) === 0);
    flights = flights.filter((one) => !ending.includes(one));
    if (ending.length > 0 && random.int(8) === 0) {
      const unsent = ending.filter(({ hasArrived }) => !hasArrived).map(({ claimed }) => claimed);
      await releaseClaims(deps, unsent);
      flights.push(...ending.filter(({ hasArrived }) => hasArrived));
      return;
    }
    await finish(
      deps,
      ending.map(({ claimed }) => claimed),
      (claimed) => {
        const flight = ending.find((one) => one.claimed === claimed);
        return flight === undefined ? answered(500) : endOf(flight);
      },
    );
  }

  function endOf({
    claimed,
    hasArrived,
  }: {
    claimed: ClaimedDelivery;
    hasArrived: boolean;
  }): PostOutcome {
    const draw = random.int(4);
    if (hasArrived)
      return draw < 2 ? answered(200) : draw === 2 ? answered(500) : failed('timeout', true);
    if (draw === 0) return failed('connect', false);
    if (draw === 1) return failed('reset', true);
    arrive(claimed);
    return draw === 2 ? answered(204) : answered(503);
  }

  /** All flights are cut off; their leases run out. */
  async function crash(): Promise<void> {
    flights = [];
    await clock.advance(60_000);
    await expireLeases(deps);
  }

  function arrive({ endpointId, symbol, body, id }: ClaimedDelivery): void {
    const one = held.get(`${endpointId} ${symbol}`);
    if (one === undefined) return;
    const known = one.seen.get(id);
    if (known !== undefined) {
      if (known !== body) wrong.push(`${id} came with another body`);
      return;
    }
    one.seen.set(id, body);
    const { data, changed_fields: names } = JSON.parse(body) as {
      data: DeliveryData;
      changed_fields: string[];
    };
    one.whole = data;
    for (const name of names) one.pieced[name] = data[name] ?? null;
    const seen = Number(data['revenueEstimate'] ?? 0);
    if (history.counts && seen < one.count) wrong.push(`${symbol} at ${endpointId} went back`);
    one.count = Math.max(one.count, seen);
  }

  async function compare(key: string, one: Held): Promise<void> {
    const [endpointId = '', symbol = ''] = key.split(' ');
    const [newest] = await db.query<{ state: string }>(
      `select state from delivery where endpoint_id = $1 and symbol = $2 and state <> 'cancelled'
        order by created_at desc, id desc limit 1`,
      [endpointId, symbol],
    );
    if (newest?.state === 'failed') return;
    const now = text(await stored(db, symbol, clock.now()));
    if (one.whole !== null && text(one.whole) !== now) {
      wrong.push(`${key} holds ${text(one.whole)}, the store ${now}`);
    }
    if (text(one.pieced) !== now) wrong.push(`${key} put together ${text(one.pieced)}, not ${now}`);
  }
}

async function stored(db: Db, symbol: string, now: number): Promise<DeliveryData> {
  const data = (await loadSourceData(db, [{ template, symbol }], now))({ template, symbol });
  return JSON.parse(data ?? '{}') as DeliveryData;
}

function text(data: DeliveryData): string {
  return serializeData(template.fields, data);
}

function pick<T>(values: readonly [T, ...T[]] | readonly T[], random: Random): T {
  const value = values[random.int(values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
}

/** What is neither delivered, failed, superseded nor cancelled, and changes not told yet. */
async function openCount(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select (select count(*) from delivery where finished_at is null)
          + (select count(*) from change_record
              where id > coalesce((select position from webhook_cursor where name = 'changes'), 0))
          + (select count(*) from webhook_fan_out) as count`,
  );
  return row?.count ?? 0;
}
