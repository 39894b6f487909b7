import type {
  Consensus,
  EpsConsensus,
  EstimateRevisions,
} from '../../datasets/earnings/observation.ts';
import { compareDecimals, type Decimal } from '../../domain/decimal.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import { readFigure } from './values.ts';

/**
 * Reads the mean and range of an estimates part; undefined without a range. The source
 * writes zeros where it has no estimates. Throws `low-above-high` for a range that contradicts
 * itself.
 */
export function readConsensus(part: JsonObject): Consensus | undefined {
  return toConsensus({
    mean: readFigure(part['avg']),
    low: readFigure(part['low']),
    high: readFigure(part['high']),
    count: readCount(part, 'numberOfAnalysts'),
  });
}

/** Reads a range that the source shows next to the report date, without a number of analysts. */
export function readRange(row: JsonObject, prefix: string): Consensus | undefined {
  return toConsensus({
    mean: readFigure(row[`${prefix}Average`]),
    low: readFigure(row[`${prefix}Low`]),
    high: readFigure(row[`${prefix}High`]),
    count: null,
  });
}

/** Adds the means and revisions of earlier days, from the other parts of a quarter. */
export function withTrend(consensus: Consensus, quarter: JsonObject): EpsConsensus {
  const part = partOf(quarter, 'epsTrend');
  const trend = isInDollars(part, 'epsTrendCurrency') ? part : {};
  const mean = (key: string): Decimal | null => readFigure(trend[key]);
  return {
    ...consensus,
    mean7DaysAgo: mean('7daysAgo'),
    mean30DaysAgo: mean('30daysAgo'),
    mean60DaysAgo: mean('60daysAgo'),
    mean90DaysAgo: mean('90daysAgo'),
    revisions: readRevisions(quarter),
  };
}

/** Returns the object at a key; empty if there is none. */
export function partOf(row: JsonObject, key: string): JsonObject {
  const part = row[key];
  return isJsonObject(part) ? part : {};
}

/** Returns true for dollars, which the source does not always name. */
export function isInDollars(part: JsonObject, key: string): boolean {
  const currency = part[key];
  return currency === undefined || currency === null || currency === 'USD';
}

/** Reads a count, which the source writes as a number or as `{raw}`. */
export function readCount(part: JsonObject, key: string): number | null {
  const count = readFigure(part[key]);
  if (count === null) return null;
  if (/^\d{1,6}$/.test(count)) return Number(count);
  throw new RowError('bad-number', `${key} is not a whole number`);
}

function toConsensus(consensus: Consensus): Consensus | undefined {
  const { mean, low, high } = consensus;
  if (low === null && high === null) return undefined;
  if ([mean, low, high].every((value) => value === null || value === '0')) return undefined;
  if (low !== null && high !== null && compareDecimals(low, high) > 0) {
    throw new RowError('low-above-high', `the lowest estimate ${low} is above ${high}`);
  }
  return consensus;
}

/** Reads the counts. The source spells one key with a capital `D`, which older pages do not have. */
function readRevisions(quarter: JsonObject): EstimateRevisions | null {
  const part = partOf(quarter, 'epsRevisions');
  const down7 = 'downLast7Days' in part ? 'downLast7Days' : 'downLast7days';
  const revisions: EstimateRevisions = {
    upLast7Days: readCount(part, 'upLast7days'),
    downLast7Days: readCount(part, down7),
    upLast30Days: readCount(part, 'upLast30days'),
    downLast30Days: readCount(part, 'downLast30days'),
  };
  return Object.values(revisions).every((count) => count === null) ? null : revisions;
}
