import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { type StoredSource, loadSources, replaceSources } from './store.ts';

onEachEngine((db) => {
  test('returns the sources of the latest start, ordered by name', async () => {
    await replaceSources(db(), [sourceOf('sec'), sourceOf('acme'), sourceOf('old')]);
    const changed = { ...sourceOf('acme'), isAsked: true, terms: 'Others.' };
    await replaceSources(db(), [sourceOf('sec'), changed]);
    expect(await loadSources(db())).toEqual([changed, sourceOf('sec')]);
  });

  test('makes concurrent starts wait for each other when they replace the sources', async () => {
    const starts = Array.from({ length: 8 }, (_, i) =>
      replaceSources(db(), i % 2 === 0 ? [sourceOf('a'), sourceOf('b')] : [sourceOf('b')]),
    );
    await Promise.all(starts);
    expect((await loadSources(db())).map(({ name }) => name)).toContain('b');
  });
});

function sourceOf(name: string): StoredSource {
  return {
    name,
    title: `${name} data`,
    homepage: '',
    redistribution: 'allowed',
    terms: 'All may be shown.',
    isAsked: false,
    feeds: [{ name: 'calendar', datasets: ['earnings', 'profiles'] }],
  };
}
