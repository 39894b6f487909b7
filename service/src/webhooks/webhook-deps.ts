import type { AccountsDeps } from '../accounts/deps.ts';
import type { Instant } from '../platform/instant.ts';
import type { SecretCipher } from '../platform/encryption.ts';
import type { Queryable } from '../storage/db.ts';
import type { UrlRules } from './address/url-rules.ts';

/** Dependencies for actions on endpoints, subscriptions and deliveries. */
export interface WebhookDeps extends AccountsDeps {
  cipher: SecretCipher;
  webhooks: WebhookContext;
}

export interface WebhookContext {
  /** Templates that endpoints can subscribe to. */
  templates: readonly WebhookTemplate[];
  /** Rules for endpoint URLs. */
  urlRules: UrlRules;
  /**
   * Loads the current data for symbols as text, or null for a symbol without data. Equal data
   * always gives equal text. Injected because templates belong to a higher layer.
   */
  loadSourceData(
    db: Queryable,
    keys: readonly SubscriptionKey[],
    now: Instant,
  ): Promise<(subject: SubscriptionKey) => string | null>;
  /** Wakes the delivery worker. Without a call, new deliveries are found within a second. */
  wake(): void;
}

export interface SubscriptionKey {
  templateId: string;
  symbol: string;
}

/** A webhook template as shown to customers. */
export interface WebhookTemplate {
  templateId: string;
  eventType: string;
  describe: string;
  fields: readonly string[];
}

/**
 * Identifies an endpoint. The customer is part of the key, so that endpoints of other customers are
 * not found.
 */
export interface EndpointIds {
  customerId: string;
  endpointId: string;
}

/** An account limit has been reached. */
export interface LimitReached {
  kind: 'over-limit';
  detail: string;
}

/** The action conflicts with the current state. */
export interface Conflict {
  kind: 'conflict';
  detail: string;
}
