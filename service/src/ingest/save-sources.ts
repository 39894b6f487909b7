import { replaceSources } from '../datasets/sources/store.ts';
import type { Provider } from '../providers/provider.ts';
import type { Db } from '../storage/db.ts';

/** Notes in the store what is told of sources: all that there are, and which of them are asked. */
export function saveSources(
  db: Db,
  providers: readonly Provider[],
  asked: readonly Provider[],
): Promise<void> {
  return replaceSources(
    db,
    providers.map(({ name, title, homepage, redistribution, terms, feeds }) => ({
      name,
      title,
      homepage,
      redistribution,
      terms,
      isAsked: asked.some((each) => each.name === name),
      feeds: feeds.map((feed) => ({
        name: feed.name,
        datasets: [...feed.datasets],
      })),
    })),
  );
}
