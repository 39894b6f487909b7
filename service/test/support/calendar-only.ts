import type { Provider } from '../../src/providers/provider.ts';
import { providers } from '../../src/providers/registry.gen.ts';

/** Returns a provider with only the earnings calendar, for the days from today to 2026-11-20. */
export function calendarProvider(): Provider {
  const nasdaq = providers.find(({ name }) => name === 'nasdaq') as Provider;
  const feeds = nasdaq.feeds.filter(({ name }) => name === 'calendar-earnings');
  return {
    ...nasdaq,
    feeds: feeds.map((feed) => ({
      ...feed,
      plan: (context) =>
        (feed.plan?.(context) ?? []).filter(({ url }) => {
          const date = new URL(url).searchParams.get('date') ?? '';
          return date >= context.today && date <= '2026-11-20';
        }),
    })),
  };
}
