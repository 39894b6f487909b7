import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { newYorkDate } from '../../src/domain/new-york.ts';
import { parseInstant } from '../../src/platform/instant.ts';
import { type Random, seededRandom } from '../../src/platform/random.ts';
import { calendarProvider } from '../support/calendar-only.ts';
import { startFaultySource } from '../support/faulty-source.ts';
import { upcomingRow, envelope } from '../support/write-recording.ts';
import { runSeed, runSize } from '../support/run-size.ts';
import { emptyStore, memoryStore } from '../support/stores.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A Tuesday in earnings season at 10:00 in New York. */
const START = parseInstant('2026-11-17T15:00:00Z') ?? 0;
const HOURS = runSize({ slice: 1, whole: 24 });
const RUNS = runSize({ slice: 1, whole: 10 });
/** Rate limits for this source. */
const INTERVAL_MS = 3_000;
const REQUESTS_PER_MINUTE_MAX = 20;
const SYMBOLS = ['MERA', 'MERB', 'MERC', 'MERD', 'MERE', 'MERF'];
const SEED = runSeed();

type Mood =
  | 'well'
  | 'limits'
  | 'limits-by-date'
  | 'limits-in-silence'
  | 'fails'
  | 'fails-and-says-when'
  | 'hangs'
  | 'resets'
  | 'flaps';
const MOODS: readonly Mood[] = [
  'well',
  'limits',
  'limits-by-date',
  'limits-in-silence',
  'fails',
  'fails-and-says-when',
  'hangs',
  'resets',
  'flaps',
];

test.each(Array.from({ length: RUNS }, (_, n) => SEED + n))(
  "waits for a faulty source's Retry-After and never exceeds its rate limit; seed %i",
  async (seed) => {
    const random = seededRandom(seed);
    const db = await memoryStore();
    await emptyStore(db);
    const world = await startFaultySource(db, calendarProvider(), START);
    const { clock } = world;
    let mood: Mood = 'well';
    let estimate = '$1.25';
    let quietUntil = 0;
    let earlyRequests = 0;
    let retryAfterCount = 0;
    world.behaviour = (response, { url = '' }, hold) => {
      // Rounded down to the second, which is the precision of an HTTP date.
      if (clock.now() < quietUntil) earlyRequests += 1;
      const reaction = drawReaction(mood, random);
      if (reaction === 'well') return respond(response, url, estimate);
      if (reaction === 'hang') return hold();
      if (reaction === 'reset') return void response.socket?.destroy();
      const { status, seconds, isDate } = reaction;
      if (seconds === null) return void response.writeHead(status).end();
      retryAfterCount += 1;
      const until = Math.floor(clock.now() / 1_000) * 1_000 + seconds * 1_000;
      quietUntil = Math.max(quietUntil, until);
      const retryAfter = isDate ? new Date(until).toUTCString() : String(seconds);
      response.writeHead(status, { 'retry-after': retryAfter }).end();
    };
    await world.advance(HOUR_MS);
    const probes: number[] = [];
    for (let passedMs = 0; passedMs < HOURS * HOUR_MS;) {
      // Every run includes at least one rate-limit response.
      mood = passedMs === 0 ? 'limits' : (MOODS[random.int(MOODS.length)] ?? 'well');
      const lastsMs = (30 + random.int(90)) * MINUTE_MS;
      const from = world.requests.length;
      await world.advance(lastsMs);
      passedMs += lastsMs;
      // An open circuit breaker allows an occasional probe. After the first few, there are only a
      // few probes per hour.
      if (mood === 'fails' || mood === 'resets' || mood === 'hangs') {
        probes.push((world.requests.length - from - 10) / Math.max(1, lastsMs / HOUR_MS));
      }
    }
    mood = 'well';
    estimate = '$1.75';
    // The longest cooldown for a source is six hours.
    await world.advance(7 * HOUR_MS);
    const times = world.requests.map(({ at }) => at);
    const pauses = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    const most = Math.max(
      ...times.map((from) => times.filter((at) => at >= from && at < from + MINUTE_MS).length),
    );
    console.info(
      `seed ${seed}: ${times.length} requests in ${HOURS + 8} hours, ${retryAfterCount} Retry-After headers, ` +
        `at most ${most} per minute`,
    );
    expect(retryAfterCount).toBeGreaterThan(0);
    expect(earlyRequests).toBe(0);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(INTERVAL_MS);
    expect(most).toBeLessThanOrEqual(REQUESTS_PER_MINUTE_MAX);
    expect(Math.max(0, ...probes)).toBeLessThanOrEqual(14);
    const today = newYorkDate(clock.now());
    const rows = await db.query<{ eps_estimate: string }>(
      `select eps_estimate from earnings_event where known_to is null and date = $1`,
      [today],
    );
    expect(rows.map((row) => row.eps_estimate)).toEqual(SYMBOLS.map(() => '1.75'));
    await world.close();
    await db.close();
  },
  600_000,
);

type Reaction =
  | 'well'
  | 'hang'
  | 'reset'
  | { status: number; seconds: number | null; isDate: boolean };

function drawReaction(mood: Mood, random: Random): Reaction {
  const seconds = 1 + random.int(40 * 60);
  switch (mood) {
    case 'well':
      return 'well';
    case 'limits':
      return { status: 429, seconds, isDate: false };
    case 'limits-by-date':
      return { status: 429, seconds, isDate: true };
    case 'limits-in-silence':
      return { status: 429, seconds: null, isDate: false };
    case 'fails':
      return { status: 500 + random.int(5), seconds: null, isDate: false };
    case 'fails-and-says-when':
      return { status: 503, seconds, isDate: random.int(2) === 0 };
    case 'hangs':
      return 'hang';
    case 'resets':
      return 'reset';
    case 'flaps':
      return random.int(2) === 0 ? 'well' : drawReaction(MOODS[random.int(8)] ?? 'well', random);
  }
}

/**
 * Responds with the companies that report on the requested day. Each has a symbol specific to that
 * day.
 */
function respond(response: ServerResponse, url: string, estimate: string): void {
  const date = new URL(url, 'http://x').searchParams.get('date') ?? '';
  const suffix = date
    .slice(8)
    .replaceAll(/\d/g, (digit) => String.fromCharCode(65 + Number(digit)));
  const rows = SYMBOLS.map((symbol) => upcomingRow(symbol + suffix, { epsForecast: estimate }));
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify(envelope(rows)));
}
