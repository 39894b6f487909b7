/** Formats amounts in whole currency units. Null is shown as a dash. */

const CODE = /^[A-Z]{3}$/;
const compacts = new Map<string, Intl.NumberFormat>();
const exacts = new Map<string, Intl.NumberFormat>();

/** Formats an amount as `$51.2B` or `€780M`. */
export function formatMoney(value: number | null, currency: string): string {
  return value === null ? '–' : formatterOf(compacts, currency, 'compact').format(value);
}

/** Formats a per-share amount with two to four decimals, such as `$1.23` or `-$0.4025`. */
export function formatPerShare(value: number | null, currency: string): string {
  return value === null ? '–' : formatterOf(exacts, currency, 'standard').format(value);
}

function formatterOf(
  cache: Map<string, Intl.NumberFormat>,
  currency: string,
  notation: 'compact' | 'standard',
): Intl.NumberFormat {
  const formatter = cache.get(currency) ?? makeFormatter(currency, notation);
  cache.set(currency, formatter);
  return formatter;
}

/** Creates a formatter for a currency. An invalid currency code must not crash the page. */
function makeFormatter(currency: string, notation: 'compact' | 'standard'): Intl.NumberFormat {
  const isCompact = notation === 'compact';
  return new Intl.NumberFormat('en-US', {
    ...(CODE.test(currency) ? { style: 'currency', currency } : {}),
    notation,
    minimumFractionDigits: isCompact ? 0 : 2,
    maximumFractionDigits: isCompact ? 1 : 4,
  });
}
