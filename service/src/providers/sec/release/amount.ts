import {
  type Decimal,
  decimalPlaces,
  divideDecimals,
  normalizeDecimal,
} from '../../../domain/decimal.ts';

/** Number format of a document: `1,234.5` or `1.234,5`. */
export type DecimalMark = 'point' | 'comma';

/** A number in a table cell. */
export interface Amount {
  /** Null for a dash or another mark for "none". */
  value: Decimal | null;
  text: string;
  /** Decimals as written: 2 for `1.40`. */
  decimals: number;
  /** A percentage, a ratio or a multiple, so not money. */
  isRatio: boolean;
  /** ISO code of a currency sign in the cell. */
  currency: string | null;
  isCents: boolean;
}

const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/^(?:US ?\$|USD|U\.S\. ?\$)/i, 'USD'],
  [/^(?:C\$|CA\$|CAD|Cdn ?\$)/i, 'CAD'],
  [/^(?:A\$|AUD)/i, 'AUD'],
  [/^(?:HK\$|HKD)/i, 'HKD'],
  [/^(?:NT\$|TWD)/i, 'TWD'],
  [/^(?:S\$|SGD)/i, 'SGD'],
  [/^(?:R\$|BRL)/i, 'BRL'],
  [/^(?:MX\$|Ps\.?|MXN)/i, 'MXN'],
  [/^(?:€|EUR)/i, 'EUR'],
  [/^(?:£|GBP)/i, 'GBP'],
  [/^(?:RMB|CNY)/i, 'CNY'],
  [/^(?:JPY|¥|￥)/i, 'JPY'],
  [/^(?:CHF|SFr\.?)/i, 'CHF'],
  [/^(?:DKK)/i, 'DKK'],
  [/^(?:SEK)/i, 'SEK'],
  [/^(?:NOK)/i, 'NOK'],
  [/^(?:NIS|ILS|₪)/i, 'ILS'],
  [/^(?:Rs\.?|INR|₹)/i, 'INR'],
  [/^(?:KRW|₩)/i, 'KRW'],
  [/^\$/, 'USD'],
];
const NONE = /^(?:[-–—―−_.]{1,4}|n\/?[am]\.?|n\.m\.|nil|not meaningful|\*{1,3})$/i;
/** A mark after the number: `1.40 (1)`, `1.40*`, `1.40 [a]`. */
const FOOTNOTE = /\s*(?:\((?:\d|[a-z])\)|\[[\da-z]\]|\*+|†+|‡+)$/i;
const RATIO = /\s*(?:%|percent|x|bps?|basis points|pts?\.?|pp|points?)\)?$/i;
const POINT = /^(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?$/;
const COMMA = /^(?:\d{1,3}(?:[. ]\d{3})+|\d+)(?:,\d+)?$/;
const TEXT_LENGTH_MAX = 40;

/** Parses the text of a cell. Returns null if it is not an amount. */
export function parseAmount(text: string, mark: DecimalMark): Amount | null {
  let rest = text.trim();
  if (rest === '' || rest.length > TEXT_LENGTH_MAX) return null;
  const none = { value: null, text, decimals: 0, isRatio: false, currency: null, isCents: false };
  if (NONE.test(rest)) return none;
  let isNegative = false;
  let currency: string | null = null;
  for (let step = 0; step < 6; step++) {
    const sign = SIGNS.find(([shape]) => shape.test(rest));
    if (sign !== undefined) {
      currency ??= sign[1];
      rest = rest.replace(sign[0], '').trimStart();
    } else if (NONE.test(rest.replace(/\)$/, ''))) return { ...none, currency };
    else if (/^[(\-–—−]/.test(rest)) {
      isNegative = true;
      rest = rest.slice(1).trimStart();
    } else if (rest.startsWith('+')) rest = rest.slice(1).trimStart();
    else break;
  }
  // A cell like `(0.51)` keeps its bracket; one like `0.51 (1)` has a footnote.
  if (/[\d)]\s*\(/.test(rest) || !isNegative) rest = rest.replace(FOOTNOTE, '');
  const isRatio = RATIO.test(rest);
  rest = rest.replace(RATIO, '').replace(/[)\s]+$/, '');
  const isCents = /\d\s*(?:¢|cents?|c|p|pence)$/i.test(rest);
  rest = rest.replace(/\s*(?:¢|cents?|c|p|pence|€|USD|EUR|GBP|RMB|CHF)$/i, '');
  const digits = plainDigits(rest, mark);
  const value = digits === null ? null : normalizeDecimal(isNegative ? `-${digits}` : digits);
  if (value === null) return null;
  const decimals = digits?.split('.')[1]?.length ?? 0;
  return { value, text, decimals, isRatio, currency, isCents };
}

function plainDigits(text: string, mark: DecimalMark): string | null {
  if (!/\d/.test(text)) return null;
  if (mark === 'point') {
    if (!POINT.test(text)) return null;
    const plain = text.replaceAll(',', '');
    return plain.startsWith('.') ? `0${plain}` : plain;
  }
  return COMMA.test(text) ? text.replaceAll(/[. ]/g, '').replace(',', '.') : null;
}

/** Returns the currency sign or code in a cell as written, or null. */
export function currencySign(text: string): string | null {
  const start = text.trim().replace(/^[(\-–—−\s]+/, '');
  for (const [shape] of SIGNS) {
    const match = shape.exec(start);
    if (match !== null) return match[0];
  }
  return null;
}

/** Returns true for a bare year, as a column head has it. */
export function isYear(amount: Amount): boolean {
  return /^(?:19[6-9]\d|20\d\d)$/.test(amount.text.trim());
}

/** Returns the amount in the main unit of its currency: cents become dollars. */
export function inMainUnit(amount: Amount): Decimal | null {
  if (amount.value === null || !amount.isCents) return amount.value;
  return divideDecimals(amount.value, '100', decimalPlaces(amount.value) + 2);
}

/** Returns the sign convention of a document, from the decimals in its table cells. */
export function decimalMarkOf(texts: Iterable<string>): DecimalMark {
  let points = 0;
  let commas = 0;
  for (const text of texts) {
    if (/^\W*\d[\d,]*\.\d{1,2}\W*$/.test(text)) points++;
    else if (/^\W*\d[\d. ]*,\d{1,2}\W*$/.test(text)) commas++;
  }
  return commas >= 3 && commas > points * 3 ? 'comma' : 'point';
}
