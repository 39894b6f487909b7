import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';

/**
 * Defines the data of a webhook event about one company. Each file of this folder exports one as
 * `template`. Templates read datasets; they know nothing of endpoints, secrets or attempts.
 */
export interface Template {
  /** The payload's `template_id`: snake_case, like the file name in kebab-case. */
  templateId: string;
  /** The payload's `event_type`. */
  eventType: string;
  describe: string;
  /** The dataset whose changes may change the data, by the name of its folder: `earnings`. */
  dataset: string;
  /** The data depend on prices too, so they are checked when the bars of a session are stored. */
  followsSessions?: true;
  /** The fields of `data`, in the order of payloads and `changed_fields`. */
  fields: readonly string[];
  /**
   * The current data of a company, with every field of `fields` in order; null if there is none.
   * Called right before each attempt.
   */
  build(context: TemplateContext, securityId: string): Promise<TemplateData | null>;
  /**
   * Does the same for many companies at once, keyed by security, without those that have no data. A
   * mass change then takes a few statements.
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
