import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';

/**
 * Defines the data in a webhook event about one company. Each file in this folder exports one
 * definition as `template`. Templates read datasets and are independent of endpoints, secrets and
 * attempts.
 */
export interface Template {
  /** The payload's `template_id` in snake_case. The file name is the same name in kebab-case. */
  templateId: string;
  /** The payload's `event_type`. */
  eventType: string;
  describe: string;
  /** The dataset whose changes may change the data, identified by its folder name: `earnings`. */
  dataset: string;
  /**
   * Set if the data also depends on prices, so that it is checked when the bars of a session are
   * stored.
   */
  followsSessions?: true;
  /** The fields of `data`, in the order used in payloads and `changed_fields`. */
  fields: readonly string[];
  /**
   * Returns the current data for a company, with every field of `fields` in order, or null if there
   * is none. Called right before each attempt.
   */
  build(context: TemplateContext, securityId: string): Promise<TemplateData | null>;
  /**
   * Builds the data for many companies at once, keyed by security. Companies without data are left
   * out. This allows a change to many companies to be processed with a few statements.
   */
  buildMany?(
    context: TemplateContext,
    securityIds: readonly string[],
  ): Promise<ReadonlyMap<string, TemplateData>>;
}

export interface TemplateContext {
  db: Queryable;
  now: Instant;
}

export type TemplateData = Readonly<Record<string, string | number | null>>;
