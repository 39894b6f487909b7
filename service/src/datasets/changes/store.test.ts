import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import type { Db } from '../../storage/db.ts';
import type { Change } from '../dataset.ts';
import type { Topic } from '../topics.gen.ts';
import { deleteOldCommits, newestCommitId, readStaleTopics, writeChanges } from './store.ts';

onEachEngine((db) => {
  test('stores changes and their fields in order, with times to the millisecond', async () => {
    await write(db(), [change('ern_1', ['time', 'date']), change('ern_2', [])]);
    const rows = await db().query(
      'select entity_id, changed_fields, observed_at, committed_at from change_record order by id',
    );
    const times = { observed_at: 1_763_650_000_123, committed_at: 1_763_650_009_999 };
    expect(rows).toEqual([
      { entity_id: 'ern_1', changed_fields: ['time', 'date'], ...times },
      { entity_id: 'ern_2', changed_fields: [], ...times },
    ]);
  });

  test('dates a change that no source dates by its commit', async () => {
    await write(db(), [{ ...change('pro_1', ['name']), observedAt: 0 }]);
    const [row] = await db().query('select observed_at, committed_at from change_record');
    expect(row?.['observed_at']).toBe(row?.['committed_at']);
  });

  test('stores nothing for a commit without changes', async () => {
    await write(db(), []);
    expect(await newestCommitId(db())).toBe(0);
    expect(await readStaleTopics(db(), 0)).toEqual([]);
  });

  test('returns the stale topics of all commits after any given commit', async () => {
    await write(db(), [], ['earnings:date:2026-02-10', 'quotes']);
    const first = await newestCommitId(db());
    await write(db(), [], ['profile:NRTH']);
    expect((await readStaleTopics(db(), 0)).map(({ topics }) => topics)).toEqual([
      ['earnings:date:2026-02-10', 'quotes'],
      ['profile:NRTH'],
    ]);
    expect(await readStaleTopics(db(), first)).toEqual([
      { id: await newestCommitId(db()), topics: ['profile:NRTH'] },
    ]);
    expect((await readStaleTopics(db(), 0, [first])).map(({ topics }) => topics)).toEqual([
      [],
      ['profile:NRTH'],
    ]);
  });

  test('deletes old commits in batches, but keeps recent commits and the newest thousand', async () => {
    // Commits 1 to 1,010 are at the first instant, and the rest are at the second.
    await db().query(
      `insert into commit_log (topics, committed_at)
       select array['quotes'], to_timestamp(n / 1011) from generate_series(1, 2020) n`,
    );
    expect(await deleteOldCommits(db(), 500, 600)).toBe(600);
    expect(await deleteOldCommits(db(), 500, 600)).toBe(410);
    expect(await deleteOldCommits(db(), 500, 600)).toBe(0);
    expect(await deleteOldCommits(db(), 5_000, 600)).toBe(10);
    const [rest] = await db().query('select min(id) as first, count(*) as n from commit_log');
    expect(rest).toEqual({ first: 1_021, n: 1_000 });
  });

  test('publishes no changes when the transaction fails', async () => {
    const failing = db().transaction(async (tx) => {
      await writeChanges(tx, [change('ern_1', ['date'])], new Set(['quotes']), 1);
      throw new Error('the merge broke');
    });
    await expect(failing).rejects.toThrow('the merge broke');
    expect(await db().query('select 1 from change_record')).toEqual([]);
    expect(await readStaleTopics(db(), 0)).toEqual([]);
  });
});

function change(entityId: string, changedFields: string[]): Change {
  return {
    dataset: 'earnings',
    entityId,
    symbol: 'NRTH',
    kind: 'changed',
    changedFields,
    fields: Object.fromEntries(changedFields.map((field) => [field, { from: null, to: field }])),
    observedAt: 1_763_650_000_123,
  };
}

function write(db: Db, changes: readonly Change[], topics: Topic[] = []): Promise<void> {
  return db.transaction((tx) => writeChanges(tx, changes, new Set(topics), 1_763_650_009_999));
}
