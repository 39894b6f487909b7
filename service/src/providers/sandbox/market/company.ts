import { draws, pickWeighted, randomInt, randomNormal, randomUnit } from './random.ts';
import { companyName, namingOf } from './names.ts';
import { countries, exchanges, industries, type Industry } from './sectors.ts';

export type SessionName = 'pre' | 'after' | 'during' | 'unknown';

/** A fictional company, with the properties that do not change over time. */
export interface Company {
  index: number;
  symbol: string;
  name: string;
  /** Ten digits beginning with 99, far above any CIK that the SEC has assigned. */
  cik: string;
  industry: Industry;
  country: string;
  countryCode: string;
  exchange: string;
  ipoYear: number;
  sharesOutstanding: number;
  /** Base price in dollars, around which the price fluctuates. */
  priceBase: number;
  /** Revenue in dollars in an average quarter of 2020. */
  revenueBase: number;
  /** Net margin, which is negative for a company that loses money. */
  margin: number;
  /** Annual revenue growth, as a fraction. */
  growth: number;
  analysts: number;
  session: SessionName;
  /**
   * True if the session is known from the start, false if it is known only once the report is
   * confirmed.
   */
  sessionKnownEarly: boolean;
  /** Minute of the New York day at which results are usually released. */
  minute: number;
  /** True if periods end on the last Saturday of their month instead of its last day. */
  endsOnSaturday: boolean;
}

/** Returns the company with number `index` in the market for this seed. */
export function makeCompany(seed: number, index: number): Company {
  const draw = (kind: number): number => randomUnit(seed, kind, index);
  const industry = pickWeighted(
    industries.map((candidate) => [candidate, candidate.weight] as const),
    draw(draws.sector),
  );
  const [country, countryCode] = pickWeighted(countries, draw(draws.country));
  const priceBase = clamp(38 * Math.exp(0.9 * randomNormal(seed, draws.price, index)), 2, 900);
  const cap = clamp(2.4e9 * Math.exp(1.75 * randomNormal(seed, draws.cap, index)), 6e7, 2.2e12);
  const priceToSales =
    industry.priceToSales * Math.exp(0.35 * randomNormal(seed, draws.priceToSales, index));
  const session = drawSession(draw(draws.session));
  return {
    index,
    symbol: namingOf(index).symbol,
    name: companyName(index, industry.word),
    cik: `99${String(index + 1).padStart(8, '0')}`,
    industry,
    country,
    countryCode,
    exchange: pickWeighted(exchanges, draw(draws.exchange)),
    ipoYear: 1972 + randomInt(47, seed, draws.ipo, index),
    sharesOutstanding: Math.round(cap / priceBase / 1000) * 1000,
    priceBase,
    revenueBase: clamp(cap / priceToSales / 4, 4e6, 9e10),
    margin: industry.margin * marginFactor(draw(draws.margin)),
    growth: clamp(0.06 + 0.07 * randomNormal(seed, draws.growth, index), -0.06, 0.22),
    analysts: clamp(Math.round(2.6 * Math.log10(cap / 4e7) ** 1.7), 1, 42),
    session,
    sessionKnownEarly: draw(draws.early) < 0.55,
    minute: drawMinute(session, draw(draws.minute)),
    endsOnSaturday: draw(draws.weekYear) < 0.14,
  };
}

/**
 * Returns a factor for the industry's margin. About one company in seven loses money; the others
 * vary around the industry's margin.
 */
function marginFactor(uniform: number): number {
  if (uniform < 0.14) return -0.4 - 4 * uniform;
  return 0.5 + 1.1 * ((uniform - 0.14) / 0.86);
}

function drawSession(uniform: number): SessionName {
  if (uniform < 0.47) return 'pre';
  if (uniform < 0.89) return 'after';
  return uniform < 0.93 ? 'during' : 'unknown';
}

/**
 * Returns the usual release minute. Companies are punctual and prefer multiples of five minutes.
 */
function drawMinute(session: SessionName, uniform: number): number {
  const between = (from: number, to: number): number =>
    from + Math.floor((uniform * (to - from)) / 5) * 5;
  if (session === 'pre') return between(6 * 60, 9 * 60 + 20);
  if (session === 'during') return between(10 * 60, 12 * 60 + 45);
  return between(16 * 60 + 5, 18 * 60);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
