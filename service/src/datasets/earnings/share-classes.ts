import { upperMedianOf } from '../../domain/median.ts';
import { decimalToNumber } from '../../domain/decimal.ts';
import { periodLabel } from '../../domain/fiscal-period.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';
import type { EarningsObservation } from './observation.ts';

type Histories = readonly ObservationHistory<EarningsObservation>[];

/** Per-share figures of two classes differ by at most this share if the classes are equal. */
const SAME_CLASS_MAX = 0.02;
/** A result differs from the filed EPS by more than this factor only in another class. */
const OTHER_CLASS_FACTOR = 5;
const PER_SHARE = ['epsEstimate', 'eps', 'epsYearAgo'] as const;

/**
 * Returns the observations of one share class: its own, those of the filer, and those under the
 * company's other classes. All classes have the same reports. Per-share figures of another class
 * are only used if both classes are known to have the same ones, which rows of one source about one
 * quarter show. Filed per-share figures are left out if they belong to another class.
 */
export function shareReports({
  own,
  filed,
  others,
}: {
  own: Histories;
  filed: Histories;
  others: readonly Histories[];
}): ObservationHistory<EarningsObservation>[] {
  if (others.length === 0) return [...own, ...filed];
  const shared = others.flatMap((other) =>
    haveSameFigures(own, other) ? other : other.map(withoutPerShare),
  );
  return [...own, ...(isOtherClass(own, filed) ? withoutFiledEps(filed) : filed), ...shared];
}

/**
 * Returns whether most figures of two classes are equal. Single ones may differ, because sources
 * update the estimates of the classes on different days.
 */
function haveSameFigures(own: Histories, other: Histories): boolean {
  const figures = figuresBySource(own);
  const differences = [...figuresBySource(other)].flatMap(([source, value]) => {
    const ownValue = figures.get(source);
    if (ownValue === undefined) return [];
    return [Math.abs(ownValue - value) / Math.max(Math.abs(ownValue), Math.abs(value))];
  });
  return differences.length > 0 && upperMedianOf(differences) <= SAME_CLASS_MAX;
}

/**
 * Returns the latest nonzero per-share figures, keyed by feed, quarter and field. For a calendar
 * without periods, the report date takes the place of the quarter.
 */
function figuresBySource(histories: Histories): Map<string, number> {
  const figures = new Map<string, number>();
  for (const history of histories) {
    const { fields } = latest(history);
    if (fields.kind !== 'calendar' && fields.kind !== 'figures') continue;
    const quarter = quarterOf(fields) ?? (fields.kind === 'calendar' ? fields.date : null);
    if (quarter === null) continue;
    for (const field of PER_SHARE) {
      const value = fields[field];
      const figure = value == null ? 0 : decimalToNumber(value);
      const key = [history.provider, history.feed, quarter, field].join(' ');
      if (figure !== 0) figures.set(key, figure);
    }
  }
  return figures;
}

/** Returns whether the filed EPS belongs to another class than the results. */
function isOtherClass(own: Histories, filed: Histories): boolean {
  const filedByQuarter = new Map(
    filed.flatMap(({ observations }) =>
      observations.flatMap(({ fields }) => {
        const quarter = quarterOf(fields);
        if (fields.kind !== 'financials' || quarter === null || !fields.epsDiluted) return [];
        return [[quarter, Math.abs(decimalToNumber(fields.epsDiluted.first))] as const];
      }),
    ),
  );
  const ratios = own.flatMap((history) => {
    const { fields } = latest(history);
    const quarter = quarterOf(fields);
    if (fields.kind !== 'calendar' && fields.kind !== 'figures') return [];
    const filedEps = quarter === null ? undefined : filedByQuarter.get(quarter);
    const eps = fields.eps == null ? 0 : Math.abs(decimalToNumber(fields.eps));
    return filedEps === undefined || filedEps === 0 || eps === 0 ? [] : [eps / filedEps];
  });
  if (ratios.length === 0) return false;
  const median = upperMedianOf(ratios);
  return median > OTHER_CLASS_FACTOR || median < 1 / OTHER_CLASS_FACTOR;
}

function quarterOf(fields: EarningsObservation): string | null {
  if (fields.kind === 'financials') return periodLabel(fields.periodEnd, 'day');
  if (fields.kind !== 'calendar' && fields.kind !== 'figures') return null;
  const { fiscalPeriodEnd, fiscalPeriodPrecision } = fields;
  return fiscalPeriodEnd == null
    ? null
    : periodLabel(fiscalPeriodEnd, fiscalPeriodPrecision ?? 'day');
}

function withoutPerShare(
  history: ObservationHistory<EarningsObservation>,
): ObservationHistory<EarningsObservation> {
  const observations = history.observations.map((observation) => {
    const { fields } = observation;
    if (fields.kind !== 'calendar' && fields.kind !== 'figures') return observation;
    const rest = { ...fields };
    for (const field of [...PER_SHARE, 'epsConsensus', 'estimateCount'] as const)
      delete rest[field];
    return { ...observation, fields: rest };
  });
  return { ...history, observations };
}

function withoutFiledEps(filed: Histories): ObservationHistory<EarningsObservation>[] {
  return filed.filter((history) => !isStatedEps(latest(history).fields)).map(withoutXbrlEps);
}

function isStatedEps(fields: EarningsObservation): boolean {
  return fields.kind === 'stated-figure' && fields.figure !== 'revenue';
}

function withoutXbrlEps(
  history: ObservationHistory<EarningsObservation>,
): ObservationHistory<EarningsObservation> {
  const observations = history.observations.map((observation) => {
    const { fields } = observation;
    if (fields.kind !== 'financials') return observation;
    return { ...observation, fields: { ...fields, epsDiluted: null, epsDilutedYear: null } };
  });
  return { ...history, observations };
}
