import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { marketCalendar } from '../src/domain/market/calendar.ts';
import { newYorkDate } from '../src/domain/new-york.ts';
import { loadFreshness } from '../src/ingest/freshness.ts';
import { parseInstant } from '../src/platform/instant.ts';
import type { Db } from '../src/storage/db.ts';
import { calendarProvider } from './support/calendar-only.ts';
import { type Behaviour, type FaultySource, startFaultySource } from './support/faulty-source.ts';
import { upcomingRow, envelope } from './support/write-recording.ts';
import { emptyStore, memoryStore } from './support/stores.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A Tuesday in earnings season at 10:00 in New York. */
const START = parseInstant('2026-11-17T15:00:00Z') ?? 0;
/** Total simulated hours for all faults together. */
const HOURS = Number(process.env['AFTERBELL_FAULT_HOURS'] ?? 24);
const MOST_A_MINUTE = 20;
const INTERVAL_MS = 3000;

const source = calendarProvider();

let db: Db;
let world: FaultySource;
let estimate = '$1.25';

beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(async () => {
  await emptyStore(db);
  estimate = '$1.25';
  world = await startFaultySource(db, source, START);
  world.behaviour = healthy;
  await world.advance(HOUR_MS / 2);
});
afterEach(() => world.close());
afterAll(() => db.close());

const SYMBOLS = Array.from({ length: 12 }, (_, n) => `MER${String.fromCharCode(65 + n)}`);

/**
 * Responds with twelve companies for every requested day, each under a symbol specific to that day.
 */
const healthy: Behaviour = (response, request) => {
  const date = new URL(request.url ?? '', 'http://x').searchParams.get('date') ?? '';
  const rows = SYMBOLS.map((symbol) =>
    upcomingRow(`${symbol}${date.slice(8)}`.replaceAll(/\d/g, letterOf), { epsForecast: estimate }),
  );
  json(response, envelope(rows));
};

function letterOf(digit: string): string {
  return String.fromCharCode(65 + Number(digit));
}

function json(response: Parameters<Behaviour>[0], body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const html: Behaviour = (response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Just a moment</html>');

const truncated: Behaviour = (response) =>
  void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify(envelope([upcomingRow('MERA')])).slice(0, 90));

const cutInBody: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
  response.write('{"data":', () => response.socket?.destroy());
};

/**
 * Each fault with its maximum number of requests per hour, and the hours until the service notices
 * that the source has recovered.
 */
const FAULTS: readonly [string, Behaviour, mostAnHour: number, hoursToNotice: number][] = [
  ['429 with seconds', refuse(429, () => '600'), 8, 1],
  ['429 with a date', refuse(429, () => httpDate(world.clock.now() + 20 * MINUTE_MS)), 5, 1],
  ['429 without a time', refuse(429), 5, 4],
  ['403', refuse(403), 5, 4],
  ['503', refuse(503), 14, 1],
  ['503 with seconds', refuse(503, () => '900'), 6, 1],
  ['HTML with status 200', html, 14, 1],
  ['a truncated body with status 200', truncated, 14, 1],
  ['a reset connection', (response) => void response.socket?.destroy(), 14, 1],
  ['a connection cut in the body', cutInBody, 14, 1],
  ['no byte at all', (_response, _request, hold) => hold(), 14, 1],
  ['a body that never ends', endless, 14, 1],
];

function endless(...[response, , hold]: Parameters<Behaviour>): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"data":', hold);
}

function refuse(status: number, retryAfter?: () => string): Behaviour {
  return (response) => {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter() };
    response.writeHead(status, headers).end();
  };
}

function httpDate(at: number): string {
  return new Date(at).toUTCString();
}

describe.each(FAULTS)('a source that responds with %s', (_, behaviour, mostAnHour, hours) => {
  it('sends fewer requests to a faulty source, loses no data, and catches up once the source recovers', async () => {
    const before = await served();
    expect(before.length).toBeGreaterThanOrEqual(36);
    const healthyUntil = world.requests.length;
    world.behaviour = behaviour;
    await world.advance(3 * HOUR_MS);
    expect(await served()).toEqual(before);
    const asked = world.requests.slice(healthyUntil);
    expect(asked.length).toBeGreaterThan(2);
    // The first hour includes the attempts made before the failure was detected.
    expect(asked.length).toBeLessThanOrEqual(3 * mostAnHour + 10);
    world.behaviour = healthy;
    estimate = '$1.40';
    await world.advance(hours * HOUR_MS);
    const today = newYorkDate(world.clock.now());
    const changed = (await served()).filter(({ date }) => date === today);
    expect(changed.map(({ eps_estimate }) => eps_estimate)).toEqual(SYMBOLS.map(() => '1.4'));
    expectWithinAllowance();
  });
});

describe('a source that is out of service', () => {
  it('serves stored data and reports it as late while a source is out of service', async () => {
    const before = await served();
    expect(await freshness()).toBe('fresh');
    world.behaviour = refuse(503);
    await world.advance(31 * HOUR_MS);
    expect(await freshness()).toBe('late');
    expect(await served()).toEqual(before);
    world.behaviour = healthy;
    await world.advance(2 * HOUR_MS);
    expect(await freshness()).toBe('fresh');
    expectWithinAllowance();
  });

  it('sends one probe at a time to a source that is out of service, after pauses that double up to half an hour', async () => {
    world.behaviour = refuse(500);
    const from = world.requests.length;
    await world.advance(4 * HOUR_MS);
    const times = world.requests.slice(from).map(({ at }) => at);
    const pauses = times.slice(1).map((at, i) => at - (times[i] ?? 0));
    // While the circuit breaker is open, there is exactly one request after each pause.
    const probes = pauses.slice(pauses.findIndex((pause) => pause >= MINUTE_MS));
    expect(probes.length).toBeGreaterThan(5);
    expect(Math.min(...probes)).toBeGreaterThanOrEqual(MINUTE_MS);
    expect(Math.max(...probes)).toBeLessThanOrEqual(31 * MINUTE_MS);
    expect(probes.at(-1)).toBeGreaterThan(15 * MINUTE_MS);
  });

  it('keeps a flapping source in cooldown without missing any day', async () => {
    let count = 0;
    world.behaviour = (...given) => (++count % 2 === 0 ? healthy : refuse(502))(...given);
    estimate = '$1.50';
    await world.advance(2 * HOUR_MS);
    const today = newYorkDate(world.clock.now());
    const rows = (await served()).filter(({ date }) => date === today);
    expect(rows.map(({ eps_estimate }) => eps_estimate)).toEqual(SYMBOLS.map(() => '1.5'));
    expectWithinAllowance();
  });

  it.each([
    ['an empty list', []],
    ['no list', null],
    ['one row of twelve', [upcomingRow('MERA')]],
  ])(
    'deletes nothing and records no success when a source sends %s in earnings season',
    async (_, rows) => {
      const before = await served();
      const goodAt = await lastGoodAt();
      world.behaviour = (response) => json(response, envelope(rows));
      await world.advance(3 * HOUR_MS);
      expect(await served()).toEqual(before);
      expect(await lastGoodAt()).toBe(goodAt);
      // The response is archived for inspection.
      const [kept] = await db.query<{ answers: number }>(
        `select count(*) as answers from raw_answer where reason = 'suddenly-empty'`,
      );
      expect(kept?.answers).toBeGreaterThan(3);
    },
  );

  it(`stays within the rate limit of a source through ${HOURS} hours of all faults together`, async () => {
    let count = 0;
    world.behaviour = (...given) => {
      const [, behaviour] = FAULTS[Math.floor(++count / 3) % FAULTS.length] ?? ['', healthy];
      (count % 4 === 0 ? healthy : behaviour)(...given);
    };
    await world.advance(HOURS * HOUR_MS);
    expectWithinAllowance();
    world.behaviour = healthy;
    estimate = '$1.60';
    await world.advance(6 * HOUR_MS);
    const today = newYorkDate(world.clock.now());
    const rows = (await served()).filter(({ date }) => date === today);
    expect(rows.map(({ eps_estimate }) => eps_estimate)).toEqual(SYMBOLS.map(() => '1.6'));
  });
});

/**
 * Checks that there are never two requests within the interval, and therefore never more per minute
 * than the source allows.
 */
function expectWithinAllowance(): void {
  const times = world.requests.map(({ at }) => at);
  const pauses = times.slice(1).map((at, i) => at - (times[i] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(INTERVAL_MS);
  const most = Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + MINUTE_MS).length),
  );
  expect(most).toBeLessThanOrEqual(MOST_A_MINUTE);
}

interface Served extends Record<string, unknown> {
  symbol: string;
  date: string;
  eps_estimate: string | null;
}

function served(): Promise<Served[]> {
  return db.query<Served>(
    `select symbol, date, eps_estimate from earnings_event where known_to is null
      order by date, symbol`,
  );
}

async function lastGoodAt(): Promise<number | null> {
  const [row] = await db.query<{ at: number | null }>(
    `select max(received_at) as at from raw_answer where outcome = 'ingested'`,
  );
  return row?.at ?? null;
}

async function freshness(): Promise<string | undefined> {
  const report = await loadFreshness({
    db,
    providers: [world.provider],
    enabled: [world.provider],
    market: marketCalendar(),
    now: world.clock.now(),
  });
  return report.find(({ dataset }) => dataset === 'earnings')?.state;
}
