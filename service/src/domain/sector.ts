/**
 * Sectors by SIC code, using Nasdaq's names. They are the fallback if no list provides a sector.
 * The first matching range applies, so special cases precede the range that contains them.
 */
const SECTORS: readonly (readonly [number, number, string])[] = [
  [100, 999, 'Consumer Staples'],
  [1311, 1311, 'Energy'],
  [1381, 1389, 'Energy'],
  [1000, 1499, 'Basic Materials'],
  [1500, 1799, 'Industrials'],
  [2000, 2199, 'Consumer Staples'],
  [2200, 2399, 'Consumer Discretionary'],
  [2400, 2799, 'Industrials'],
  [2833, 2836, 'Health Care'],
  [2800, 2899, 'Basic Materials'],
  [2900, 2999, 'Energy'],
  [3570, 3579, 'Technology'],
  [3660, 3679, 'Technology'],
  [3711, 3716, 'Consumer Discretionary'],
  [3841, 3851, 'Health Care'],
  [3300, 3999, 'Industrials'],
  [4000, 4799, 'Industrials'],
  [4800, 4899, 'Telecommunications'],
  [4900, 4991, 'Utilities'],
  [5140, 5149, 'Consumer Staples'],
  [5400, 5499, 'Consumer Staples'],
  [5000, 5999, 'Consumer Discretionary'],
  [6500, 6599, 'Real Estate'],
  [6798, 6798, 'Real Estate'],
  [6000, 6799, 'Finance'],
  [7370, 7379, 'Technology'],
  [7000, 7999, 'Consumer Discretionary'],
  [8000, 8099, 'Health Care'],
];

/** Returns the sector for an SIC code, or null if the text isn't an SIC code. */
export function sectorOfSic(sicCode: string): string | null {
  if (!/^\d{3,4}$/.test(sicCode)) return null;
  const code = Number(sicCode);
  return SECTORS.find(([from, to]) => code >= from && code <= to)?.[2] ?? 'Miscellaneous';
}
