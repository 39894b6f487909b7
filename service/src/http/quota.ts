import type { ApiKey } from '../accounts/keys/api-key.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Instant } from '../platform/instant.ts';
import type { Problem } from './problems.ts';

/** What a request costs: data cost all windows, what needs no data only the minute. */
export type Cost = 'all' | 'minute';

/** A request whose key is good, on its way in. */
export interface QuotaRequest {
  key: ApiKey;
  endpoint: Endpoint;
  cost: Cost;
  now: Instant;
  remoteAddress: string;
}

export type QuotaDecision =
  | {
      kind: 'admitted';
      /** Names and values in turn; they go with the answer, whatever it is. */
      headers: readonly string[];
      /** Gives day and month back: the request cost less than was taken, or failed by our fault. */
      refund(): void;
      /** What `headers` are once it was refunded; left out where that changes nothing. */
      refundedHeaders?: () => readonly string[];
    }
  | { kind: 'refused'; refusal: Problem };

/**
 * Where quotas stand: asked once all else is in order, before any look-up. At once where the count
 * is in memory, a promise where a store must agree first.
 */
export type CheckQuota = (visit: QuotaRequest) => QuotaDecision | Promise<QuotaDecision>;

/** Everyone comes in. */
export const noQuota: CheckQuota = () => FREE;

const FREE: QuotaDecision = { kind: 'admitted', headers: [], refund: () => undefined };
