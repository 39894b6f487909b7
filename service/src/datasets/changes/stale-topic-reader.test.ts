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
