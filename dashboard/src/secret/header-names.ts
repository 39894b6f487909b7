import { headerBrand } from '../theme/brand.ts';

/** The header names of deliveries from this service. */
export const HEADERS = {
  timestamp: `X-${headerBrand}-Timestamp`,
  signature: `X-${headerBrand}-Signature`,
  next: `X-${headerBrand}-Signature-Next`,
  previous: `X-${headerBrand}-Signature-Previous`,
} as const;
