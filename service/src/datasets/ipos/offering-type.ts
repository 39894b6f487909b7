import { classifySecurity } from '../../domain/security-type.ts';
import type { OfferingType } from './observation.ts';

const BLANK_CHECK_NAME = /\b(acquisitions?|spac|blank check)\b/i;
const DEPOSITARY_NAME = /\b(american depositary|ADSs?|ADRs?)\b/i;
/** Unit symbols at Nasdaq and NYSE: a fifth letter U, or a suffix. */
const UNIT_SYMBOL = /^[A-Z]{3,4}U$|\.U$/;
/** Units of blank-check companies have always had this price. */
const UNIT_PRICE = '10';

/**
 * Returns the offering type that the listing implies: a blank-check company by its name or by units
 * at 10.00, or depositary shares by their name. Returns null if neither applies.
 */
export function offeringTypeOf(deal: {
  companyName: string;
  symbol: string | null;
  prices: readonly (string | null)[];
}): OfferingType | null {
  const { companyName, symbol, prices } = deal;
  const isBlankCheck =
    BLANK_CHECK_NAME.test(companyName) ||
    classifySecurity({ symbol: symbol ?? '', name: companyName, sicCode: null }).tags.includes(
      'spac',
    );
  if (isBlankCheck) return 'spac';
  if (DEPOSITARY_NAME.test(companyName)) return 'adr';
  const amounts = prices.filter((price) => price !== null);
  const costsTen = amounts.length > 0 && amounts.every((price) => price === UNIT_PRICE);
  return costsTen && symbol !== null && UNIT_SYMBOL.test(symbol) ? 'spac' : null;
}
