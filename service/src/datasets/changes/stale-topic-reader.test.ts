import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { staleTopicReader } from './stale-topic-reader.ts';

onEachEngine((db) => {
  async function commit(topic: string): Promise<void> {
    await db().query(
      'insert into commit_log (topics, committed_at) values (array[$1::text], now())',
      [topic],
    );
  }

  test('reports all topics as stale if the commit at its log position was deleted in the meantime', async () => {
    await commit('first');
    const reader = staleTopicReader(db());
    await reader.begin();
    await commit('second');
    expect(await reader.read()).toEqual(['second']);
    await commit('missed');
    await commit('third');
    await db().query(`delete from commit_log where topics <> array['third']`);
    expect(await reader.read()).toBe('all');
    expect(await reader.read()).toEqual([]);
    await commit('fourth');
    expect(await reader.read()).toEqual(['fourth']);
  });

  test('reports a commit that becomes visible after a later one, also when it had been idle', async () => {
    await commit('first');
    const reader = staleTopicReader(db());
    await reader.begin();
    const [row] = await db().query<{ id: number }>('select max(id) as id from commit_log');
    const id = row?.id ?? 0;
    const add = (late: number, topic: string) =>
      db().query(
        `insert into commit_log (id, topics, committed_at) overriding system value
         values ($1, array[$2::text], now())`,
        [late, topic],
      );
    await add(id + 2, 'second');
    expect(await reader.read()).toEqual(['second']);
    for (let i = 0; i < 3; i += 1) expect(await reader.read()).toEqual([]);
    await add(id + 1, 'late');
    expect(await reader.read()).toEqual(['late']);
    await add(id + 3, 'third');
    expect(await reader.read()).toEqual(['third']);
  });

  test('reads one row at a time while nothing is committed', async () => {
    await commit('first');
    let statements = 0;
    let rows = 0;
    const reader = staleTopicReader({
      async query(text, values) {
        const result = await db().query(text, values);
        statements += 1;
        rows += result.length;
        return result as never[];
      },
    });
    await reader.begin();
    await commit('second');
    for (let i = 0; i < 3; i += 1) await reader.read();
    [statements, rows] = [0, 0];
    expect(await reader.read()).toEqual([]);
    expect([statements, rows]).toEqual([1, 1]);
  });

  test('reports all topics as stale only once after the log was emptied', async () => {
    await commit('first');
    const reader = staleTopicReader(db());
    await reader.begin();
    await db().query('delete from commit_log');
    expect(await reader.read()).toBe('all');
    expect(await reader.read()).toEqual([]);
    await commit('second');
    expect(await reader.read()).toEqual(['second']);
  });
});
