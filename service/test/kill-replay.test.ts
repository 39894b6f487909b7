import { cp } from 'node:fs/promises';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../src/storage/open-store.ts';
import { runAfterbell, scratchFolder, spawnAfterbell } from './support/afterbell-process.ts';
import { openRecordedWorld } from './support/recorded-world.ts';
import {
  upcomingRow,
  calendarUrl,
  companyfacts,
  companyfactsUrl,
  envelope,
  pastRow,
  screenerRow,
  screenerUrl,
  submissions,
  submissionsUrl,
  tickers,
  TICKERS_URL,
  writeRecording,
} from './support/write-recording.ts';
import { historyState, currentState } from './support/store-state.ts';

const KILLS = Number(process.env['AFTERBELL_KILLS'] ?? 2);
const SEED = Number(process.env['AFTERBELL_SEED'] ?? 20_260_301);
/** Number of times that a replay on one store is killed before it may run to its end. */
const KILLS_A_STORE = 4;

test(
  `reaches the same result when a replay is killed at any moment and run again (seed ${SEED})`,
  { timeout: 120_000 + KILLS * 60_000 },
  async () => {
    const folder = recordings();
    const fresh = scratchFolder();
    // A replay without recordings fails, but only after it has created the store.
    const nothing = await runAfterbell(['replay', scratchFolder(), '--data-dir', fresh]);
    expect(nothing.code, nothing.stderr).toBe(1);
    const calm = await copyOf(fresh);
    const { writes } = await replayUntil(folder, calm, Number.POSITIVE_INFINITY);
    const expected = await outcomeOf(calm);
    expect(expected.history.changes?.length).toBeGreaterThan(100);

    const draw = drawer(SEED);
    let kills = 0;
    while (kills < KILLS) {
      const store = await copyOf(fresh);
      const moments: number[] = [];
      for (let turn = 0; turn < KILLS_A_STORE && kills < KILLS; turn += 1) {
        const moment = 1 + (draw() % writes);
        moments.push(moment);
        if (!(await replayUntil(folder, store, moment)).wasKilled) break;
        kills += 1;
      }
      const end = await runAfterbell(['replay', folder, '--data-dir', store]);
      const note = `seed ${SEED}, killed at writes ${moments.join(', ')}`;
      expect(end.code, `${note}: ${end.stderr}`).toBe(0);
      expect(await outcomeOf(store), note).toEqual(expected);
    }
  },
);

/**
 * Runs a replay and kills it at the given write to the store's log, unless it ends first. Returns
 * the number of writes.
 */
async function replayUntil(
  folder: string,
  store: string,
  moment: number,
): Promise<{ writes: number; wasKilled: boolean }> {
  let writes = 0;
  const running = spawnAfterbell(['replay', folder, '--data-dir', store]);
  const watcher = watch(join(store, 'live', 'pg', 'pg_wal'), () => {
    writes += 1;
    if (writes === moment) running.child.kill('SIGKILL');
  });
  const end = await running.ended;
  watcher.close();
  expect([0, 'SIGKILL'], running.output.stderr).toContain(end);
  return { writes, wasKilled: end === 'SIGKILL' };
}

/** Returns a store's current state, its history, and the responses that it serves. */
async function outcomeOf(store: string) {
  const db = await openStore({ folder: join(store, 'live') });
  const world = await openRecordedWorld('2026-02-23T15:00:00Z', db);
  try {
    const answers: string[] = [];
    for (const path of [
      ...DAYS.map((day) => `/v1/calendar/earnings?date=${day}`),
      '/v1/earnings?symbol=CAAA',
      '/v1/profile/CAAA',
      '/v1/profile/CAAB',
    ]) {
      answers.push(await world.request(path));
    }
    return { present: await currentState(db), history: await historyState(db), answers };
  } finally {
    await world.close();
  }
}

async function copyOf(store: string): Promise<string> {
  const copy = scratchFolder();
  await cp(store, copy, { recursive: true });
  return copy;
}

const DAYS = ['2026-02-17', '2026-02-18', '2026-02-19'];

/**
 * Writes recordings from a few nights for a few hundred companies. One list is long enough for
 * several transactions.
 */
function recordings(): string {
  const folder = scratchFolder();
  const symbols = Array.from({ length: 1200 }, (_, at) => `C${letters(at)}`);
  const listed = symbols.slice(0, 400).map((symbol, at) => {
    return [1_900_000 + at, `${symbol} Tools Inc`, symbol] as [number, string, string];
  });
  writeRecording(folder, { path: 'tickers', url: TICKERS_URL, body: tickers(...listed) });
  for (const [night, day] of DAYS.entries()) {
    const recordedAt = `2026-02-1${night + 3}T12:00:00Z`;
    const reporting = symbols.slice(night * 100, night * 100 + 100);
    const forecast = `$1.${30 + night}`;
    writeRecording(folder, {
      path: `ahead-${day}`,
      url: calendarUrl(day),
      recordedAt,
      body: envelope(reporting.map((symbol) => upcomingRow(symbol, { epsForecast: forecast }))),
    });
    writeRecording(folder, {
      path: `past-${day}`,
      url: calendarUrl(day),
      recordedAt: '2026-02-21T12:00:00Z',
      body: envelope(reporting.map((symbol) => pastRow(symbol))),
    });
    writeRecording(folder, {
      path: `screener-${day}`,
      url: screenerUrl('nyse'),
      recordedAt,
      body: envelope(symbols.map((symbol) => screenerRow(symbol, { lastsale: `$3${night}.5` }))),
    });
  }
  for (let at = 0; at < 5; at += 1) {
    const cik = `000${1_900_000 + at}`;
    const recordedAt = '2026-02-22T12:00:00Z';
    const filed = submissions(cik, symbols[at] ?? '', ['2026-02-17T21:05:00.000Z']);
    writeRecording(folder, {
      path: `filer-${at}`,
      url: submissionsUrl(cik),
      recordedAt,
      body: filed,
    });
    const quarter = { start: '2025-10-01', end: '2025-12-31', fp: 'Q4', revenue: 1_000_000 + at };
    writeRecording(folder, {
      path: `facts-${at}`,
      url: companyfactsUrl(cik),
      recordedAt,
      body: companyfacts(cik, [quarter]),
    });
  }
  return folder;
}

/** Spells a number in three letters, for use in a symbol. */
function letters(value: number): string {
  const digits = value.toString(26).padStart(3, '0');
  return [...digits].map((digit) => ALPHABET[Number.parseInt(digit, 26)]).join('');
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Creates a random integer generator. The same seed produces the same numbers. */
function drawer(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
