import { headerBrand } from '../theme/brand.ts';

/** The headers of a delivery, as the service that serves this page names them. */
export const HEADERS = {
  timestamp: `X-${headerBrand}-Timestamp`,
  signature: `X-${headerBrand}-Signature`,
  next: `X-${headerBrand}-Signature-Next`,
  previous: `X-${headerBrand}-Signature-Previous`,
} as const;
