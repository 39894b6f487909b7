import type { Company } from './company.ts';
import type { FiscalPeriod } from './fiscal-period.ts';
import { draws, randomNormal, randomUnit } from './random.ts';
import type { Cycle } from './trading-days.ts';

/** A quarter's results, in whole cents per share and whole dollars. */
export interface Figures {
  /** The final consensus before the report. Earlier estimates drift toward it. */
  epsExpectedCents: number;
  revenueExpected: number;
  epsCents: number;
  revenue: number;
}

/**
 * Returns the expected and reported figures for one quarter. Outcomes are distributed like those of
 * large U.S. companies in recent years: seven in ten beat the EPS consensus, one in sixteen meets
 * it, and six in ten beat on revenue.
 */
export function figuresOf(
  seed: number,
  company: Company,
  cycle: Cycle,
  period: FiscalPeriod,
): Figures {
  const revenueExpected = expectedRevenue(seed, company, cycle, period);
  const perShare = (revenueExpected * company.margin) / company.sharesOutstanding;
  const swing = 1 + 0.06 * randomNormal(seed, draws.margin, company.index, cycle);
  const epsExpectedCents = awayFromZero(Math.round(perShare * swing * 100));
  const revenueOff =
    0.006 + 0.021 * randomNormal(seed, draws.revenueSurprise, company.index, cycle);
  return {
    epsExpectedCents,
    revenueExpected,
    epsCents: epsExpectedCents + surpriseCents(seed, company, cycle, epsExpectedCents),
    revenue: toThousands(revenueExpected * (1 + revenueOff)),
  };
}

function expectedRevenue(
  seed: number,
  company: Company,
  cycle: Cycle,
  period: FiscalPeriod,
): number {
  const years = (cycle - 2020 * 4) / 4;
  const best = company.industry.bestQuarter === period.quarter;
  const season = best ? 1 + company.industry.season : 1 - company.industry.season / 3;
  const factor = 1 + 0.02 * randomNormal(seed, draws.revenue, company.index, cycle);
  return toThousands(company.revenueBase * (1 + company.growth) ** years * season * factor);
}

function surpriseCents(seed: number, company: Company, cycle: Cycle, expected: number): number {
  const draw = randomUnit(seed, draws.surprise, company.index, cycle);
  if (draw >= 0.7 && draw < 0.76) return 0;
  const spread = Math.exp(0.8 * randomNormal(seed, draws.surpriseSize, company.index, cycle));
  const size = Math.max(1, Math.round(Math.abs(expected) * 0.055 * spread));
  return draw < 0.7 ? size : -size;
}

/**
 * Avoids a consensus of exactly zero, which is rare in reality and makes every percentage
 * meaningless.
 */
function awayFromZero(cents: number): number {
  return cents === 0 ? 1 : cents;
}

function toThousands(dollars: number): number {
  return Math.round(dollars / 1000) * 1000;
}
