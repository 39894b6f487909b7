import { claimDue } from '../../src/delivery/claim/claim.ts';
import type { ClaimedDelivery } from '../../src/delivery/claim/claimed-delivery.ts';
import type { EngineDeps } from '../../src/delivery/engine.ts';
import { expireLeases } from '../../src/delivery/record/expire-leases.ts';
import { releaseClaims } from '../../src/delivery/record/release-claims.ts';
import type { PostOutcome } from '../../src/delivery/send/agent.ts';
import { loadSourceData } from '../../src/delivery/source-data.ts';
import { localDate } from '../../src/domain/local-date.ts';
import { type Random, seededRandom } from '../../src/platform/random.ts';
import type { Db } from '../../src/storage/db.ts';
import { type DeliveryData, serializeData } from '../../src/webhooks/message/payload.ts';
import type { PendingRule } from '../../src/webhooks/queue/open-deliveries.ts';
import { template } from '../../src/webhooks/templates/earnings-schedule.ts';
import { fakeClock, type FakeClock } from './fake-clock.ts';
import {
  addCompanies,
  addEndpoint,
  respondWith,
  engineDeps,
  failWith,
  recordOutcomes,
  publish,
  saveWatchlist,
  subscribe,
  subscribeTo,
  unsubscribeFrom,
  fanOutAll,
} from './webhook-world.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const SYMBOLS = ['AAA', 'BBB'];
const ENDPOINTS = ['ep1', 'ep2'];
/** Subscribes to company sets, which change; the other endpoint to symbols. */
const SET_ENDPOINT = 'ep2';
const WATCHLIST = 'desk';
const DAY_MS = 86_400_000;
const DRAIN_ROUNDS_MAX = 60;

/** State of a receiver that drops repeated ids. */
interface ReceiverState {
  bodyById: Map<string, string>;
  /** Data from the last delivery. */
  data: DeliveryData | null;
  /** Data assembled from the changed fields of all deliveries. */
  merged: Record<string, string | number | null>;
  /** The highest change count received since subscribing, in a history with counts. */
  count: number;
  isSubscribed: boolean;
}

interface Flight {
  delivery: ClaimedDelivery;
  hasArrived: boolean;
}

/** An event of one company and endpoint. A version is a count of the company's changes. */
export type HistoryEvent =
  | { kind: 'change' | 'fan-out' | 'arrive' | 'crash' }
  | { kind: 'claim'; id: string; version: number }
  /** `refuse` if no byte was sent. */
  | { kind: 'record'; outcome: 'accept' | 'lose' | 'refuse' };

export interface History {
  seed: number;
  steps: number;
  /**
   * If true, every change raises a count in the data, so that the order of changes is visible.
   * Otherwise, values repeat.
   */
  counts: boolean;
  rule?: PendingRule | undefined;
  /** Receives all events, by endpoint and symbol. Subscriptions then do not change. */
  events?: Map<string, HistoryEvent[]>;
}

/**
 * Runs changes, claims, responses, lost responses, crashes and the passage of time in random order,
 * then lets all receivers respond until nothing is open. Returns the violations as sentences. None
 * are expected.
 */
export async function playHistory(db: Db, history: History): Promise<string[]> {
  const player = new HistoryPlayer(db, history);
  await player.prepare();
  for (let step = 0; step < history.steps; step += 1) await player.takeStep();
  await player.drain();
  await player.compareAll();
  return player.violations;
}

class HistoryPlayer {
  readonly violations: string[] = [];
  readonly #db: Db;
  readonly #history: History;
  readonly #clock: FakeClock = fakeClock(NOW);
  readonly #random: Random;
  readonly #deps: EngineDeps;
  readonly #receivers = new Map<string, ReceiverState>();
  #flights: Flight[] = [];
  #changeCount = 0;
  readonly #changes = new Map<string, number>();
  /** The version that each count stands for, by symbol and count. */
  readonly #versions = new Map<string, number>();

  constructor(db: Db, history: History) {
    this.#db = db;
    this.#history = history;
    this.#random = seededRandom(history.seed);
    this.#deps = { ...engineDeps(db, this.#clock, history.seed + 1), rule: history.rule };
  }

  async prepare(): Promise<void> {
    for (const id of ENDPOINTS) {
      await addEndpoint(this.#db, id, { isSlow: this.#random.int(2) === 0 });
    }
    await addCompanies(this.#db, SYMBOLS);
    const initial = new Map<string, DeliveryData>();
    for (const symbol of SYMBOLS) initial.set(symbol, await this.#stored(symbol));
    for (const id of ENDPOINTS) {
      if (id === SET_ENDPOINT) await this.#subscribeToSet();
      else await subscribe(this.#deps, id, SYMBOLS);
    }
    for (const endpointId of ENDPOINTS) {
      for (const symbol of SYMBOLS) {
        const data = initial.get(symbol) ?? {};
        const state = { bodyById: new Map(), data, merged: { ...data }, count: 0 };
        this.#receivers.set(`${endpointId} ${symbol}`, { ...state, isSubscribed: true });
      }
    }
  }

  /** Even seeds have all companies, and odd seeds a watchlist. */
  #hasWatchlist(): boolean {
    return this.#history.seed % 2 === 1;
  }

  async #subscribeToSet(): Promise<void> {
    const list = { name: WATCHLIST, symbols: SYMBOLS };
    await saveWatchlist(this.#deps, SET_ENDPOINT, list);
    await subscribeTo(this.#deps, SET_ENDPOINT, [this.#hasWatchlist() ? `@${WATCHLIST}` : '*']);
  }

  /** Removes companies from the set, or adds those that were removed. */
  async #changeMembership(): Promise<void> {
    const leaving = this.#hasWatchlist() ? [pick(SYMBOLS, this.#random)] : SYMBOLS;
    const states = leaving.map((symbol) => this.#receivers.get(`${SET_ENDPOINT} ${symbol}`));
    const isJoining = states.some((state) => state?.isSubscribed === false);
    if (!this.#hasWatchlist()) {
      await (isJoining ? subscribeTo : unsubscribeFrom)(this.#deps, SET_ENDPOINT, ['*']);
    } else {
      const listed = SYMBOLS.filter((symbol) => {
        const state = this.#receivers.get(`${SET_ENDPOINT} ${symbol}`);
        return leaving.includes(symbol) ? isJoining : state?.isSubscribed === true;
      });
      await saveWatchlist(this.#deps, SET_ENDPOINT, { name: WATCHLIST, symbols: listed });
    }
    for (const symbol of leaving) {
      const state = this.#receivers.get(`${SET_ENDPOINT} ${symbol}`);
      if (state === undefined) continue;
      // A receiver that joins starts with the data of this moment.
      const data = await this.#stored(symbol);
      Object.assign(state, { isSubscribed: isJoining, data, merged: { ...data }, count: 0 });
    }
  }

  async takeStep(): Promise<void> {
    const draw = this.#random.int(100);
    if (draw < 30) await this.#change();
    else if (draw < 50) await this.#fanOut();
    else if (draw < 70) await this.#claim(1 + this.#random.int(4), this.#random.float());
    else if (draw < 90) await this.#finishSome();
    else if (draw < 92) await this.#crash();
    else if (draw < 95 && this.#history.events === undefined) await this.#changeMembership();
    else await this.#clock.advance(this.#random.int(120_000));
    await this.#clock.advance(1);
  }

  /** Lets all receivers respond with 200 until nothing is open. */
  async drain(): Promise<void> {
    for (let round = 0; round < DRAIN_ROUNDS_MAX; round += 1) {
      if ((await openCount(this.#db)) + this.#flights.length === 0) return;
      for (const { delivery, hasArrived } of this.#flights) {
        if (!hasArrived) this.#arrive(delivery);
      }
      await this.#finish(this.#flights, () => respondWith(200));
      this.#flights = [];
      await this.#fanOut();
      await this.#claim(64, 1);
      if (this.#flights.length > 0) continue;
      await this.#clock.advance(DAY_MS);
      await this.#expire();
    }
  }

  /** Adds an event, by default to all companies and endpoints. */
  #note(
    event: HistoryEvent,
    { endpointId, symbol }: { endpointId?: string; symbol?: string } = {},
  ) {
    for (const key of this.#receivers.keys()) {
      const [ofEndpoint, ofSymbol] = key.split(' ');
      if ((endpointId ?? ofEndpoint) !== ofEndpoint || (symbol ?? ofSymbol) !== ofSymbol) continue;
      const { events } = this.#history;
      events?.set(key, [...(events.get(key) ?? []), event]);
    }
  }

  async #fanOut(): Promise<void> {
    await fanOutAll(this.#deps);
    this.#note({ kind: 'fan-out' });
  }

  async #expire(): Promise<void> {
    await expireLeases(this.#deps);
    this.#note({ kind: 'crash' });
  }

  async compareAll(): Promise<void> {
    for (const [key, receiver] of this.#receivers) await this.#compare(key, receiver);
  }

  #changesOf(symbol: string): number {
    return this.#changes.get(symbol) ?? 0;
  }

  async #change(): Promise<void> {
    this.#changeCount += 1;
    const random = this.#random;
    const symbol = pick(SYMBOLS, random);
    const field = random.int(3);
    const change =
      field === 0
        ? { epsEstimate: pick(['1.2', '1.3'], random) }
        : field === 1
          ? { date: localDate(pick(['2026-11-20', '2026-11-23'], random)) }
          : { eps: pick([null, '1.1'], random) };
    const count = this.#history.counts ? { revenueEstimate: String(this.#changeCount) } : {};
    await publish(this.#deps, symbol, { ...change, ...count });
    this.#note({ kind: 'change' }, { symbol });
    this.#versions.set(`${symbol} ${this.#changeCount}`, this.#changesOf(symbol) + 1);
    this.#changes.set(symbol, this.#changesOf(symbol) + 1);
  }

  async #claim(free: number, arrivalShare: number): Promise<void> {
    const slots = { total: 64, free, slowInFlight: 0, inFlightByCustomer: new Map() };
    const { deliveries } = await claimDue(
      this.#deps,
      slots,
      pick(['', ...ENDPOINTS], this.#random),
    );
    for (const delivery of deliveries) {
      const { revenueEstimate } = JSON.parse(delivery.data) as { revenueEstimate?: string };
      const version = this.#versions.get(`${delivery.symbol} ${revenueEstimate}`) ?? 0;
      this.#note({ kind: 'claim', id: delivery.id, version }, delivery);
      const hasArrived = this.#random.float() < arrivalShare;
      if (hasArrived) this.#arrive(delivery);
      this.#flights.push({ delivery, hasArrived });
    }
  }

  /**
   * Ends some deliveries as acknowledged, as rejected after the receiver stored them, or as lost.
   */
  async #finishSome(): Promise<void> {
    const finishing = this.#flights.filter(() => this.#random.int(2) === 0);
    this.#flights = this.#flights.filter((flight) => !finishing.includes(flight));
    if (finishing.length > 0 && this.#random.int(8) === 0) {
      const unsent = finishing.filter(({ hasArrived }) => !hasArrived);
      await releaseClaims(
        this.#deps,
        unsent.map(({ delivery }) => delivery),
      );
      for (const { delivery } of unsent)
        this.#note({ kind: 'record', outcome: 'refuse' }, delivery);
      this.#flights.push(...finishing.filter(({ hasArrived }) => hasArrived));
      return;
    }
    await this.#finish(finishing, (flight) => this.#outcomeOf(flight));
  }

  #outcomeOf({ delivery, hasArrived }: Flight): PostOutcome {
    const draw = this.#random.int(4);
    if (hasArrived) {
      if (draw < 2) return respondWith(200);
      return draw === 2 ? respondWith(500) : failWith('timeout', true);
    }
    if (draw === 0) return failWith('connect', false);
    if (draw === 1) return failWith('reset', true);
    this.#arrive(delivery);
    return draw === 2 ? respondWith(204) : respondWith(503);
  }

  async #finish(
    flights: readonly Flight[],
    outcomeOf: (flight: Flight) => PostOutcome,
  ): Promise<void> {
    const byDelivery = new Map(flights.map((flight) => [flight.delivery, flight]));
    await recordOutcomes(this.#deps, [...byDelivery.keys()], (delivery) => {
      const flight = byDelivery.get(delivery);
      const outcome = flight === undefined ? respondWith(500) : outcomeOf(flight);
      this.#note({ kind: 'record', outcome: stepOf(outcome) }, delivery);
      return outcome;
    });
  }

  /** Cuts off all deliveries in flight and lets their leases expire. */
  async #crash(): Promise<void> {
    this.#flights = [];
    await this.#clock.advance(60_000);
    await this.#expire();
  }

  #arrive({ endpointId, symbol, body, id }: ClaimedDelivery): void {
    this.#note({ kind: 'arrive' }, { endpointId, symbol });
    const receiver = this.#receivers.get(`${endpointId} ${symbol}`);
    if (receiver === undefined) return;
    const earlierBody = receiver.bodyById.get(id);
    if (earlierBody !== undefined) {
      if (earlierBody !== body) this.violations.push(`${id} arrived with a different body`);
      return;
    }
    receiver.bodyById.set(id, body);
    const { data, changed_fields: changedFields } = JSON.parse(body) as {
      data: DeliveryData;
      changed_fields: string[];
    };
    receiver.data = data;
    for (const field of changedFields) receiver.merged[field] = data[field] ?? null;
    const count = Number(data['revenueEstimate'] ?? 0);
    if (this.#history.counts && count < receiver.count) {
      this.violations.push(`${endpointId} received older data of ${symbol}`);
    }
    receiver.count = Math.max(receiver.count, count);
  }

  async #compare(key: string, { data, merged, isSubscribed }: ReceiverState): Promise<void> {
    if (!isSubscribed) return;
    const [endpointId = '', symbol = ''] = key.split(' ');
    const [latest] = await this.#db.query<{ state: string }>(
      `select state from delivery where endpoint_id = $1 and symbol = $2 and state <> 'cancelled'
        order by created_at desc, id desc limit 1`,
      [endpointId, symbol],
    );
    if (latest?.state === 'failed') return;
    const stored = text(await this.#stored(symbol));
    if (data !== null && text(data) !== stored) {
      this.violations.push(`${key} lost data: it has ${text(data)}, the store ${stored}`);
    }
    if (text(merged) !== stored) {
      this.violations.push(`${key} merged ${text(merged)}, the store has ${stored}`);
    }
  }

  async #stored(symbol: string): Promise<DeliveryData> {
    const subject = { template, symbol };
    const dataOf = await loadSourceData(this.#db, [subject], this.#clock.now());
    return JSON.parse(dataOf(subject) ?? '{}') as DeliveryData;
  }
}

function stepOf(outcome: PostOutcome): 'accept' | 'lose' | 'refuse' {
  if (outcome.kind === 'failed') return outcome.maybeSent ? 'lose' : 'refuse';
  return outcome.status < 300 ? 'accept' : 'lose';
}

function text(data: DeliveryData): string {
  return serializeData(template.fields, data);
}

function pick<T>(values: readonly [T, ...T[]] | readonly T[], random: Random): T {
  const value = values[random.int(values.length)];
  if (value === undefined) throw new Error('empty list');
  return value;
}

/**
 * Returns the number of unfinished deliveries plus changes and subjects that have not been fanned
 * out.
 */
async function openCount(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select (select count(*) from delivery where finished_at is null)
          + (select count(*) from change_record
              where id > coalesce((select position from webhook_cursor where name = 'changes'), 0))
          + (select count(*) from webhook_fan_out) as count`,
  );
  return row?.count ?? 0;
}
