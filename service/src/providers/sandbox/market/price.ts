import { type LocalDate, toEpochDay } from '../../../domain/local-date.ts';
import { draws, randomNormal, randomUnit } from './random.ts';
import type { Company } from './company.ts';

/**
 * Price waves that last a month, a season and a year. A random walk would require the whole price
 * history.
 */
const WAVES = [
  { days: 19, height: 0.03 },
  { days: 83, height: 0.07 },
  { days: 341, height: 0.14 },
];
const DAYS_2020 = 18_262;

/** Returns the close on that trading day, in whole cents. */
export function closeCents(seed: number, company: Company, date: LocalDate): number {
  const day = toEpochDay(date);
  const years = (day - DAYS_2020) / 365.25;
  let logPrice = company.growth * 0.6 * years;
  for (const [i, wave] of WAVES.entries()) {
    const phase = randomUnit(seed, draws.wave, company.index, i);
    logPrice += wave.height * Math.sin(2 * Math.PI * (day / wave.days + phase));
  }
  logPrice += 0.012 * randomNormal(seed, draws.price, company.index, day);
  return Math.max(20, Math.round(company.priceBase * Math.exp(logPrice) * 100));
}
