import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  barOf,
  eveningOf,
  market,
  ingestListedBars,
  ingestFileBars,
} from '../../test/support/stored-bars.ts';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { emptyStore } from '../../test/support/stores.ts';
import { loadWithheldBars } from '../datasets/bars/withheld.ts';
import type { BarObservation } from '../datasets/bars/observation.ts';
import { localDate, type LocalDate } from '../domain/local-date.ts';
import { newYorkInstant } from '../domain/new-york.ts';
import type { Db } from '../storage/db.ts';

const SCREENER = 'nasdaq/screener';
const SYMBOLS = ['AABB', 'CCDD', 'EEFF', 'GGHH', 'IIJJ'];
const FIRST = localDate('2026-04-13');

/** Returns a generated close, different for every session. */
function closeOn(symbol: number, session: number): string {
  return String(20 + symbol * 7 + ((session * 13 + symbol * 5) % 11) / 2);
}

function sessionAt(index: number): LocalDate {
  return market.addTradingDays(FIRST, index);
}

/** Returns the rows in the list published after session number `index`. */
function rowsOf(index: number): BarObservation[] {
  return SYMBOLS.map((symbol, i) =>
    barOf(symbol, null, closeOn(i, index), {
      previousClose: closeOn(i, index - 1),
      volume: 100_000 * (index + 2) + i,
    }),
  );
}

interface Snapshot {
  /** Number of the session after which the list was observed, in the evening. */
  evening: number;
  /** Rows in the list, possibly from a different session. */
  rows: BarObservation[];
}

function ingestSnapshot(db: Db, { evening, rows }: Snapshot): ReturnType<typeof ingestListedBars> {
  const at = eveningOf(sessionAt(evening));
  return ingestListedBars(db, { list: 'nyse', isAdjusted: false, rows }, { feed: SCREENER, at });
}

async function ingestSnapshots(db: Db, snapshots: readonly Snapshot[]): Promise<void> {
  for (const night of snapshots) await ingestSnapshot(db, night);
}

/** Returns the quarantine reasons by session, with null for rows that are not quarantined. */
async function quarantineReasonsBySession(db: Db): Promise<Record<string, (string | null)[]>> {
  // Returns one row per session and quarantine reason.
  const rows = await db.query<{ date: string; held: string | null }>(
    `select distinct date, held from price_bar order by date, held nulls first`,
  );
  const byDate = Map.groupBy(rows, ({ date }) => date);
  return Object.fromEntries([...byDate].map(([date, all]) => [date, all.map((row) => row.held)]));
}

/** Returns the close and the volume served for a symbol, by session. */
async function servedCloses(db: Db, symbol: string): Promise<Record<string, string>> {
  // Returns one row per session.
  const rows = await db.query<{ date: string; close: string }>(
    `select date, close::text from price_bar where symbol = $1 and held is null order by date`,
    [symbol],
  );
  return Object.fromEntries(rows.map(({ date, close }) => [date, close]));
}

/** Returns the rows of a list captured during session number `index`. */
function midSession(index: number): BarObservation[] {
  return rowsOf(index).map((row) => ({
    ...row,
    close: (Number(row.close) * 1.02).toFixed(2),
    volume: 60_000,
  }));
}

/** Returns the rows after session number `index`, with a 4 for 1 split of the first symbol then. */
function withSplit(index: number): BarObservation[] {
  return rowsOf(index).map((row, i) =>
    i > 0
      ? row
      : {
          ...row,
          close: String(Number(row.close) / 4),
          previousClose: String(Number(row.previousClose) / 4),
        },
  );
}

async function splitsIn(db: Db): Promise<unknown[]> {
  return db.query(
    `select symbol, date, numerator, denominator from share_split order by symbol, date`,
  );
}

onEachEngine((db) => {
  test('assigns a price list to a new session even if it equals a list from months ago, regardless of row order', async () => {
    const snapshots = [
      { evening: 0, rows: rowsOf(0) },
      { evening: 40, rows: rowsOf(0) },
    ];
    const expected = { [sessionAt(0)]: [null], [sessionAt(40)]: [null] };
    for (const order of [snapshots, snapshots.toReversed()]) {
      await emptyStore(db());
      await ingestSnapshots(db(), order);
      expect(await quarantineReasonsBySession(db())).toEqual(expected);
    }
  });

  test('assigns a price list without a date to the latest completed session', async () => {
    await ingestSnapshots(
      db(),
      [0, 1, 2].map((evening) => ({ evening, rows: rowsOf(evening) })),
    );
    expect(await quarantineReasonsBySession(db())).toEqual({
      [sessionAt(0)]: [null],
      [sessionAt(1)]: [null],
      [sessionAt(2)]: [null],
    });
  });

  test.each([
    ['at noon', 12 * 60, 0],
    ['before the open', 8 * 60, 0],
    ['at the close', 16 * 60, 0],
    ['a quarter of an hour after', 16 * 60 + 15, 5],
  ])(
    'stores bars from a list observed %s only if the session has closed',
    async (_, minute, stored) => {
      const at = newYorkInstant(FIRST, minute);
      const { report } = await ingestListedBars(
        db(),
        { list: 'nyse', isAdjusted: false, rows: rowsOf(0) },
        { feed: SCREENER, at },
      );
      expect(report.rowsNew).toBe(stored);
      expect(report.quarantineReasons).toEqual(stored === 0 ? { 'session-not-over': 5 } : {});
    },
  );

  test('assigns a price list observed after midnight or on a weekend to the previous session', async () => {
    const friday = localDate('2026-04-17');
    for (const at of [newYorkInstant(localDate('2026-04-18'), 90), eveningOf('2026-04-19')]) {
      const bars = { list: 'nyse', isAdjusted: false, rows: rowsOf(4) };
      await ingestListedBars(db(), bars, { feed: SCREENER, at });
    }
    expect(await quarantineReasonsBySession(db())).toEqual({ [friday]: [null] });
  });

  test("quarantines a price list that repeats the previous evening's list", async () => {
    const repeated = { evening: 2, rows: rowsOf(1) };
    await ingestSnapshots(
      db(),
      [0, 1].map((evening) => ({ evening, rows: rowsOf(evening) })),
    );
    await ingestSnapshot(db(), repeated);
    expect(await quarantineReasonsBySession(db())).toMatchObject({
      [sessionAt(1)]: [null],
      [sessionAt(2)]: ['stale-night'],
    });
  });

  test('serves lists that are one session behind under the session they show, and no list captured too early', async () => {
    await ingestSnapshots(db(), [
      { evening: 0, rows: rowsOf(0) },
      { evening: 1, rows: midSession(1) },
      { evening: 2, rows: rowsOf(1) },
      { evening: 3, rows: rowsOf(2) },
      { evening: 4, rows: rowsOf(4) },
    ]);
    expect(await quarantineReasonsBySession(db())).toEqual({
      [sessionAt(0)]: [null],
      [sessionAt(1)]: [null, 'not-the-close'],
      [sessionAt(2)]: [null, 'stale-night'],
      [sessionAt(3)]: ['stale-night'],
      [sessionAt(4)]: [null],
    });
    expect(await servedCloses(db(), 'AABB')).toEqual(
      Object.fromEntries([0, 1, 2, 4].map((session) => [sessionAt(session), closeOn(0, session)])),
    );
    const [early, late] = await loadWithheldBars(db());
    const from = { provider: 'nasdaq', feed: 'screener' };
    expect(early).toMatchObject({ ...from, reason: 'not-the-close', rows: 5, servedRows: 0 });
    expect(late).toEqual({
      ...from,
      reason: 'stale-night',
      rows: 10,
      servedRows: 10,
      lists: 2,
      firstDate: sessionAt(2),
      lastDate: sessionAt(3),
    });
    expect(await loadWithheldBars(db(), sessionAt(4))).toEqual([]);
  });

  test('recognizes a list captured during the session even if the store has no earlier list', async () => {
    await ingestSnapshots(db(), [
      { evening: 1, rows: midSession(1) },
      { evening: 2, rows: rowsOf(1) },
    ]);
    expect(await servedCloses(db(), 'AABB')).toEqual({ [sessionAt(1)]: closeOn(0, 1) });
  });

  test('withholds a list whose closes are not the previous closes of the next session', async () => {
    await ingestSnapshots(db(), [
      { evening: 0, rows: rowsOf(0) },
      { evening: 1, rows: midSession(1) },
      { evening: 2, rows: rowsOf(2) },
    ]);
    expect(await quarantineReasonsBySession(db())).toEqual({
      [sessionAt(0)]: [null],
      [sessionAt(1)]: ['not-the-close'],
      [sessionAt(2)]: [null],
    });
  });

  test('stops serving a late list under an earlier session once a list from that evening arrives', async () => {
    await ingestSnapshots(db(), [
      { evening: 0, rows: rowsOf(0) },
      { evening: 2, rows: rowsOf(1) },
    ]);
    expect(await servedCloses(db(), 'AABB')).toHaveProperty(sessionAt(1));
    await ingestSnapshot(db(), { evening: 1, rows: rowsOf(1) });
    expect(await quarantineReasonsBySession(db())).toEqual({
      [sessionAt(0)]: [null],
      [sessionAt(1)]: [null],
      [sessionAt(2)]: ['stale-night'],
    });
  });

  test('withholds a row of the first fresh list that repeats a withheld list', async () => {
    const [repeated] = rowsOf(2);
    const [, ...others] = rowsOf(4);
    await ingestSnapshots(db(), [
      { evening: 1, rows: rowsOf(1) },
      { evening: 3, rows: rowsOf(2) },
      { evening: 4, rows: repeated === undefined ? [] : [repeated, ...others] },
    ]);
    expect(await quarantineReasonsBySession(db())).toMatchObject({
      [sessionAt(2)]: [null],
      [sessionAt(4)]: [null, 'stale-row'],
    });
    expect(await loadWithheldBars(db())).toMatchObject([
      { reason: 'stale-night', rows: 5, servedRows: 5 },
      { reason: 'stale-row', rows: 1, servedRows: 0 },
    ]);
    expect(await servedCloses(db(), 'AABB')).not.toHaveProperty(sessionAt(4));
  });

  test('dates a split by the session that a late list shows', async () => {
    await ingestSnapshots(db(), [
      { evening: 0, rows: rowsOf(0) },
      { evening: 2, rows: rowsOf(1) },
      { evening: 3, rows: withSplit(2) },
    ]);
    const split = [{ symbol: 'AABB', date: sessionAt(2), numerator: 4, denominator: 1 }];
    expect(await splitsIn(db())).toEqual(split);
    expect(await db().query(`select distinct basis_date = date as traded from price_bar`)).toEqual([
      { traded: true },
    ]);
  });

  test('quarantines a single stale bar and stores the others', async () => {
    const [stale, ...others] = rowsOf(1);
    const [before] = rowsOf(0);
    expect(stale).toBeDefined();
    await ingestSnapshot(db(), { evening: 0, rows: rowsOf(0) });
    await ingestSnapshot(db(), {
      evening: 1,
      rows: before === undefined ? others : [before, ...others],
    });
    expect(await quarantineReasonsBySession(db())).toMatchObject({
      [sessionAt(1)]: [null, 'stale-row'],
    });
  });

  test('detects splits, but not spin-offs or dividends, from previous closes', async () => {
    const night = (closes: readonly string[], before: readonly (string | null)[], volume: number) =>
      SYMBOLS.map((symbol, i) =>
        barOf(symbol, null, closes[i] ?? '', { previousClose: before[i] ?? null, volume }),
      );
    const closes = ['4194.31', '0.3214', '67.51', '46.08', '12.5'];
    const next = ['176.19', '9.1', '50.95', '43.35', '12.6'];
    const rest = ['1', '2', '3', '4', '5'];
    const withOthers = (rows: BarObservation[], base: number): BarObservation[] => [
      ...rows,
      ...Array.from({ length: 9 }, (_, i) =>
        barOf(`Q${'ABCDEFGHI'[i]}`, null, String(base + i), { previousClose: String(9 + i) }),
      ),
    ];
    await ingestSnapshot(db(), { evening: 0, rows: withOthers(night(closes, rest, 200_000), 9) });
    const previousCloses = ['167.7724', '8.035', '45', '43.6575', '12.5'];
    await ingestSnapshot(db(), {
      evening: 1,
      rows: withOthers(night(next, previousCloses, 300_000), 10),
    });
    expect(await splitsIn(db())).toEqual([
      { symbol: 'AABB', date: sessionAt(1), numerator: 25, denominator: 1 },
      { symbol: 'CCDD', date: sessionAt(1), numerator: 1, denominator: 25 },
    ]);
  });

  test('counts repeated bars as unchanged', async () => {
    await ingestSnapshot(db(), { evening: 0, rows: rowsOf(0) });
    const { report } = await ingestSnapshot(db(), { evening: 0, rows: rowsOf(0) });
    expect(report).toMatchObject({ rowsSeen: 5, rowsNew: 0, rowsChanged: 0, rowsSame: 5 });
  });

  test('keeps the newest observation of a bar from a feed, regardless of the order of ingestion', async () => {
    const bars = (close: string) => ({
      list: null,
      isAdjusted: false,
      rows: [barOf('AABB', '2026-04-13', close)],
    });
    const newer = { feed: 'made/up', at: eveningOf('2026-04-15') };
    const older = { feed: 'made/up', at: eveningOf('2026-04-14') };
    await ingestListedBars(db(), bars('12'), newer);
    await ingestListedBars(db(), bars('11'), older);
    expect(await db().query('select close from price_bar')).toEqual([{ close: '12' }]);
  });

  test('quarantines a bar dated in an unfinished session', async () => {
    const { report } = await ingestFileBars(db(), [barOf('AABB', '2026-11-25', '1')]);
    expect(report.quarantineReasons).toEqual({ 'session-not-over': 1 });
  });
});

onEachEngine((db) => {
  test('ends in the same state for price lists in any order', async () => {
    const snapshots: Snapshot[] = [
      { evening: 0, rows: rowsOf(0) },
      { evening: 1, rows: rowsOf(1) },
      { evening: 2, rows: rowsOf(1) },
      { evening: 3, rows: midSession(3) },
      { evening: 4, rows: rowsOf(3) },
      { evening: 5, rows: withSplit(4) },
      { evening: 6, rows: rowsOf(6) },
      { evening: 7, rows: midSession(7) },
      { evening: 8, rows: rowsOf(8) },
    ];
    const stateAfter = async (order: readonly Snapshot[]): Promise<string> => {
      await db().query('truncate price_bar, price_night, share_split');
      await ingestSnapshots(db(), order);
      const bars = await db().query(
        `select symbol, date, feed, close, held, observed_at from price_bar
          order by symbol, date, feed`,
      );
      const snapshots = await db().query('select * from price_night order by date');
      return JSON.stringify([bars, snapshots, await splitsIn(db())]);
    };
    const expected = await stateAfter(snapshots);
    expect(expected).toContain('stale-night');
    expect(expected).toContain('"numerator":4');
    const orders = fc.shuffledSubarray(snapshots, { minLength: snapshots.length });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        expect(await stateAfter(order)).toBe(expected);
      }),
      { numRuns: 12, examples: [[snapshots.toReversed()]] },
    );
  });
});
