import type { AccountsDeps } from '../accounts/deps.ts';
import type { Instant } from '../platform/instant.ts';
import type { SecretCipher } from '../platform/encryption.ts';
import type { Queryable } from '../storage/db.ts';
import type { UrlRules } from './address/url-rules.ts';

/** What acts on endpoints, subscriptions and deliveries work with. */
export interface WebhookDeps extends AccountsDeps {
  cipher: SecretCipher;
  webhooks: WebhookContext;
}

export interface WebhookContext {
  /** What can be subscribed to. */
  templates: readonly WebhookTemplate[];
  /** Where deliveries may go. */
  urlRules: UrlRules;
  /**
   * The data of companies as they stand, as texts that are equal for equal data; null when there are
   * none. Templates are built above this layer.
   */
  loadSourceData(
    db: Queryable,
    keys: readonly SubscriptionKey[],
    now: Instant,
  ): Promise<(subject: SubscriptionKey) => string | null>;
  /** Something may be sent at once; what is not told in this process is found within a second. */
  wake(): void;
}

export interface SubscriptionKey {
  templateId: string;
  symbol: string;
}

/** A template as customers see it. */
export interface WebhookTemplate {
  templateId: string;
  eventType: string;
  describe: string;
  fields: readonly string[];
}

/** An endpoint is named with its customer: another's is not found. */
export interface EndpointIds {
  customerId: string;
  endpointId: string;
}

/** It would be one too many of something. */
export interface LimitReached {
  kind: 'over-limit';
  detail: string;
}

/** Too many in the last minute. */
export interface RateLimited {
  kind: 'too-many';
  retryAfterSeconds: number;
}

/** It cannot be done as things stand. */
export interface Conflict {
  kind: 'conflict';
  detail: string;
}
