import { headerBrand } from '../theme/brand.ts';

/** The header names that this service uses for deliveries. */
export const HEADERS = {
  timestamp: `X-${headerBrand}-Timestamp`,
  signature: `X-${headerBrand}-Signature`,
  next: `X-${headerBrand}-Signature-Next`,
  previous: `X-${headerBrand}-Signature-Previous`,
} as const;
