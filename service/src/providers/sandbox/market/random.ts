/**
 * Returns a stateless random number: the same seed and parts give the same number, regardless of
 * call order. The mixing steps are the MurmurHash3 finalizer.
 */
export function randomUnit(seed: number, ...parts: readonly number[]): number {
  let hash = Math.trunc(seed) ^ 0x2545f491;
  for (const part of parts) {
    hash = Math.imul(hash ^ Math.trunc(part), 0x9e3779b1);
    hash = mix(hash ^ (hash >>> 15));
  }
  return mix(hash) / 2 ** 32;
}

/** Returns a whole number from 0 up to, but not including, `maxExclusive`. */
export function randomInt(maxExclusive: number, seed: number, ...parts: readonly number[]): number {
  return Math.floor(randomUnit(seed, ...parts) * maxExclusive);
}

/**
 * Returns an approximately standard normal number: the sum of twelve uniform numbers minus six, so
 * never beyond ±6.
 */
export function randomNormal(seed: number, ...parts: readonly number[]): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += randomUnit(seed, ...parts, i);
  return sum;
}

/** Picks a choice according to the weights, given a uniform number from 0 to 1. */
export function pickWeighted<T>(choices: readonly (readonly [T, number])[], uniform: number): T {
  let rest = uniform * choices.reduce((sum, choice) => sum + choice[1], 0);
  for (const [value, weight] of choices) {
    if (rest < weight) return value;
    rest -= weight;
  }
  const last = choices.at(-1);
  if (last === undefined) throw new RangeError('nothing to pick from');
  return last[0];
}

/**
 * One number for each purpose of a random draw, so that draws for different purposes are
 * independent. Changing a number changes the simulated history.
 */
export const draws = {
  name: 1,
  sector: 2,
  industry: 3,
  country: 4,
  exchange: 5,
  cap: 6,
  price: 7,
  priceToSales: 8,
  margin: 9,
  growth: 10,
  season: 11,
  fiscalYear: 12,
  weekYear: 13,
  session: 14,
  minute: 15,
  analysts: 16,
  shuffle: 17,
  revenue: 18,
  surprise: 19,
  surpriseSize: 20,
  revenueSurprise: 21,
  confirm: 22,
  redate: 23,
  reschedule: 24,
  rescheduleBy: 25,
  wander: 26,
  round: 27,
  roundStart: 28,
  within: 29,
  drift: 30,
  wobble: 31,
  count: 32,
  early: 33,
  wave: 34,
  ipo: 35,
} as const;

/** Random draws for bars. */
export const barDraws = {
  reaction: 301,
  gap: 302,
  turnover: 303,
  volume: 304,
  burst: 305,
  range: 306,
} as const;

/** Random draws for dividends. */
export const dividendDraws = {
  pays: 201,
  frequency: 202,
  phase: 203,
  day: 204,
  declared: 205,
  minute: 206,
  paid: 207,
  rate: 208,
} as const;

export const offeringDraws = {
  filed: 221,
  wait: 222,
  fate: 223,
  price: 224,
  shares: 225,
  trade: 226,
  exchange: 227,
  outcome: 228,
  minute: 229,
} as const;

/** Random draws for filings. */
export const edgarDraws = {
  lead: 401,
  periodic: 402,
  periodicMinute: 403,
  adjusted: 404,
  charge: 405,
  layout: 406,
  news: 407,
  newsMinute: 408,
  fault: 409,
  faultKind: 410,
  feedFault: 411,
  feedFaultKind: 412,
  feedFaultMinute: 413,
} as const;

function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
