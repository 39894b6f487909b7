/**
 * Tiers of precedence, best first. Sources that declare no rank for a value come after all of these
 * and before `provisional`.
 */
export const TIERS = [
  /** The operator's own files. */
  'operator',
  /** Lists of what happened, with the actual dates. */
  'history',
  /** Agencies, and filings with them. */
  'regulator',
  /** Exchanges. */
  'exchange',
  /** Sources with a contract. */
  'vendor',
  /** Sources that repeat, collect or classify what others state. */
  'secondary',
  /** Guesses. */
  'estimated',
  'simulated',
  /** Plans, and values without a date. */
  'provisional',
] as const;

export type Tier = (typeof TIERS)[number];

/** Values for which sources are ranked: those of a data set, or some of its fields. */
export const RANKED_VALUES = [
  'bars',
  /** Sector and industry in a source's own words, which are not mixed with the common ones. */
  'classification',
  'dividends',
  'earnings.date',
  'earnings.figures',
  'earnings.time',
  'economic-events',
  'ipos',
  'profiles.companyName',
  'profiles.country',
  'profiles.exchange',
  'profiles.other',
  'splits',
] as const;

export type RankedValue = (typeof RANKED_VALUES)[number];

/** A tier, with the order among its sources, lowest first; 0 by default. */
export type Rank = Tier | readonly [tier: Tier, order: number];

type DatasetIn<Value> = Value extends `${infer Dataset}.${string}` ? Dataset : never;

/** Ranks by value. `earnings` stands for all values of earnings that have no rank of their own. */
export type Ranks = Readonly<Partial<Record<RankedValue | DatasetIn<RankedValue>, Rank>>>;

/** Sources in order: `provider/feed`, or a provider for all its feeds without a rank. */
export interface Precedence {
  /** Preferred to sources without a rank. */
  first: readonly string[];
  last: readonly string[];
}
