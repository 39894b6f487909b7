import { multiplyDecimals } from '../../domain/decimal.ts';
import { issuerOf } from '../../domain/issuer-name.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { compareText } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';
import type { QuarantineReason } from '../dataset.ts';
import { rankOf } from '../precedence.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';
import {
  unchangedSince,
  type Observation,
  type ObservationHistory,
} from '../source-records/observation-history.ts';
import { type DividendDates, faultOfDates, hasDueBills } from './date-order.ts';
import { frequencyFromHistory, frequencyFromYear, paymentsPerYear } from './frequency.ts';
import { firstSeenAt, groupDividends, nameOf, type DividendRow } from './group.ts';
import type { DividendObservation, DividendType } from './observation.ts';
import { type Dividend, type DividendFlag, dividendId } from './row.ts';

export interface DividendsInput {
  securityId: string;
  symbol: string;
  securityName: string | null;
  /**
   * True if dividends are paid under another market's rules, as for a depositary receipt or a
   * foreign company.
   */
  isForeign: boolean;
  histories: readonly ObservationHistory<DividendObservation>[];
  /** Withdrawal time of each withdrawn history. */
  withdrawals: ReadonlyMap<ObservationHistory<object>, Instant>;
  market: MarketCalendar;
}

export interface DerivedDividends {
  /** Ordered by ex-date, then id. */
  dividends: Dividend[];
  /** Records whose latest values have dates in the wrong order. */
  quarantined: Map<number, QuarantineReason>;
  /** Withdrawal instants, by id, for dividends that all sources withdrew. */
  removed: Map<string, Instant>;
}

/**
 * Derives the dividends of one security from all its observations. A pure function: the arrival
 * order does not matter.
 */
export function deriveDividends(input: DividendsInput): DerivedDividends {
  const quarantined = new Map<number, QuarantineReason>();
  const rows = input.histories.flatMap((history) => latestValid(history, input, quarantined));
  const candidates = groupDividends(rows).map((group) => toCandidate(group, input));
  const current = candidates.filter(({ removedAt }) => removedAt === null);
  const exDates = [
    ...new Set(current.filter(({ row }) => row.type === 'cash').map(({ row }) => row.exDate)),
  ].toSorted();
  const ids = new Map<string, number>();
  const removed = new Map<string, Instant>();
  const dividends = candidates
    .toSorted((a, b) => compareText(a.sortKey, b.sortKey))
    .flatMap(({ anchor, row, removedAt, ...rest }): Dividend[] => {
      const number = (ids.get(anchor) ?? 0) + 1;
      ids.set(anchor, number);
      const id = dividendId(input.securityId, number === 1 ? anchor : `${anchor}+${number}`);
      if (removedAt !== null) {
        removed.set(id, removedAt);
        return [];
      }
      return [{ ...row, id, ...frequencyOf(row, rest.frequency, rest.yearAmount, exDates) }];
    });
  dividends.sort((a, b) => compareText(a.exDate, b.exDate) || compareText(a.id, b.id));
  return { dividends, quarantined, removed };
}

interface DividendCandidate {
  /**
   * Basis for the id: the first reported ex-date, and the dividend's number among those with that
   * ex-date.
   */
  anchor: string;
  sortKey: string;
  /** Time when the last source withdrew the dividend; null while any source still lists it. */
  removedAt: Instant | null;
  frequency: Dividend['frequency'];
  yearAmount: string | null;
  row: Omit<Dividend, 'id' | 'frequency' | 'annualizedAmount'>;
}

/**
 * Returns the newest observation that breaks no rule. Newer observations that break a rule are
 * quarantined.
 */
function latestValid(
  history: ObservationHistory<DividendObservation>,
  input: DividendsInput,
  quarantined: Map<number, QuarantineReason>,
): DividendRow[] {
  const valid = history.observations.filter((one) => faultOf(one, input) === null);
  const observation = valid.at(-1);
  const newest = history.observations.at(-1);
  const fault = newest === undefined ? null : faultOf(newest, input);
  if (newest !== undefined && fault !== null) quarantined.set(newest.recordId, fault);
  if (observation === undefined) return [];
  return [{ history, observation, values: valid.map(({ fields }) => fields) }];
}

function faultOf(
  { fields, isAccepted }: Observation<DividendObservation>,
  input: DividendsInput,
): QuarantineReason | null {
  if (isAccepted === true) return null;
  if ((fields.type ?? 'cash') !== 'cash' || isAbroad(fields, input)) return null;
  const dates = datesOf(fields);
  return hasDueBills(dates, input.market) ? null : faultOfDates(dates);
}

function isAbroad({ currency }: DividendObservation, { isForeign }: DividendsInput): boolean {
  return isForeign || (currency ?? 'USD') !== 'USD';
}

function toCandidate(group: readonly DividendRow[], input: DividendsInput): DividendCandidate {
  const ranked = group.toSorted((a, b) => currentFirst(a, b, input) || byPreference(a, b));
  const [lead] = ranked;
  const [first] = group.toSorted(
    (a, b) => firstSeenAt(a) - firstSeenAt(b) || compareText(nameOf(a), nameOf(b)),
  );
  if (lead === undefined || first === undefined) throw new RangeError('a dividend without rows');
  const provenance: Dividend['provenance'] = {};
  const pick = picker(ranked, provenance);
  provenance['exDate'] = sourceOf(lead, 'exDate');
  const dates = resolveDates(lead, pick);
  const statedType = pick('type');
  const isDueBill = hasDueBills(dates, input.market);
  const currency = pick('currency') ?? 'USD';
  const isForeign = input.isForeign || currency !== 'USD';
  const flags: DividendFlag[] = isDueBill ? ['due-bill' as const] : [];
  if (isForeign) flags.push('foreign');
  const amount = pick('amount');
  const status = pick('status');
  const name = issuerOf(pick('name') ?? input.securityName);
  const type = typeOf(statedType, isDueBill);
  const frequency = pick('frequency');
  const yearAmount = pick('indicatedAnnualAmount');
  const preferred = group.filter((row) => byPreference(row, lead) <= 0);
  const withdrawals = preferred.flatMap(({ history }) => input.withdrawals.get(history) ?? []);
  return {
    anchor: first.history.naturalKey,
    removedAt: input.withdrawals.has(lead.history) ? Math.max(...withdrawals) : null,
    sortKey: `${first.history.naturalKey}\n${String(firstSeenAt(first)).padStart(16, '0')}\n${nameOf(first)}`,
    frequency,
    yearAmount,
    row: {
      securityId: input.securityId,
      symbol: input.symbol,
      name,
      ...dates,
      amount,
      splitAdjustedAmount: amount,
      currency,
      type,
      status: status ?? (amount === null ? 'projected' : 'declared'),
      flags,
      provenance,
      updatedAt: Math.max(...Object.values(provenance).map(({ seenAt }) => seenAt), ...withdrawals),
    },
  };
}

/** Puts current observations before withdrawn ones. */
function currentFirst(
  { history: a }: DividendRow,
  { history: b }: DividendRow,
  { withdrawals }: DividendsInput,
): number {
  return Number(withdrawals.has(a)) - Number(withdrawals.has(b));
}

/**
 * Returns the dates of the preferred observation. Missing dates are filled from other observations
 * if the resulting order of dates is valid.
 */
function resolveDates(lead: DividendRow, pick: Picker): DividendDates {
  const dates = datesOf(lead.observation.fields);
  for (const key of ['declarationDate', 'recordDate', 'paymentDate'] as const) {
    const filled: DividendDates = { ...dates, [key]: dates[key] ?? pick(key) };
    if (dates[key] !== null) pick(key);
    else if (faultOfDates(filled) === null) dates[key] = filled[key];
  }
  return dates;
}

function typeOf(stated: DividendType | null, isDueBill: boolean): DividendType {
  return isDueBill && (stated ?? 'cash') === 'cash' ? 'special' : (stated ?? 'cash');
}

function frequencyOf(
  row: DividendCandidate['row'],
  stated: Dividend['frequency'],
  yearAmount: string | null,
  exDates: readonly LocalDate[],
): Pick<Dividend, 'frequency' | 'annualizedAmount'> {
  if (row.type !== 'cash') return { frequency: stated ?? 'none', annualizedAmount: null };
  const byYear =
    yearAmount === null || row.amount === null ? null : frequencyFromYear(row.amount, yearAmount);
  const frequency = stated ?? frequencyFromHistory(exDates, row.exDate) ?? byYear;
  const perYear = paymentsPerYear(frequency);
  if (row.amount !== null && perYear !== null) {
    return { frequency, annualizedAmount: multiplyDecimals(row.amount, String(perYear)) };
  }
  return { frequency, annualizedAmount: frequency === 'none' ? null : yearAmount };
}

type Picker = <Field extends keyof DividendObservation>(
  field: Field,
) => NonNullable<DividendObservation[Field]> | null;

/**
 * Returns a function that picks the first known value in order of preference and records its
 * source.
 */
function picker(ranked: readonly DividendRow[], provenance: Dividend['provenance']): Picker {
  return (field) => {
    const source = ranked.find(({ observation }) => observation.fields[field] != null);
    const value = source?.observation.fields[field];
    if (source === undefined || value == null) return null;
    provenance[field] = sourceOf(source, field);
    return value;
  };
}

function sourceOf(
  { history, observation }: DividendRow,
  field: keyof DividendObservation,
): { provider: string; feed: string; seenAt: Instant } {
  const seenAt = unchangedSince(history, observation, (fields) => {
    return fields[field] === undefined ? undefined : canonicalJson(fields[field]);
  });
  return { provider: history.provider, feed: history.feed, seenAt };
}

/**
 * Orders by rank. Within one rank the newest observation wins, because a corrected ex-date starts a
 * new history.
 */
function byPreference(a: DividendRow, b: DividendRow): number {
  return (
    rankOf('dividends', a.history) - rankOf('dividends', b.history) ||
    b.observation.at - a.observation.at ||
    compareText(nameOf(a), nameOf(b))
  );
}

function datesOf(fields: DividendObservation): DividendDates {
  return {
    declarationDate: fields.declarationDate ?? null,
    exDate: fields.exDate,
    recordDate: fields.recordDate ?? null,
    paymentDate: fields.paymentDate ?? null,
  };
}
