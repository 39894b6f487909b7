import { expect, test } from 'vitest';
import { ATTEMPT_DELAYS_MS, nextAttemptAt } from '../../src/webhooks/queue/retry-schedule.ts';
import { marketCalendar } from '../../src/domain/market/calendar.ts';
import { deriveMarketStatus } from '../../src/domain/market/market-status.ts';
import { quotaPeriods } from '../../src/domain/quota-window.ts';
import {
  daily,
  lastDue,
  nextDue,
  onTradingDays,
  type Times,
  weekly,
} from '../../src/domain/market/due-times.ts';
import { startLocalMeter } from '../../src/metering/local-quota-meter.ts';
import { silentLog } from '../support/logs.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { retryAfter } from '../../src/platform/retry-after.ts';
import {
  closeOf,
  dayAfter,
  dayOf,
  isSession,
  instantOf,
  sessionChangesOf,
} from '../support/calendar-oracle.ts';
import { manualClock } from '../support/quota-histories.ts';
import { runSeed, runSize } from '../support/run-size.ts';

const SEED = runSeed();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Time between two checks. Special days are checked more often. */
const STEP_MS = runSize({ slice: 149, whole: 1 }) * MINUTE_MS;
const ODD_STEP_MS = runSize({ slice: 10, whole: 1 }) * MINUTE_MS;
const FIRST = '2026-01-01';
const END = '2029-01-01';
/**
 * Both daylight saving changes, year ends, the leap day and the days around it, and early closes.
 */
const ODD_DAYS = [
  '2026-03-08',
  '2026-11-01',
  '2027-03-14',
  '2027-11-07',
  '2028-03-12',
  '2028-11-05',
  '2026-12-31',
  '2027-01-01',
  '2027-12-31',
  '2028-01-01',
  '2028-02-29',
  '2028-03-01',
  '2026-11-27',
  '2028-07-03',
  '2028-12-31',
];
const DAYS = daysUpTo(FIRST, END);
const market = marketCalendar();

test('derives the same market status as an independent calendar at every check over three years', () => {
  // Includes a few extra days at both ends, so that every instant has a next and a previous
  // transition.
  const turns = daysUpTo('2025-12-26', '2029-01-12').flatMap(sessionChangesOf);
  let at = 0;
  let checkCount = 0;
  for (const now of moments()) {
    while ((turns[at + 1]?.at ?? 0) <= now) at += 1;
    const status = deriveMarketStatus(market, now);
    const after = turns.slice(at + 1, at + 6);
    const next = after[0];
    const today = dayOf(now);
    const actual = [
      status.currentMarketStatus,
      status.nextStatus,
      Date.parse(status.nextStatusAt),
      Date.parse(status.nextOpen),
      Date.parse(status.nextClose),
      status.today.date,
      status.isTodayOpen,
      status.tomorrow.date,
      status.isTomorrowOpen,
      status.today.close,
    ];
    const expected = [
      turns[at]?.session,
      next?.session,
      next?.at,
      after.find(({ session }) => session === 'open')?.at,
      after.find(({ session }) => session === 'after-hours')?.at,
      today,
      isSession(today),
      dayAfter(today),
      isSession(dayAfter(today)),
      isSession(today) ? `${closeOf(today) / 60}:00` : null,
    ];
    mustEqual(actual, expected, now);
    checkCount += 1;
  }
  console.log(`${checkCount} checks`);
  expect(checkCount).toBeGreaterThan(10_000);
});

test('ends quota days and months at midnight in New York', async () => {
  const periodOf = quotaPeriods();
  const clock = manualClock(instantOf(FIRST, 0));
  const db = { query: () => Promise.resolve([]) };
  const meter = await startLocalMeter({ db, clock, log: silentLog });
  const plan = { name: 'two', perMinute: 9, perDay: 2, perMonth: 50, historyMonths: null };
  let inMonth = 0;
  for (const day of DAYS) {
    const [startsAt, endsAt] = [instantOf(day, 0), instantOf(dayAfter(day), 0)];
    const monthEndsAt = instantOf(monthAfter(day), 0);
    for (const now of [startsAt, startsAt + 7 * HOUR_MS, endsAt - 1]) {
      const { dayStartsAt, dayEndsAt, monthEndsAt: monthEnds } = periodOf(now);
      mustEqual([dayStartsAt, dayEndsAt, monthEnds], [startsAt, endsAt, monthEndsAt], now);
    }
    let onDay = 0;
    if (day.endsWith('-01')) inMonth = 0;
    // Sends requests at the first and last moment of the day, and one request over the limit.
    for (const at of [startsAt, endsAt - 1, endsAt - 1]) {
      clock.advance(at - clock.now());
      const decision = await meter.consume({
        customerId: 'cus_1',
        plan,
        cost: 'all',
        now: clock.now(),
      });
      const isOwed = onDay < 2 && inMonth < 50;
      expect(decision.kind, `${day} ${at}`).toBe(isOwed ? 'admitted' : 'refused');
      if (isOwed) {
        onDay += 1;
        inMonth += 1;
      } else if (decision.kind === 'refused') {
        const resetAt = inMonth < 50 ? endsAt : monthEndsAt;
        expect([decision.resetAt, decision.retryAfterSeconds]).toEqual([
          resetAt,
          Math.ceil((resetAt - at) / 1_000),
        ]);
      }
    }
  }
  await meter.stop();
});

const TIMETABLES: readonly [string, Times, (day: string) => number[]][] = [
  ['in the hour that spring skips', daily('02:30'), (day) => [instantOf(day, 150)]],
  ['in the hour that autumn repeats', daily('01:30'), (day) => [instantOf(day, 90)]],
  ['at midnight', daily('00:00'), (day) => [instantOf(day, 0)]],
  [
    'on Saturdays',
    weekly(6, '10:00'),
    (day) => (new Date(`${day}T00:00:00Z`).getUTCDay() === 6 ? [instantOf(day, 600)] : []),
  ],
  [
    'around sessions',
    onTradingDays('open-90', 'close+45', '20:00'),
    (day) =>
      isSession(day)
        ? [instantOf(day, 480), instantOf(day, closeOf(day) + 45), instantOf(day, 1_200)]
        : [],
  ],
];

test.each(TIMETABLES)(
  'finds each due time of the %s schedules exactly once over three years',
  (_, times, on) => {
    const dueTimes = daysUpTo('2025-12-26', '2029-01-12')
      .flatMap(on)
      .toSorted((a, b) => a - b);
    let at = 0;
    for (const now of moments(runSize({ slice: 7, whole: 60 }))) {
      while ((dueTimes[at + 1] ?? Infinity) <= now) at += 1;
      mustEqual(
        [lastDue(times, now, market), nextDue(times, now, market)],
        [dueTimes[at], dueTimes[at + 1]],
        now,
      );
    }
    // Steps from one due time to the next. Each must occur exactly once.
    let due = dueTimes[0] ?? 0;
    for (const expected of dueTimes.slice(1)) {
      due = nextDue(times, due, market);
      if (due !== expected) expect(new Date(due)).toEqual(new Date(expected));
    }
  },
);

test(`measures retry delays in elapsed time across daylight saving changes (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  for (const day of ODD_DAYS) {
    for (let hour = -72; hour < 24; hour += 1) {
      const began = instantOf(day, 0) + hour * HOUR_MS;
      let at = began;
      for (let outcomeCount = 1; outcomeCount < ATTEMPT_DELAYS_MS.length; outcomeCount += 1) {
        const failed = { outcomeCount, at, status: 500, isTimeout: false, retryAfter: null };
        const next = nextAttemptAt(failed, random.float());
        const waitMs = next - at;
        const delay = ATTEMPT_DELAYS_MS[outcomeCount] ?? 0;
        if (waitMs < delay || waitMs > delay * 1.2 + 1) expect([waitMs, delay]).toEqual([]);
        at = next;
      }
      const seconds = random.int(86_400);
      const httpDate = new Date(began + seconds * 1_000).toUTCString();
      expect(retryAfter(httpDate, began)).toBe(Math.floor(began / 1_000) * 1_000 + seconds * 1_000);
    }
  }
});

/**
 * Yields instants over three years, more densely on special days. `coarser` reduces the number of
 * instants on the other days.
 */
function* moments(coarser = 1): Generator<number> {
  for (const day of DAYS) {
    const step = ODD_DAYS.includes(day) ? ODD_STEP_MS : STEP_MS * coarser;
    const end = instantOf(dayAfter(day), 0);
    for (let at = instantOf(day, 0); at < end; at += step) yield at;
    yield end - 1;
  }
}

/** Returns the first day of the next month. */
function monthAfter(day: string): string {
  let next = dayAfter(day);
  while (!next.endsWith('-01')) next = dayAfter(next);
  return next;
}

function daysUpTo(first: string, end: string): string[] {
  const days: string[] = [];
  for (let day = first; day < end; day = dayAfter(day)) days.push(day);
  return days;
}

/** Calls the slow `expect` only if there is a difference, to print it. */
function mustEqual(actual: readonly unknown[], expected: readonly unknown[], now: number): void {
  if (actual.every((value, at) => value === expected[at])) return;
  expect([new Date(now), ...actual]).toEqual([new Date(now), ...expected]);
}
