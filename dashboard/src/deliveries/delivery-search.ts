import { isText } from '../format/search.ts';
import { type DeliveryState, isDeliveryState } from './delivery-state.ts';

export const SPANS = {
  '1h': { label: 'Last hour', ms: 3_600_000 },
  '24h': { label: 'Last 24 hours', ms: 86_400_000 },
  '7d': { label: 'Last 7 days', ms: 7 * 86_400_000 },
} as const;
export type Span = keyof typeof SPANS;

/** The delivery log filters, as stored in the URL. */
export interface DeliverySearch {
  state?: DeliveryState;
  endpoint?: string;
  symbol?: string;
  /** True to show only test deliveries, false to exclude them. */
  test?: boolean;
  span?: Span;
  /** The start of a custom period. Ignored if `span` is set. */
  from?: string;
  to?: string;
  /** The ID of the last delivery on the previous page. */
  before?: string;
}

/** Reads the filters from the URL and drops invalid ones, so that a mistyped link still opens. */
export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  const { state, endpoint, symbol, test, span, from, to, before } = search;
  return {
    ...(isDeliveryState(state) ? { state } : {}),
    ...(isText(endpoint) ? { endpoint } : {}),
    ...(isText(symbol) ? { symbol } : {}),
    ...(typeof test === 'boolean' ? { test } : {}),
    ...(isSpan(span) ? { span } : {}),
    ...(isInstant(from) ? { from } : {}),
    ...(isInstant(to) ? { to } : {}),
    ...(isText(before) ? { before } : {}),
  };
}

/**
 * Converts the filters to call parameters. Rounds the start to the minute, so that repeated queries
 * share a cache entry.
 */
export function toDeliveryQuery(search: DeliverySearch, now: number) {
  const { state, endpoint, symbol, test, span, from, to, before } = search;
  const fromInstant =
    span === undefined
      ? from
      : new Date(Math.floor((now - SPANS[span].ms) / 60_000) * 60_000).toISOString();
  return {
    limit: 50,
    ...(state === undefined ? {} : { state }),
    ...(endpoint === undefined ? {} : { endpointId: endpoint }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(test === undefined ? {} : { test }),
    ...(fromInstant === undefined ? {} : { from: fromInstant }),
    ...(to === undefined || span !== undefined ? {} : { to }),
    ...(before === undefined ? {} : { before }),
  };
}

/** Returns true if any filter is set. The current page doesn't count as a filter. */
export function isFiltered(search: DeliverySearch): boolean {
  return Object.entries(search).some(([name, value]) => name !== 'before' && value !== undefined);
}

function isSpan(value: unknown): value is Span {
  return typeof value === 'string' && value in SPANS;
}

function isInstant(value: unknown): value is string {
  return isText(value) && !Number.isNaN(Date.parse(value));
}
