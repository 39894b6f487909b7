import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { eventOf, storeRows } from '../../../test/support/stored-earnings.ts';
import { localDate, type LocalDate } from '../../domain/local-date.ts';
import type { Db } from '../../storage/db.ts';
import type { Change } from '../dataset.ts';
import { hasHiddenChanges, loadChanges } from './load.ts';
import { writeChanges } from './store.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');
const FROM = localDate('2024-11-20');
const START = { afterId: 0 };

onEachEngine((db) => {
  test('shows or hides changes to a report or release based on its current date', async () => {
    const events = [
      eventOf('NRTH', { id: 'ern_in', date: FROM }),
      eventOf('NRTH', { id: 'ern_out', date: localDate('2024-11-19') }),
    ];
    await storeRows(db(), { events });
    await currentRelease(db(), 'us-cpi:in', '2024-11-20');
    await currentRelease(db(), 'us-cpi:out', '2024-11-19');
    await write(db(), [
      change('earnings', 'ern_in', { from: '2024-11-01', to: '2024-11-02' }),
      change('earnings', 'ern_out', { from: null, to: '2026-11-20' }),
      change('economic-events', 'us-cpi:in', null),
      change('economic-events', 'us-cpi:out', { from: null, to: '2026-11-20' }),
    ]);
    expect(await idsOf(db(), FROM)).toEqual(['ern_in', 'us-cpi:in']);
  });

  test('dates a removed fact by the date in its last change, and hides a removed fact without a date', async () => {
    await write(db(), [
      change('earnings', 'ern_gone', { from: '2024-11-20', to: null }),
      change('earnings', 'ern_moved', { from: '2023-01-01', to: '2024-11-20' }),
      change('earnings', 'ern_old', { from: '2026-01-01', to: '2024-11-19' }),
      change('economic-events', 'us-cpi:gone', { from: '2024-11-19', to: null }),
      change('economic-events', 'us-cpi:undated', null),
      change('earnings', 'ern_undated', null),
    ]);
    expect(await idsOf(db(), FROM)).toEqual(['ern_gone', 'ern_moved']);
  });

  test('does not limit changes by date in data sets other than reports and releases', async () => {
    await write(db(), [change('dividends', 'div_1', null), change('profiles', 'sec_1', null)]);
    expect(await idsOf(db(), FROM)).toEqual(['div_1', 'sec_1']);
  });

  test('returns a full page of changes, no matter how many earlier changes are hidden', async () => {
    const old = { from: null, to: '2020-01-01' };
    const many = Array.from({ length: 20 }, (_, i) => change('earnings', `ern_${i}`, old));
    await write(db(), [
      ...many,
      change('dividends', 'div_1', null),
      change('dividends', 'div_2', null),
    ]);
    expect(await idsOf(db(), FROM, 1)).toEqual(['div_1']);
  });

  test('reports whether any changes are hidden, up to a given id or overall', async () => {
    const old = { from: null, to: '2020-01-01' };
    await write(db(), [change('dividends', 'div_1', null), change('earnings', 'ern_1', old)]);
    const filter = {
      dataset: null,
      symbols: null,
      hiddenFields: [],
      historyFrom: FROM,
      upToId: null,
    };
    const isLimited = (over: Partial<Parameters<typeof hasHiddenChanges>[2]>, afterId = 0) =>
      hasHiddenChanges(db(), { afterId }, { ...filter, ...over });
    expect([await isLimited({}), await isLimited({ upToId: 2 })]).toEqual([true, true]);
    expect(await isLimited({ upToId: 1 })).toBe(false);
    expect(await isLimited({}, 2)).toBe(false);
    expect(await isLimited({ hiddenFields: ['date'] })).toBe(false);
    expect(await isLimited({ dataset: 'dividends' })).toBe(false);
    expect(await isLimited({ historyFrom: null })).toBe(false);
  });
});

function change(
  dataset: string,
  entityId: string,
  date: { from: string | null; to: string | null } | null,
): Change {
  const field = date === null ? 'eps' : 'date';
  return {
    dataset,
    entityId,
    symbol: 'NRTH',
    kind: 'changed',
    changedFields: [field],
    fields: {
      [field]: date ?? {
        from: null,
        to: '1',
      },
    },
    observedAt: NOW,
  };
}

async function currentRelease(db: Db, id: string, date: string): Promise<void> {
  // Returns nothing.
  await db.query(
    `insert into economic_event (id, country, event_name, date, time, time_status, importance,
                                 us_major, provenance, updated_at, known_from)
     values ($1, 'United States', 'CPI', $2, '08:30', 'exact', 3, true, '{}', now(), now())`,
    [id, date],
  );
}

function write(db: Db, changes: readonly Change[]): Promise<void> {
  return db.transaction((tx) => writeChanges(tx, changes, new Set(), NOW));
}

async function idsOf(db: Db, historyFrom: LocalDate, limit = 100): Promise<string[]> {
  const filter = { dataset: null, symbols: null, hiddenFields: [], historyFrom, limit };
  return (await loadChanges(db, START, filter)).map(({ entityId }) => entityId);
}
