import { absoluteDecimal, compareDecimals, subtractDecimals } from '../../domain/decimal.ts';
import { quarterBeforeLabel, yearBefore } from './fiscal-calendar.ts';
import type { EarningsEvent, EpsBasis, FieldSource } from './row.ts';

/** The events of one company, by the label of their fiscal quarter. */
export type EventsByLabel = ReadonlyMap<string, EarningsEvent>;

/** Figures that differ by at most this much are equal: both are rounded to a cent. */
const ROUNDING_MAX = '0.005';
/** Figures that differ by at least this much have different bases. */
const DIFFERENCE_MIN = '0.015';
/** A company that published adjusted figures within this many quarters may do so again. */
const QUARTERS_BEFORE_MAX = 8;

/**
 * Completes the events of one company with the facts that follow from other quarters: the basis of
 * EPS, whether it can be compared with its estimate, and last year's EPS.
 */
export function completeEps(events: EventsByLabel): EarningsEvent[] {
  const withBasis = new Map(
    [...events].map(([label, event]) => [label, addBasis(event, events, label)]),
  );
  return [...withBasis].map(([label, event]) =>
    addYearAgo(event, withBasis.get(yearBefore(label)) ?? null),
  );
}

/** The basis of the figures that analysts use for a company, with the filing that shows it. */
interface BasisEvidence {
  basis: 'gaap' | 'adjusted';
  source: FieldSource | undefined;
}

/**
 * Adds the basis that filings show, if no source states it. A result that equals the filed EPS is
 * GAAP; a result that differs from it is adjusted. For a report without both, the quarters before
 * it decide. A company's own EPS can be compared with an estimate only if its earlier results were on
 * the same basis.
 */
function addBasis(event: EarningsEvent, events: EventsByLabel, label: string): EarningsEvent {
  if (event.eps === null && event.epsEstimate === null) return event;
  if (event.epsBasis !== null && event.isEpsComparable) return event;
  const own = evidenceOf(event);
  const earlier = own === null || !event.isEpsComparable ? earlierEvidence(events, label) : null;
  const epsBasis = event.epsBasis ?? own?.basis ?? earlier?.basis ?? null;
  const source = event.epsBasis !== null || own !== null ? undefined : earlier?.source;
  const isEpsComparable =
    event.isEpsComparable || (isOwn(event) && epsBasis !== null && earlier?.basis === epsBasis);
  const completed = { ...event, epsBasis, isEpsComparable };
  return source === undefined ? completed : withSource(completed, 'epsBasis', source);
}

/** Returns what one report shows: whether its result equals the filed EPS. */
function evidenceOf(event: EarningsEvent): BasisEvidence | null {
  const { eps, epsGaap, provenance } = event;
  if (eps === null || epsGaap === null || isOwn(event)) return null;
  const difference = absoluteDecimal(subtractDecimals(eps, epsGaap));
  const source = provenance.epsGaap;
  if (compareDecimals(difference, ROUNDING_MAX) <= 0) return { basis: 'gaap', source };
  return compareDecimals(difference, DIFFERENCE_MIN) >= 0 ? { basis: 'adjusted', source } : null;
}

/**
 * Returns what the quarters before a report show: adjusted if any result was adjusted, GAAP if all
 * known ones were.
 */
function earlierEvidence(events: EventsByLabel, label: string): BasisEvidence | null {
  const found: BasisEvidence[] = [];
  let before = label;
  for (let quarter = 0; quarter < QUARTERS_BEFORE_MAX; quarter++) {
    before = quarterBeforeLabel(before);
    const event = events.get(before);
    const evidence = event === undefined ? null : evidenceOf(event);
    if (evidence !== null) found.push(evidence);
  }
  return found.find(({ basis }) => basis === 'adjusted') ?? found[0] ?? null;
}

/** Returns whether the result is the company's own, from a filing or from a press release in one. */
function isOwn({ eps, provenance }: EarningsEvent): boolean {
  const [result, filed] = [provenance.eps, provenance.epsGaap];
  return (
    eps !== null &&
    result !== undefined &&
    filed !== undefined &&
    result.provider === filed.provider
  );
}

/**
 * Adds last year's EPS if no source reported it and last year's report has a result on the same
 * basis and in the same currency.
 */
function addYearAgo(event: EarningsEvent, prior: EarningsEvent | null): EarningsEvent {
  if (prior === null || event.epsYearAgo !== null || event.currency !== prior.currency) {
    return event;
  }
  const { value, source } = priorEps(event, prior);
  if (value === null) return event;
  const completed = { ...event, epsYearAgo: value };
  return source === undefined ? completed : withSource(completed, 'epsYearAgo', source);
}

function priorEps(
  event: EarningsEvent,
  prior: EarningsEvent,
): { value: string | null; source: FieldSource | undefined } {
  const published = { value: prior.eps, source: prior.provenance.eps };
  const filed = { value: prior.epsGaap, source: prior.provenance.epsGaap };
  if (isOwn(event) && event.epsBasis === 'gaap') return filed;
  const provider = (event.provenance.eps ?? event.provenance.epsEstimate)?.provider;
  if (provider !== undefined && provider === prior.provenance.eps?.provider) return published;
  if (isSameBasis(event.epsBasis, prior.epsBasis)) return published;
  return event.epsBasis === 'gaap' ? filed : { value: null, source: undefined };
}

function isSameBasis(a: EpsBasis | null, b: EpsBasis | null): boolean {
  return a !== null && a === b;
}

function withSource(
  event: EarningsEvent,
  field: 'epsBasis' | 'epsYearAgo',
  source: FieldSource,
): EarningsEvent {
  return {
    ...event,
    provenance: { ...event.provenance, [field]: source },
    updatedAt: Math.max(event.updatedAt, source.seenAt),
  };
}
