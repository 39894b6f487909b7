import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';

/**
 * What a webhook delivery says of one company: one file per template, exporting one of these as
 * `template`. Templates know their data set and its rows; they never see endpoints, secrets or
 * attempts.
 */
export interface Template {
  /** The payload's `template_id`, snake_case, equal to the file name in kebab-case. */
  templateId: string;
  /** The payload's `event_type`. */
  eventType: string;
  describe: string;
  /** The data set whose changes may change the data, by the name of its folder: `earnings`. */
  dataset: string;
  /**
   * Whether the data follow from prices too: companies are looked at once more when the bars of a
   * session have come in.
   */
  followsSessions?: true;
  /** Names of the fields of `data`, in the order in which payloads and `changed_fields` give them. */
  fields: readonly string[];
  /**
   * The data of that company as they stand, with every field of `fields`, in order; null when the
   * company has no row to speak of. Called right before each attempt.
   */
  build(context: TemplateContext, securityId: string): Promise<TemplateData | null>;
  /**
   * The same of many companies at once, by security; those without a row are left out. For templates
   * that can load them together: a mass change is then built in a few statements.
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
