import { brand } from '../theme/brand.ts';

/**
 * What stands in the header names: letters and digits of a brand that the operator chose, else
 * `Service`. The page has the product's own name where none was chosen.
 */
const headerBrand: string = headerBrandOf(brand);

function headerBrandOf(name: string): string {
  if (name === 'Afterbell') return 'Service';
  const words = name.normalize('NFKD').match(/[A-Za-z0-9]+/g) ?? [];
  return words.length === 0 ? 'Service' : words.join('-').slice(0, 40);
}

export const HEADERS = {
  timestamp: `X-${headerBrand}-Timestamp`,
  signature: `X-${headerBrand}-Signature`,
  next: `X-${headerBrand}-Signature-Next`,
  previous: `X-${headerBrand}-Signature-Previous`,
} as const;
