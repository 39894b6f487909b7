import { Type } from 'typebox';
import {
  ALTERNATIVE_FIELDS,
  type AlternativeField,
  type Alternatives,
  type FieldAlternatives,
} from '../../datasets/earnings/alternatives.ts';
import { loadAlternatives } from '../../datasets/earnings/load-alternatives.ts';
import type { EarningsEvent, FieldSource } from '../../datasets/earnings/row.ts';
import { loadMarketOverrides } from '../../datasets/market-overrides/store.ts';
import { loadSecuritiesById } from '../../datasets/securities/store.ts';
import { loadResponseUrls, type ResponseUrlOf } from '../../datasets/versions/response-urls.ts';
import { epsToNumber, wholeToNumber } from '../../domain/decimal.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import type { Parameter, ParameterFault, Values } from '../endpoint.ts';
import { type BodyOf, list, named, text } from '../schema/fields.ts';
import { fieldSource, includes, renderSource, securityEntityKeys } from './provenance.ts';

const BOTH = 'provenance,alternatives';

/** The `include` parameter of an endpoint that also explains its choices. */
export const includeWithAlternatives: Parameter = {
  name: 'include',
  in: 'query',
  required: false,
  kind: 'enum',
  values: ['provenance', 'alternatives', BOTH],
  describe:
    '`provenance` adds the source of each field and its time to each row. `alternatives` adds the ' +
    'values of all sources where they differ, with the reason for the choice; not with `asOf`. In ' +
    'CSV, both are last columns of JSON.',
};

const alternative = named('Alternative', {
  value: Type.Union([Type.String(), Type.Number()], {
    description: 'Value in the format and unit of the field.',
  }),
  ...fieldSource.properties,
});

const fieldAlternatives = named('FieldAlternatives', {
  reason: text('Reason for the choice, in one line.'),
  values: list(alternative, 'The served value first, then those of other sources by precedence.'),
});

type AlternativesBody = Record<string, BodyOf<typeof fieldAlternatives>>;

export const alternativesField = Type.Optional(
  Type.Unsafe<AlternativesBody>(
    Type.Object(
      {},
      {
        additionalProperties: fieldAlternatives,
        description:
          'Only with `include=alternatives`: fields for which sources have different values, out of ' +
          `${ALTERNATIVE_FIELDS.map((field) => `\`${field}\``).join(', ')}.`,
      },
    ),
  ),
);

/** Time for which a response with alternatives is cached. */
const CACHE_MS = 60_000;

/**
 * Returns the time at which a response with alternatives expires, or null without them. A source
 * that changes only its own value changes the alternatives, but no report and thus no topic.
 */
export function alternativesValidUntil(values: Values, now: Instant): Instant | null {
  return includes(values, 'alternatives') ? now + CACHE_MS : null;
}

/** Rejects alternatives for a past instant, because they are not stored. */
export function alternativesFault(values: Values): ParameterFault | null {
  if (!includes(values, 'alternatives') || values.instant('asOf') === null) return null;
  const detail = 'Alternatives are only known for current data. Omit asOf or alternatives.';
  return { code: 'invalid-parameter', parameter: 'include', detail };
}

/**
 * Adds each report's alternatives to its body if the `include` parameter requests them; otherwise,
 * returns the bodies unchanged. `bodies[i]` must describe `events[i]`.
 */
export async function withAlternatives<Body extends object>(
  db: Queryable,
  values: Values,
  { events, today }: { events: readonly EarningsEvent[]; today: LocalDate },
  bodies: readonly Body[],
): Promise<(Body & { alternatives?: AlternativesBody })[]> {
  if (!includes(values, 'alternatives')) return [...bodies];
  const market = marketCalendar((await loadMarketOverrides(db)).overrides);
  const ids = [...new Set(events.map(({ securityId }) => securityId))];
  const securities = await loadSecuritiesById(db, ids, null);
  const query = { securities, reportIds: events.map(({ id }) => id) };
  const byReport = await loadAlternatives(db, query, { today, market });
  const alternatives = events.map(({ id }) => byReport.get(id) ?? {});
  const rows = alternatives.map((fields) => ({ provenance: sourcesOf(fields) }));
  const entityKeysOf = securityEntityKeys(db, events, null);
  const urlOf = await loadResponseUrls(db, 'earnings', rows, entityKeysOf);
  return bodies.map((body, i) => ({
    ...body,
    alternatives: renderAlternatives(alternatives[i] ?? {}, urlOf, i),
  }));
}

/** Returns the sources of all alternatives under distinct names, to find their responses. */
function sourcesOf(fields: Alternatives): Record<string, FieldSource> {
  const sources = Object.entries(fields).flatMap(([field, { values }]) =>
    values.map(({ source }, i) => [`${field} ${i}`, source] as const),
  );
  return Object.fromEntries(sources);
}

function renderAlternatives(
  fields: Alternatives,
  urlOf: ResponseUrlOf,
  row: number,
): AlternativesBody {
  const rendered = ALTERNATIVE_FIELDS.flatMap((field) => {
    const alternatives = fields[field];
    return alternatives === undefined ? [] : [[field, render(field, alternatives, urlOf, row)]];
  });
  return Object.fromEntries(rendered) as AlternativesBody;
}

function render(
  field: AlternativeField,
  { values, reason }: FieldAlternatives,
  urlOf: ResponseUrlOf,
  row: number,
): BodyOf<typeof fieldAlternatives> {
  return {
    reason,
    values: values.map(({ value, source }) => ({
      value: FORMATS[field](value),
      ...renderSource(source, urlOf(source, row)),
    })),
  };
}

const FORMATS: Readonly<Record<AlternativeField, (value: string) => string | number>> = {
  date: String,
  time: String,
  epsEstimate: epsToNumber,
  eps: epsToNumber,
  revenueEstimate: wholeToNumber,
  revenue: wholeToNumber,
};
