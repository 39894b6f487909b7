/** An industry, with typical figures for its companies. */
export interface Industry {
  sector: string;
  industry: string;
  sicCode: string;
  /** The industry word in the company's name. */
  word: string;
  /** Relative number of companies. */
  weight: number;
  /** Net margin and price-to-sales ratio of a typical company. */
  margin: number;
  priceToSales: number;
  /**
   * Excess of the best quarter over the mean, as a fraction, and the number of the best quarter.
   */
  season: number;
  bestQuarter: 1 | 2 | 3 | 4;
}

const row = (
  sector: string,
  industry: string,
  sicCode: string,
  word: string,
  weight: number,
  margin: number,
  priceToSales: number,
  season: number,
  bestQuarter: 1 | 2 | 3 | 4,
): Industry => ({
  sector,
  industry,
  sicCode,
  word,
  weight,
  margin,
  priceToSales,
  season,
  bestQuarter,
});

export const industries: readonly Industry[] = [
  row(
    'Technology',
    'Computer Software: Prepackaged Software',
    '7372',
    'Software',
    12,
    0.18,
    6,
    0.05,
    4,
  ),
  row('Technology', 'Semiconductors', '3674', 'Semiconductor', 8, 0.22, 5.5, 0.06, 3),
  row('Technology', 'EDP Services', '7374', 'Data Systems', 5, 0.12, 3, 0.04, 4),
  row(
    'Health Care',
    'Biotechnology: Pharmaceutical Preparations',
    '2834',
    'Therapeutics',
    11,
    0.1,
    5,
    0.03,
    4,
  ),
  row('Health Care', 'Medical/Dental Instruments', '3841', 'Medical', 6, 0.14, 3.5, 0.04, 4),
  row('Health Care', 'Medical Specialities', '8090', 'Care', 4, 0.06, 1.2, 0.02, 1),
  row('Finance', 'Major Banks', '6021', 'Bancorp', 11, 0.24, 3, 0.02, 2),
  row('Finance', 'Property-Casualty Insurers', '6331', 'Assurance', 5, 0.1, 1.4, 0.05, 1),
  row('Finance', 'Investment Managers', '6282', 'Capital', 4, 0.2, 3.5, 0.05, 4),
  row('Consumer Discretionary', 'Restaurants', '5812', 'Kitchens', 4, 0.07, 1.6, 0.05, 2),
  row(
    'Consumer Discretionary',
    'Clothing/Shoe/Accessory Stores',
    '5651',
    'Outfitters',
    5,
    0.05,
    0.8,
    0.28,
    4,
  ),
  row('Consumer Discretionary', 'Auto Manufacturing', '3711', 'Motors', 3, 0.05, 0.7, 0.05, 2),
  row('Consumer Discretionary', 'Hotels/Resorts', '7011', 'Resorts', 3, 0.09, 2, 0.22, 3),
  row('Consumer Staples', 'Packaged Foods', '2050', 'Provisions', 4, 0.08, 1.3, 0.06, 4),
  row(
    'Consumer Staples',
    'Beverages (Production/Distribution)',
    '2086',
    'Beverage',
    3,
    0.12,
    2.4,
    0.12,
    3,
  ),
  row('Industrials', 'Industrial Machinery/Components', '3569', 'Machinery', 8, 0.1, 1.9, 0.05, 2),
  row('Industrials', 'Aerospace', '3721', 'Aerospace', 3, 0.08, 1.8, 0.07, 4),
  row('Industrials', 'Trucking Freight/Courier Services', '4213', 'Freight', 3, 0.06, 1.1, 0.07, 4),
  row('Energy', 'Oil & Gas Production', '1311', 'Petroleum', 4, 0.16, 1.9, 0.08, 1),
  row('Energy', 'Oilfield Services/Equipment', '1389', 'Drilling', 2, 0.07, 1.2, 0.06, 3),
  row('Utilities', 'Electric Utilities: Central', '4911', 'Power', 4, 0.12, 2.2, 0.14, 3),
  row('Real Estate', 'Real Estate Investment Trusts', '6798', 'Properties', 5, 0.24, 5, 0.02, 4),
  row('Basic Materials', 'Major Chemicals', '2821', 'Chemical', 4, 0.09, 1.4, 0.08, 2),
  row('Basic Materials', 'Precious Metals', '1040', 'Minerals', 2, 0.15, 2.6, 0.04, 4),
  row(
    'Telecommunications',
    'Telecommunications Equipment',
    '4813',
    'Networks',
    3,
    0.1,
    1.7,
    0.03,
    4,
  ),
];

export const countries: readonly (readonly [readonly [string, string], number])[] = [
  [['United States', 'US'], 88],
  [['Canada', 'CA'], 3],
  [['Ireland', 'IE'], 2],
  [['United Kingdom', 'GB'], 2],
  [['Switzerland', 'CH'], 1],
  [['Israel', 'IL'], 2],
  [['Netherlands', 'NL'], 1],
  [['Bermuda', 'BM'], 1],
];

export const exchanges: readonly (readonly [string, number])[] = [
  ['Nasdaq', 52],
  ['NYSE', 44],
  ['NYSE American', 4],
];
