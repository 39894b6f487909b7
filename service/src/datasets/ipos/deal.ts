import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { compareText } from '../../platform/compare.ts';
import { latest } from '../source-records/observation-history.ts';
import { attemptsOf, type IpoHistory } from './attempts.ts';
import type { IpoObservation } from './observation.ts';

/** All histories of one deal. */
export interface Deal {
  histories: IpoHistory[];
}

/**
 * Maximum number of days between two sources' date ranges for the same deal, each from filing to
 * end.
 */
const APART_DAYS_MAX = 180;

/**
 * Groups the histories of companies with similar names or symbols into deals. A source's keys
 * separate its deals, and all stages under one key are one deal. A source without keys gives only
 * the company name, so a company's attempts are separated by their ends. Deals from two sources are
 * the same if their names or symbols are equal and their dates overlap or are within half a year.
 */
export function dealsOf(histories: readonly IpoHistory[]): Deal[] {
  const keyed = [...Map.groupBy(histories, dealName).values()].flatMap((sameName) =>
    isKeyed(sameName) ? sameName : attemptsOf(sameName),
  );
  const parts = [...Map.groupBy(keyed, dealName).values()].toSorted(byFirstSeen);
  const deals: { histories: IpoHistory[]; providers: Set<string> }[] = [];
  for (const part of parts) {
    const provider = part[0]?.provider ?? '';
    const matching = deals
      .filter((deal) => !deal.providers.has(provider) && isSameDeal(deal.histories, part))
      .toSorted((a, b) => gapDays(a.histories, part) - gapDays(b.histories, part));
    const [nearest] = matching;
    if (nearest === undefined) {
      deals.push({ histories: [...part], providers: new Set([provider]) });
    } else {
      nearest.histories.push(...part);
      nearest.providers.add(provider);
    }
  }
  return deals.map(({ histories }) => ({ histories }));
}

/**
 * Returns a name for the history's deal that is unique within its provider and the same in every
 * store.
 */
export function dealName({
  provider,
  entityKey,
  observations: [first],
  attempt,
}: IpoHistory): string {
  const key = first?.fields.dealKey ?? null;
  if (key !== null) return `${provider}/${key}`;
  return `${provider}/name:${entityKey}${attempt === undefined ? '' : `#${attempt}`}`;
}

function isKeyed(histories: readonly IpoHistory[]): boolean {
  return histories.some(({ observations: [first] }) => (first?.fields.dealKey ?? null) !== null);
}

/** Returns the time when any of the histories was first observed. */
export function firstAt(histories: readonly IpoHistory[]): number {
  return Math.min(...histories.map(({ observations: [first] }) => first?.at ?? Infinity));
}

function isSameDeal(a: readonly IpoHistory[], b: readonly IpoHistory[]): boolean {
  const isSameName = a.some((left) => b.some((right) => left.entityKey === right.entityKey));
  const isSameSymbol = symbolsOf(a).some((symbol) => symbolsOf(b).includes(symbol));
  return (isSameName || isSameSymbol) && gapDays(a, b) <= APART_DAYS_MAX;
}

function symbolsOf(histories: readonly IpoHistory[]): string[] {
  return histories.flatMap(({ observations }) =>
    observations.flatMap(({ fields }) => fields.symbol ?? []),
  );
}

/** Returns the days between the two date ranges; 0 if they overlap or one of them has no dates. */
function gapDays(a: readonly IpoHistory[], b: readonly IpoHistory[]): number {
  const [left, right] = [spanOf(a), spanOf(b)];
  if (left === null || right === null) return 0;
  return Math.max(0, daysBetween(left.to, right.from), daysBetween(right.to, left.from));
}

function spanOf(histories: readonly IpoHistory[]): { from: LocalDate; to: LocalDate } | null {
  const dates = histories.flatMap((history) => datesOf(latest(history).fields)).toSorted();
  const [from, to] = [dates[0], dates.at(-1)];
  return from === undefined || to === undefined ? null : { from, to };
}

function datesOf(fields: IpoObservation): LocalDate[] {
  const { filedDate, expectedDate, pricedDate, withdrawnDate } = fields;
  return [filedDate, expectedDate, pricedDate, withdrawnDate].flatMap((date) => date ?? []);
}

function byFirstSeen(a: readonly IpoHistory[], b: readonly IpoHistory[]): number {
  const [left, right] = [a[0], b[0]];
  if (left === undefined || right === undefined) return 0;
  return firstAt(a) - firstAt(b) || compareText(dealName(left), dealName(right));
}
