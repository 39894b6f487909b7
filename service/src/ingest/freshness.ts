import {
  type DatasetFreshness,
  loadFreshness as loadFreshnessOf,
} from '../datasets/freshness/freshness.ts';
import type { MarketCalendar } from '../domain/market/calendar.ts';
import type { Instant } from '../platform/instant.ts';
import type { Provider } from '../providers/provider.ts';
import type { Queryable } from '../storage/db.ts';

/** Loads the freshness of every data set from these providers' feeds. `enabled` are fetched. */
export function loadFreshness(deps: {
  db: Queryable;
  providers: readonly Provider[];
  enabled: readonly Provider[];
  market: MarketCalendar;
  now: Instant;
}): Promise<DatasetFreshness[]> {
  const { providers, enabled, ...rest } = deps;
  const feeds = providers.flatMap((provider) =>
    provider.feeds.map(({ name, datasets }) => ({
      provider: provider.name,
      feed: name,
      datasets,
      isAsked: enabled.some((other) => other.name === provider.name),
    })),
  );
  return loadFreshnessOf({ ...rest, feeds });
}
