import type { Reads } from './reads.gen.ts';

/** Where each read endpoint is, and under which heading the reference lists it. */
const READ_PATHS: Readonly<Record<keyof Reads, { path: string; tag: string }>> = {
  'calendar-dividends': { path: '/v1/calendar/dividends', tag: 'calendars' },
  'calendar-earnings': { path: '/v1/calendar/earnings', tag: 'earnings' },
  'calendar-earnings-ics': { path: '/v1/calendar/earnings.ics', tag: 'earnings' },
  'calendar-economic': { path: '/v1/calendar/economic', tag: 'calendars' },
  'calendar-ipo': { path: '/v1/calendar/ipo', tag: 'calendars' },
  changes: { path: '/v1/changes', tag: 'data' },
  coverage: { path: '/v1/coverage', tag: 'data' },
  earnings: { path: '/v1/earnings', tag: 'earnings' },
  'earnings-movers': { path: '/v1/earnings-movers', tag: 'earnings' },
  'earnings-reactions': { path: '/v1/earnings-reactions', tag: 'earnings' },
  'earnings-revisions': { path: '/v1/earnings/{id}/revisions', tag: 'earnings' },
  'market-calendar': { path: '/v1/market-calendar', tag: 'market' },
  'market-holidays': { path: '/v1/market-holidays', tag: 'market' },
  'market-status': { path: '/v1/market-status', tag: 'market' },
  profile: { path: '/v1/profile/{symbol}', tag: 'companies' },
  'unusual-volume': { path: '/v1/unusual-volume', tag: 'market' },
};

/** The address of a request, its key left out; parts of the path are taken from the query. */
export function addressOfRead(endpoint: keyof Reads, query: object): string {
  const rest = new URLSearchParams(Object.entries(query).map(([name, it]) => [name, String(it)]));
  const path = READ_PATHS[endpoint].path.replaceAll(/\{(\w+)\}/g, (_all, part: string) => {
    const value = rest.get(part) ?? '';
    rest.delete(part);
    return encodeURIComponent(value);
  });
  const text = rest.toString().replaceAll('%2C', ',');
  return `${window.location.origin}${path}${text === '' ? '' : `?${text}`}`;
}

/** As the description of the interface names it. */
export function pathOfRead(endpoint: keyof Reads): string {
  return READ_PATHS[endpoint].path;
}

/** Where the reference explains it. */
export function referenceOfRead(endpoint: keyof Reads): string {
  const { path, tag } = READ_PATHS[endpoint];
  return `/docs#data/tag/${tag}/GET${path}`;
}
