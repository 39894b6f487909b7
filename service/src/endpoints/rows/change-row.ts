import { Type } from 'typebox';
import type { ChangeRecord } from '../../datasets/changes/load.ts';
import { CHANGE_KINDS } from '../../datasets/dataset.ts';
import { decimalToNumber, epsToNumber, wholeToNumber } from '../../domain/decimal.ts';
import { formatInstant } from '../../platform/instant.ts';
import {
  type BodyOf,
  choice,
  instant,
  list,
  named,
  nullable,
  symbol,
  text,
} from '../schema/fields.ts';
import { renderEstimates, renderGuidance } from './estimates.ts';

/** Data sets with versioned rows, whose changes are recorded. */
export const CHANGING_DATASETS = [
  'earnings',
  'economic-events',
  'ipos',
  'dividends',
  'profiles',
] as const;

/** Stored fields that are never returned to clients. */
export const HIDDEN_FIELDS: readonly string[] = [
  'securityId',
  'markerAhead',
  'isEpsComparable',
  'subject',
];

const changedValue = named('ChangedValue', {
  from: Type.Unknown({ description: 'Value before; null if unknown.' }),
  to: Type.Unknown({ description: 'Value after; null if no longer known.' }),
});

export const changeRow = named('Change', {
  id: text('Id of the change, `chg_…`. Increases from change to change; otherwise opaque.'),
  at: instant('Time of storage; never decreases from one change to the next.'),
  observedAt: instant('Time at which the source was observed.'),
  dataset: choice(CHANGING_DATASETS, 'Data set of the change.'),
  kind: choice(CHANGE_KINDS, 'Added, changed, or removed because no source reports it any longer.'),
  eventId: text('Id of the changed row, as in the lists.'),
  symbol: nullable(symbol('Symbol of the company; null if none is known.')),
  changedFields: list(text('Field.'), 'Names of the fields that changed.'),
  fields: nullable(
    Type.Unsafe<Record<string, BodyOf<typeof changedValue>>>(
      Type.Object(
        {},
        {
          additionalProperties: changedValue,
          description:
            'Values before and after, by field, in the format of the lists; null for changes ' +
            'recorded before values were stored.',
        },
      ),
    ),
  ),
});

export type ChangeRow = BodyOf<typeof changeRow>;

const POSITION_DIGITS = 12;

/**
 * Returns the position after a change, such as `chg_000000000042`. Sorted as text, positions are in
 * the order of the changes.
 */
export function formatPosition(id: number): string {
  return `chg_${String(id).padStart(POSITION_DIGITS, '0')}`;
}

export function renderChange(record: ChangeRecord): ChangeRow {
  const { fields } = record;
  const visibleFields = record.changedFields.filter((field) => !HIDDEN_FIELDS.includes(field));
  const isCompany = record.dataset !== 'economic-events' && record.symbol !== '';
  return {
    id: formatPosition(record.id),
    at: formatInstant(record.committedAt),
    observedAt: formatInstant(record.observedAt),
    dataset: record.dataset,
    kind: record.kind,
    eventId: record.entityId,
    symbol: isCompany ? record.symbol : null,
    changedFields: visibleFields,
    fields:
      fields === null
        ? null
        : Object.fromEntries(
            visibleFields.map((name) => [
              name,
              {
                from: renderValue(name, fields[name]?.from),
                to: renderValue(name, fields[name]?.to),
              },
            ]),
          ),
  };
}

/**
 * Converters from stored values, such as decimal text and milliseconds, to the format of the lists.
 */
const FORMATS: Readonly<Record<string, (value: never) => unknown>> = {
  epsEstimate: epsToNumber,
  eps: epsToNumber,
  epsGaap: epsToNumber,
  epsYearAgo: epsToNumber,
  revenueEstimate: wholeToNumber,
  revenue: wholeToNumber,
  splitFactor: decimalToNumber,
  actualValue: decimalToNumber,
  consensusValue: decimalToNumber,
  previousValue: decimalToNumber,
  revisedValue: decimalToNumber,
  priceLow: decimalToNumber,
  priceHigh: decimalToNumber,
  price: decimalToNumber,
  shares: wholeToNumber,
  dealSize: decimalToNumber,
  amount: decimalToNumber,
  splitAdjustedAmount: decimalToNumber,
  annualizedAmount: decimalToNumber,
  outstandingShares: wholeToNumber,
  outstandingSharesAllClasses: wholeToNumber,
  reportedAt: formatInstant,
  estimateAsOf: formatInstant,
  revenueEstimateAsOf: formatInstant,
  callAt: formatInstant,
  estimates: renderEstimates,
  guidance: renderGuidance,
  scheduledAt: formatInstant,
};

function renderValue(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  return format === undefined ? value : format(value as never);
}
