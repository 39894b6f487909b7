import type { ManagementApi } from './management-api.ts';
import type { DatasetFreshness } from '../datasets/freshness/freshness.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { headerBrand } from '../webhooks/message/delivery-headers.ts';
import { marketCalendar, type MarketCalendar } from '../domain/market/calendar.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { DataSource } from '../http/response/cached-response.ts';
import { serveDashboard } from '../http/dashboard/serve-dashboard.ts';
import { createPages } from '../http/pages.ts';
import type { ReadApi } from '../http/read-api.ts';
import { loadFreshness } from '../ingest/freshness.ts';
import type { Provider } from '../providers/provider.ts';
import { providers } from '../providers/registry.gen.ts';
import type { AppContext } from './context.ts';
import type { IngestionView } from './ingestion.ts';

/** Everything that needs no read key: pages, health, dashboard, the calls of accounts. */
export function createWebRoutes(
  base: AppContext,
  parts: {
    office: ManagementApi;
    readApi: ReadApi;
    endpoints: readonly Endpoint[];
    dataSource: DataSource;
    gathering: IngestionView;
    /** Where the server listens. */
    url: string;
  },
): ReturnType<typeof createPages> {
  const { db, clock, random, log, settings, readiness, metrics: measured } = base;
  const { office, readApi, endpoints, dataSource, gathering, url } = parts;
  const publicUrl = settings.publicUrl ?? url;
  const brand = settings.brand ?? 'Afterbell';
  const inHeaders = headerBrand(settings.brand);

  async function loadMarket(): Promise<MarketCalendar> {
    const { overrides } = await loadMarketOverrides(db);
    return marketCalendar(overrides);
  }

  async function freshnessOf(asked: readonly Provider[]): Promise<DatasetFreshness[]> {
    const market = await loadMarket();
    const isFed = gathering.sources.length > 0;
    return loadFreshness({ db, providers: asked, isFed, market, now: clock.now() });
  }

  // A source that is asked no more makes nothing late.
  measured.freshness(() => freshnessOf(gathering.sources));
  return createPages({
    endpoints,
    dataSource,
    clock,
    log,
    publicUrl,
    brand,
    headerBrand: inHeaders,
    extend: async (app) => {
      serveDashboard(app, {
        random,
        brand,
        headerBrand: inHeaders,
      });
      await office.serve(app, publicUrl);
    },
    refuse: (refusal) => readApi.refuse(refusal),
    isReady: readiness.isStarted,
    readiness: readiness.state,
    market: loadMarket,
    freshness: () => freshnessOf(providers),
  });
}
