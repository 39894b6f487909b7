import { expect, test } from 'vitest';
import { createSandbox } from '../src/providers/sandbox/index.ts';
import { sessionsFrom } from './recompute/days.ts';
import { loadRawFacts, type RawFacts } from './recompute/raw-facts.ts';
import { moversOf, reactionsOf, unusualVolume } from './recompute/recompute.ts';
import { barsOf, newestSession } from './recompute/bars.ts';
import { linkRecordings } from './support/link-recordings.ts';
import { openRecordedWorld, type RecordedWorld } from './support/recorded-world.ts';

/** Current time in the test, after the early closes around Thanksgiving and Christmas. */
const NOW = '2027-01-15T22:30:00Z';
const TODAY = '2027-01-15';
const COMPANIES = 70;

/** Folder with responses recorded from real sources. */
const ROOT = process.env['AFTERBELL_RECORDINGS'];
/**
 * True to use all recordings, which takes minutes. By default, the test uses one exchange and the
 * companies with bars and filings.
 */
const IS_WHOLE = process.env['AFTERBELL_RECORDINGS_ALL'] === 'true';
const WANTED = {
  nasdaq: /^screener-nyse-|^screener-series-|^calendar-earnings/,
  finnhub: /^calendar-earnings/,
  sec: /^(submissions|companyfacts)/,
  datasets: /^ohlcv-/,
};
const RECORDED_NOW = '2026-08-01T15:00:00Z';

test(
  'computes the same reactions, movers and unusual volume as an independent computation from raw bars',
  { timeout: 240_000 },
  async () => {
    const world = await openRecordedWorld(NOW);
    try {
      await fillFromSandbox(world);
      await makeHardCases(world);
      const facts = await loadRawFacts(world.db);
      const seen = await compareReactions(world, facts, TODAY);
      expect(seen.reactions).toBeGreaterThan(1000);
      expect([...seen.bases].toSorted()).toEqual(
        ['exact', 'session', 'intraday', 'inferred', 'assumed'].toSorted(),
      );
      const days = Array.from({ length: 60 }, (_, back) => sessionsFrom(TODAY, -back));
      const compared = await compareMovers(world, facts, days, TODAY);
      expect(compared.movers).toBeGreaterThan(5);
      expect(compared.unknownSession).toBeGreaterThan(3);
      expect(compared.withoutPrices).toBeGreaterThan(0);
      expect(compared.notFinal).toContain('2026-12-29');
      expect(compared.notFinal.length).toBeLessThan(days.length / 2);
      expect(await compareUnusual(world, facts)).toBeGreaterThan(3);
    } finally {
      await world.close();
    }
  },
);

test.skipIf(ROOT === undefined)(
  'matches an independent computation for every company with recorded bars and results (set AFTERBELL_RECORDINGS to their folder)',
  { timeout: 600_000 },
  async () => {
    const world = await openRecordedWorld(RECORDED_NOW);
    try {
      await world.replay(IS_WHOLE ? (ROOT ?? '') : linkRecordings(ROOT ?? '', WANTED));
      const facts = await loadRawFacts(world.db);
      const today = RECORDED_NOW.slice(0, 10);
      const seen = await compareReactions(world, facts, today);
      expect(seen.reactions).toBeGreaterThan(50);
      const days = [...new Set(facts.bars.map(({ date }) => date))].toSorted().slice(-10);
      expect((await compareMovers(world, facts, days, today)).movers).toBeGreaterThan(100);
      expect(await compareUnusual(world, facts)).toBeGreaterThan(0);
    } finally {
      await world.close();
    }
  },
);

async function fillFromSandbox({ ingest }: RecordedWorld): Promise<void> {
  const sandbox = createSandbox({ companies: COMPANIES, seed: 11, years: 1 });
  for (const answer of sandbox.generateResponses?.(null, Date.parse(NOW)) ?? []) {
    if (/[?&]part=\d/.test(answer.url) && answer.url.includes('/calendar?')) continue;
    await ingest(answer);
  }
}

/** Creates halts, missing volumes, bursts of volume, unknown hours and splits. */
async function makeHardCases({ db }: RecordedWorld): Promise<void> {
  // Removes one bar in thirty, sometimes several in a row, and one volume in forty.
  await db.query(`delete from price_bar where abs(hashtext(symbol || date)) % 30 = 0`);
  await db.query(
    `delete from price_bar where abs(hashtext(symbol)) % 9 = 0
        and date between '2026-11-02' and '2026-11-19'`,
  );
  // Removes all bars of one session.
  await db.query(`delete from price_bar where date = '2026-12-29'`);
  await db.query(`update price_bar set volume = null where abs(hashtext(date || symbol)) % 40 = 0`);
  await db.query(
    `update price_bar set volume = volume * 3
      where date = '${TODAY}' and abs(hashtext(symbol)) % 4 = 0`,
  );
  // Leaves some reports with only a session, and some without even that.
  await db.query(
    `update earnings_event set reported_at = null where abs(hashtext(id)) % 5 in (0, 1)`,
  );
  await db.query(
    `update earnings_event set reported_at = null, time = 'time-not-supplied'
      where abs(hashtext(id)) % 7 = 0`,
  );
  await db.query(
    `update earnings_event set reported_at = reported_at + interval '9 hours'
      where abs(hashtext(id)) % 11 = 0`,
  );
  // Removes the results of some reports.
  await db.query(
    `update earnings_event set date_status = 'confirmed'
      where abs(hashtext(id || 'x')) % case when time = 'time-not-supplied' then 2 else 9 end = 0`,
  );
  // Turns some securities into preferred shares.
  await db.query(
    `update profile set fields = jsonb_set(fields, '{tags}', '["adr", "preferred"]')
      where abs(hashtext(symbol)) % 9 = 2`,
  );
  // Gives a third of the companies a share split, half of them within the last few weeks.
  await db.query(
    `insert into share_split (symbol, date, provider, feed, numerator, denominator, seen_at)
     select symbol, case when abs(hashtext(symbol)) % 2 = 0 then date '2026-12-21'
                         else date '2026-08-03' end,
            'files', 'splits', case when abs(hashtext(symbol)) % 4 < 2 then 3 else 1 end,
            case when abs(hashtext(symbol)) % 4 < 2 then 2 else 10 end, now()
       from security_symbol where abs(hashtext(symbol)) % 3 = 0`,
  );
  await db.query(`update price_bar set basis_date = '2027-01-15'
                   where abs(hashtext(symbol)) % 6 = 0 and abs(hashtext(symbol)) % 3 = 0`);
}

async function compareReactions(
  world: RecordedWorld,
  facts: RawFacts,
  today: string,
): Promise<{ reactions: number; bases: Set<string> }> {
  let reactions = 0;
  const bases = new Set<string>();
  for (const { security, symbol } of facts.profiles) {
    if (!facts.eventsBySecurity.has(security)) continue;
    // A symbol belongs to the company that currently uses it.
    const own = facts.names.get(security) ?? [];
    if (!own.some((name) => name.symbol === symbol && name.to === null)) continue;
    if (barsOf(facts, security, today).length === 0) continue;
    const expected = reactionsOf(facts, security, today);
    const path = `/v1/earnings-reactions?limit=100&symbol=${encodeURIComponent(symbol)}`;
    const answered = JSON.parse(await world.request(path)) as Record<string, unknown>[];
    expect(answered.length, symbol).toBe(expected.length);
    for (const [at, row] of expected.entries()) {
      expect(answered[at], `${symbol} ${row.date}`).toMatchObject(row);
      reactions += row.reactions.length;
      bases.add(row.reactionBasis);
    }
  }
  return { reactions, bases };
}

async function compareMovers(
  world: RecordedWorld,
  facts: RawFacts,
  days: readonly string[],
  today: string,
): Promise<{
  movers: number;
  unknownSession: number;
  withoutPrices: number;
  notFinal: string[];
}> {
  let [movers, unknownSession, withoutPrices] = [0, 0, 0];
  const notFinal: string[] = [];
  for (const day of days) {
    const expected = moversOf(facts, day, today);
    const answered: unknown = JSON.parse(await world.request(`/v1/earnings-movers?date=${day}`));
    expect(answered, day).toMatchObject({ isTradingDay: true, ...expected });
    movers += expected.data.length;
    unknownSession += expected.unknownSession;
    withoutPrices += expected.withoutPrices;
    if (!expected.final) notFinal.push(day);
  }
  return { movers, unknownSession, withoutPrices, notFinal };
}

async function compareUnusual(world: RecordedWorld, facts: RawFacts): Promise<number> {
  const expected = unusualVolume(facts);
  expect(expected.date).toBe(newestSession(facts));
  const answered: unknown = JSON.parse(await world.request('/v1/unusual-volume'));
  expect(answered).toMatchObject(expected);
  return expected.up.length + expected.down.length;
}
