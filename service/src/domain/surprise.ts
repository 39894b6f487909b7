import {
  absoluteDecimal,
  compareDecimals,
  type Decimal,
  decimalPlaces,
  divideDecimals,
  multiplyDecimals,
  roundTo,
  subtractDecimals,
} from './decimal.ts';

export type Outcome = 'beat' | 'meet' | 'miss';

/** An actual value compared with the consensus estimate. Each part is null if it is unknown. */
export interface Surprise {
  /** actual − estimate. */
  surprise: Decimal | null;
  /** surprise / |estimate| × 100 with 4 decimals, rounded half away from zero. */
  surprisePercent: Decimal | null;
  /** Determined at the precision of the reported value. */
  outcome: Outcome | null;
}

const UNKNOWN: Surprise = { surprise: null, surprisePercent: null, outcome: null };
const PERCENT_PLACES = 4;
/** EPS is reported to at least two decimals, so 1.2 was reported as 1.20. */
const EPS_PLACES_MIN = 2;
const EPS_PLACES_MAX = 4;
/** Below half a cent, a percentage of the estimate is meaningless. */
const EPS_ESTIMATE_MIN = '0.005';

/**
 * Compares earnings per share with the consensus: −0.25 against −0.40 is +37.5 %, a beat. The
 * surprise is on the same share basis as the arguments. If there were splits since the report, the
 * percentage and outcome use the shares at the time of the report, because a one-cent beat must not
 * disappear in the rounding of smaller shares.
 */
export function epsSurprise(
  actual: Decimal | null,
  estimate: Decimal | null,
  splitFactor: Decimal = '1',
): Surprise {
  if (actual === null || estimate === null) return UNKNOWN;
  const surprise = subtractDecimals(actual, estimate);
  const reported = asReported(actual, splitFactor);
  const expected = asReported(estimate, splitFactor);
  const hasBase = compareDecimals(absoluteDecimal(estimate), EPS_ESTIMATE_MIN) >= 0;
  const places = Math.max(EPS_PLACES_MIN, decimalPlaces(reported));
  return { ...compare(reported, expected, hasBase, places), surprise };
}

/**
 * Compares revenue with the consensus, in whole units. The percentage is null unless the estimate
 * is positive.
 */
export function revenueSurprise(actual: Decimal | null, estimate: Decimal | null): Surprise {
  if (actual === null || estimate === null) return UNKNOWN;
  return compare(actual, estimate, compareDecimals(estimate, '0') > 0, 0);
}

/**
 * Returns EPS as it was before the splits. The value is rounded, because dividing by the splits
 * left more decimals than were reported.
 */
function asReported(value: Decimal, splitFactor: Decimal): Decimal {
  if (splitFactor === '1') return value;
  return roundTo(multiplyDecimals(value, splitFactor), EPS_PLACES_MAX);
}

/**
 * Returns the year-over-year change: (actual − prior) / |prior| × 100 with 4 decimals, rounded half
 * away from zero, so a smaller loss is growth. Returns null if either value is null or the prior
 * value is zero.
 */
export function yoy(actual: Decimal | null, prior: Decimal | null): Decimal | null {
  if (actual === null || prior === null) return null;
  const change = multiplyDecimals(subtractDecimals(actual, prior), '100');
  return divideDecimals(change, absoluteDecimal(prior), PERCENT_PLACES);
}

function compare(actual: Decimal, estimate: Decimal, hasBase: boolean, places: number): Surprise {
  const surprise = subtractDecimals(actual, estimate);
  const order = compareDecimals(actual, roundTo(estimate, places));
  return {
    surprise,
    surprisePercent: hasBase
      ? divideDecimals(multiplyDecimals(surprise, '100'), absoluteDecimal(estimate), PERCENT_PLACES)
      : null,
    outcome: order > 0 ? 'beat' : order < 0 ? 'miss' : 'meet',
  };
}
