/**
 * A company of every sandbox, for the examples of the API description. Its symbol does not depend on
 * the size or the seed of the simulated market.
 */
export const exampleCompany = {
  symbol: 'NZNQZ',
  name: 'Nezeneth Machinery Corp.',
  cik: '0009990001',
} as const;

/** Symbol in the examples of a service with real companies. */
export const REAL_EXAMPLE_SYMBOL = 'AAPL';
