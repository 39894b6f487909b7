import { beforeEach, expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { barOf, eveningOf, ingestListedBars } from '../../../test/support/stored-bars.ts';
import { emptyStore } from '../../../test/support/stores.ts';
import { localDate } from '../../domain/local-date.ts';
import { newestCompleteSession } from './load.ts';

onEachEngine((db) => {
  beforeEach(() => emptyStore(db()));

  test('returns the newest session with at least half as many bars as the fullest day, or null if it is already known', async () => {
    const day = (date: string, symbols: readonly string[]) =>
      symbols.map((symbol) => barOf(symbol, date, '10'));
    const rows = [
      ...day('2026-11-18', ['AAA', 'BBB', 'CCC']),
      ...day('2026-11-19', ['AAA', 'BBB']),
      ...day('2026-11-20', ['AAA']),
    ];
    const observedAt = { feed: 'files/bars', at: eveningOf('2026-11-20') };
    expect(await newestCompleteSession(db())).toBeNull();
    await ingestListedBars(db(), { rows, list: null, isAdjusted: true }, observedAt);
    expect(await newestCompleteSession(db())).toBe('2026-11-19');
    expect(await newestCompleteSession(db(), { newerThan: localDate('2026-11-18') })).toBe(
      '2026-11-19',
    );
    expect(await newestCompleteSession(db(), { newerThan: localDate('2026-11-19') })).toBe(
      '2026-11-19',
    );
    expect(await newestCompleteSession(db(), { newerThan: localDate('2026-11-20') })).toBeNull();
  });
});
