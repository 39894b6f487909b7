import { type TNull, type TObject, type TSchema, type TUnion, Type } from 'typebox';
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
  /** The schema of `data`. Its fields are in the order used in payloads and `changed_fields`. */
  data: TObject;
  /** The names of the fields of `data`, in order. */
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

/** Defines a template. The names of its fields follow from the schema of its data. */
export function defineTemplate(template: Omit<Template, 'fields'>): Template {
  return { ...template, fields: Object.keys(template.data.properties) };
}

/** Returns a schema for a value that is null if it is unknown. */
export function nullable<T extends TSchema>(schema: T): TUnion<[T, TNull]> {
  return Type.Union([schema, Type.Null()]);
}

/** Returns a schema for a New York day, `YYYY-MM-DD`. */
export function day(description: string) {
  return Type.String({ format: 'date', description });
}

/** Returns a schema for a closed set of values. */
export function choice(values: readonly string[], description: string) {
  return Type.Enum([...values], { type: 'string', description });
}

export interface TemplateContext {
  db: Queryable;
  now: Instant;
}

export type TemplateData = Readonly<Record<string, string | number | null>>;
