import fc from 'fast-check';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import type { Db } from '../../storage/db.ts';
import type { Change } from '../dataset.ts';
import { type ChangeCursor, type ChangeRecord, loadChanges } from './load.ts';
import { writeChanges } from './store.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');
const START: ChangeCursor = { afterId: 0 };

onEachEngine((db) => {
  test('returns a change with its kind and its values before and after', async () => {
    await write(db(), [{ ...change('ern_1'), observedAt: NOW - 5_000 }], NOW);
    expect(await load(db(), START)).toEqual([
      {
        id: 1,
        committedAt: NOW,
        observedAt: NOW - 5_000,
        dataset: 'earnings',
        entityId: 'ern_1',
        symbol: 'NRTH',
        kind: 'changed',
        changedFields: ['date'],
        fields: { date: { from: '2026-11-20', to: '2026-11-21' } },
      },
    ]);
  });

  test('returns every change exactly once and in order when paging by id or time, with any page size', async () => {
    const ids = Array.from({ length: 17 }, (_, i) => `ern_${i}`);
    for (const id of ids)
      await write(db(), [change(id), change(`${id}b`)], NOW + 7 * ids.indexOf(id));
    const all = ids.flatMap((id) => [id, `${id}b`]);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 40 }), fc.boolean(), async (limit, byTime) => {
        const seen = new Map<number, string>();
        let place: ChangeCursor = START;
        for (;;) {
          const page: ChangeRecord[] = await load(db(), place, { limit });
          const unseen = page.filter(({ id }) => !seen.has(id));
          for (const { id, entityId } of unseen) seen.set(id, entityId);
          const last = page.at(-1);
          if (last === undefined || unseen.length === 0) break;
          // A start time is inclusive, so a page that starts at a time must have room for more than
          // one commit.
          place = byTime && limit > 2 ? { from: last.committedAt } : { afterId: last.id };
        }
        expect([...seen.values()]).toEqual(all);
      }),
      { numRuns: 12 },
    );
  });

  test("never assigns a change a time earlier than the previous change's, even after the clock is set back", async () => {
    await write(db(), [change('ern_1')], NOW);
    await write(db(), [change('ern_2')], NOW - 60_000);
    const [, late] = await load(db(), START);
    expect(late?.committedAt).toBe(NOW);
    const from = (await load(db(), { from: NOW })).map(({ entityId }) => entityId);
    expect(from).toEqual(['ern_1', 'ern_2']);
  });

  test('includes changes at the start instant, and returns no changes for a future start', async () => {
    await write(db(), [change('ern_1')], NOW);
    await write(db(), [change('ern_2')], NOW + 1);
    expect(await load(db(), { from: NOW })).toHaveLength(2);
    expect(await load(db(), { from: NOW + 1 })).toHaveLength(1);
    expect(await load(db(), { from: NOW + 2 })).toEqual([]);
  });

  test('does not return a commit until every transaction that wrote changes earlier has committed', async () => {
    // The embedded database has one connection and serializes transactions.
    if (db().engine === 'pglite') return;
    const gate = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const early = db().transaction(async (tx) => {
      await writeChanges(tx, [change('ern_early')], new Set(), NOW);
      written.resolve();
      await gate.promise;
    });
    await written.promise;
    const late = write(db(), [change('ern_late')], NOW + 1);
    for (let reads = 0; reads < 50; reads++) expect(await load(db(), START)).toEqual([]);
    gate.resolve();
    await Promise.all([early, late]);
    expect((await load(db(), START)).map(({ entityId }) => entityId)).toEqual([
      'ern_early',
      'ern_late',
    ]);
  });

  test('filters changes by data set, by company, or by both', async () => {
    await write(
      db(),
      [
        change('ern_1'),
        { ...change('ern_2'), symbol: 'VLY' },
        { ...change('div_1'), dataset: 'dividends', symbol: 'VLY' },
        { ...change('us-cpi:2026-10'), dataset: 'economic-events', symbol: 'US' },
      ],
      NOW,
    );
    expect(await idsOf(db(), { dataset: 'dividends' })).toEqual(['div_1']);
    expect(await idsOf(db(), { symbols: ['NRTH', 'VLY'] })).toEqual(['ern_1', 'ern_2', 'div_1']);
    expect(await idsOf(db(), { symbols: ['VLY'], dataset: 'earnings' })).toEqual(['ern_2']);
    expect(await idsOf(db(), { symbols: ['US'] })).toEqual([]);
  });

  test("finds a company's changes by a symbol that the company has given up", async () => {
    const fields = { symbol: { from: 'OLDN', to: 'NRTH' } };
    await write(db(), [{ ...change('ern_1'), changedFields: ['symbol'], fields }], NOW);
    expect(await idsOf(db(), { symbols: ['OLDN'] })).toEqual(['ern_1']);
    expect(await idsOf(db(), { symbols: ['NRTH', 'OLDN'] })).toEqual(['ern_1']);
  });

  test('skips change records in which only hidden fields changed', async () => {
    await write(
      db(),
      [
        { ...change('ern_1'), changedFields: ['markerAhead'] },
        { ...change('ern_2'), changedFields: ['markerAhead', 'eps'] },
      ],
      NOW,
    );
    expect(await idsOf(db(), { hiddenFields: ['markerAhead'] })).toEqual(['ern_2']);
  });

  test('returns null values for changes recorded before values were stored', async () => {
    await write(db(), [change('ern_1')], NOW);
    await db().query('update change_record set fields = null');
    expect((await load(db(), START))[0]?.fields).toBeNull();
  });
});

function change(entityId: string): Change {
  return {
    dataset: 'earnings',
    entityId,
    symbol: 'NRTH',
    kind: 'changed',
    changedFields: ['date'],
    fields: { date: { from: '2026-11-20', to: '2026-11-21' } },
    observedAt: NOW,
  };
}

function write(db: Db, changes: readonly Change[], at: number): Promise<void> {
  return db.transaction((tx) => writeChanges(tx, changes, new Set(), at));
}

type FilterOverrides = Partial<Parameters<typeof loadChanges>[2]>;

function load(db: Db, place: ChangeCursor, filter: FilterOverrides = {}): Promise<ChangeRecord[]> {
  const all = { dataset: null, symbols: null, hiddenFields: [], historyFrom: null, limit: 1000 };
  return loadChanges(db, place, { ...all, ...filter });
}

async function idsOf(db: Db, filter: FilterOverrides): Promise<string[]> {
  return (await load(db, START, filter)).map(({ entityId }) => entityId);
}
