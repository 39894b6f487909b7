import { expect, test } from 'vitest';
import { memoryStore } from '../../test/support/stores.ts';
import { configuredSources, rejectStoreAhead, watchedSymbols } from './ingestion.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { silentLog } from '../../test/support/logs.ts';
import { providers } from '../providers/registry.gen.ts';
import { readSettings, SettingsError } from '../config/settings.ts';
import { moveFutureBack } from '../datasets/versions/clock-lead.ts';
import { takeVersionInstant } from '../datasets/versions/version-clock.ts';
import { claimSandbox, StoreKindError } from './store-kind.ts';

const NOW = Date.parse('2026-11-20T22:30:00Z');
const deps = { clock: fakeClock(NOW), log: silentLog };

function settingsOf(env: Record<string, string>, flags = {}) {
  return readSettings({ flags, env, cwd: '/', sources: providers });
}

test('configures the sandbox with the size and seed from the settings', () => {
  const rowsOf = (env: Record<string, string>): unknown[] => {
    const [sandbox] = configuredSources(settingsOf(env), 'sandbox', deps);
    const [first] = sandbox?.generateResponses?.(null, NOW) ?? [];
    return (first?.json() as { rows: unknown[] } | undefined)?.rows ?? [];
  };
  expect(rowsOf({})).toHaveLength(560);
  const some = rowsOf({ SANDBOX_SYMBOLS: '21' });
  expect(some).toHaveLength(21);
  expect(rowsOf({ SANDBOX_SYMBOLS: '21', SANDBOX_SEED: '1' })).toEqual(some);
  expect(rowsOf({ SANDBOX_SYMBOLS: '21', SANDBOX_SEED: '2' })).not.toEqual(some);
});

test('uses no sources for a replay, and the configured sources for a live store', () => {
  expect(configuredSources(settingsOf({}, { replay: 'x' }), 'live', deps)).toEqual([]);
  const settings = settingsOf({ SOURCES: 'nasdaq' });
  expect(configuredSources(settings, 'live', deps).map(({ name }) => name)).toEqual(['nasdaq']);
});

test('watches companies in canonical spelling, and only with a source that can fetch them first', () => {
  const settings = settingsOf({ WATCH: 'aapl, BRK-B,BRK.B' });
  const sources = (names: readonly string[]) =>
    providers.filter(({ name }) => names.includes(name));
  expect(watchedSymbols(settings, sources(['sec', 'us-agencies']))).toEqual(['AAPL', 'BRK.B']);
  expect(() => watchedSymbols(settings, sources(['nasdaq']))).toThrow(SettingsError);
  expect(watchedSymbols(settingsOf({}), [])).toEqual([]);
  expect(() => settingsOf({ WATCH: 'AAPL,no symbol' })).toThrow('WATCH');
});

test('rejects an invalid sandbox size at startup and suggests a fix, whether or not SOURCES lists the sandbox', () => {
  const fix = 'set SANDBOX_SYMBOLS to a whole number from 20 to 5000';
  expect(() => settingsOf({ SANDBOX_SYMBOLS: '6000' })).toThrow(fix);
  expect(() => settingsOf({ SANDBOX_SYMBOLS: '6000', SOURCES: 'sandbox' })).toThrow(fix);
  expect(settingsOf({ SANDBOX_SYMBOLS: '6000', SOURCES: 'nasdaq' }).sources).toEqual(['nasdaq']);
});

test('rejects a simulated market that differs from the one in the store', async () => {
  const db = await memoryStore();
  try {
    await claimSandbox(db, settingsOf({ SANDBOX_SYMBOLS: '100' }));
    await claimSandbox(db, settingsOf({ SANDBOX_SYMBOLS: '100', SANDBOX_SEED: '1' }));
    const other = claimSandbox(db, settingsOf({ SANDBOX_SYMBOLS: '200', SANDBOX_YEARS: '3' }));
    await expect(other).rejects.toThrow(StoreKindError);
    await expect(other).rejects.toThrow('100 companies, months of bars, seed 1');
  } finally {
    await db.close();
  }
});

test('refuses to ingest into a live store that was written with a clock ahead, until it is reset', async () => {
  const db = await memoryStore();
  try {
    const clock = fakeClock(NOW);
    const app = { db, clock, log: silentLog };
    await db.transaction((tx) => takeVersionInstant(tx, NOW + 30 * 86_400_000));
    await expect(rejectStoreAhead({ ...app, kind: 'live' })).rejects.toThrow('reset-ahead');
    await rejectStoreAhead({ ...app, kind: 'sandbox' });
    await db.transaction((tx) => moveFutureBack(tx, NOW));
    await rejectStoreAhead({ ...app, kind: 'live' });
  } finally {
    await db.close();
  }
});
