import { loadSources, replaceSources } from '../datasets/sources/store.ts';
import type { Provider } from '../providers/provider.ts';
import type { Db } from '../storage/db.ts';

/** Records all known sources in the store, and whether each is enabled. */
export function saveSources(
  db: Db,
  providers: readonly Provider[],
  enabled: readonly Provider[],
): Promise<void> {
  return replaceSources(
    db,
    providers.map(({ name, title, homepage, redistribution, terms, feeds }) => ({
      name,
      title,
      homepage,
      redistribution,
      terms,
      isAsked: enabled.some((provider) => provider.name === name),
      feeds: feeds.map((feed) => ({
        name: feed.name,
        datasets: [...feed.datasets],
      })),
    })),
  );
}

/**
 * Records all known sources in a store that this process fills without starting the service, so
 * that its coverage is reported. Sources that the store fetches from stay enabled.
 */
export async function saveKnownSources(db: Db, providers: readonly Provider[]): Promise<void> {
  const enabled = new Set(
    (await loadSources(db)).filter(({ isAsked }) => isAsked).map(({ name }) => name),
  );
  await saveSources(
    db,
    providers,
    providers.filter(({ name }) => enabled.has(name)),
  );
}
