import { isJsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import type { DateOrder } from './file-options.ts';
import type { FileTable } from './table.ts';

/** `11/19/2026`, `19.11.2026` or `5-6-2026`, optionally with a time of midnight. */
const SHORT_DATE = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:[T ]0?0:00(?::00)?)?$/;
const DIGITS_AND_MARKS = /^[-+(]?\$?\d[\d.,]*[.,]\d+[kmbt]?\)?$/i;
/** A number whose comma can only be a decimal comma: `1,5`, `0,123`, `1.234,567`. */
const DECIMAL_COMMA =
  /^[-+(]?\$?(?:\d+,(?:\d{1,2}|\d{4,})|0,\d+|\d{1,3}(?:\.\d{3})+,\d+)[kmbt]?\)?$/i;
/** A number whose comma may be a decimal comma or a thousands separator: `1,234`. */
const EITHER_COMMA = /^[-+(]?\$?[1-9]\d{0,2},\d{3}[kmbt]?\)?$/i;

/**
 * Rewrites dates and numbers whose form depends on the country to the forms that all readers
 * accept. The whole file decides: one date such as 19/11/2026 shows that the day comes first in
 * every date, and one number such as `1,5` in a semicolon-separated file shows that every comma is
 * a decimal comma. A cell that stays ambiguous stays as it is, so that its row is invalid instead
 * of wrong.
 */
export function withPlainCells(
  table: FileTable,
  { isSemicolonSeparated, dateOrder }: FileFormat,
): FileTable {
  const texts = table.rows.flatMap(textsOf);
  const order = dateOrder ?? inferDateOrder(texts);
  const commas = isSemicolonSeparated ? commaMeaning(texts) : 'thousands';
  if (order === null && commas === 'thousands' && !texts.some((text) => SHORT_DATE.test(text))) {
    return table;
  }
  const rewrite = (cell: unknown): unknown => {
    if (typeof cell !== 'string') return cell;
    const text = cell.trim();
    if (SHORT_DATE.test(text)) return isoDate(text, order) ?? cell;
    return commas === 'decimal' && DIGITS_AND_MARKS.test(text) ? withDecimalPoint(text) : cell;
  };
  return {
    ...table,
    rows: table.rows.map((row) =>
      isJsonObject(row)
        ? Object.fromEntries(Object.entries(row).map(([header, cell]) => [header, rewrite(cell)]))
        : row,
    ),
    ...(commas === 'unclear' && { isCommaUnclear: true }),
  };
}

interface FileFormat {
  isSemicolonSeparated: boolean;
  dateOrder: DateOrder | null;
}

/** Throws `ambiguous-number` for a number whose comma may mean either. */
export function rejectUnclearComma(header: string, cell: unknown): void {
  if (typeof cell !== 'string' || !EITHER_COMMA.test(cell.trim())) return;
  throw new RowError('ambiguous-number', `column "${header}" is ${JSON.stringify(cell)}`, {
    column: header,
    value: cell,
    accepted: 'a number without a comma, because commas in this file may be decimal commas',
  });
}

function textsOf(row: unknown): string[] {
  if (!isJsonObject(row)) return [];
  return Object.values(row).filter(
    (cell): cell is string => typeof cell === 'string' && /\d[,./-]\d/.test(cell),
  );
}

/** Returns null if no date decides, or if dates contradict each other. */
function inferDateOrder(texts: readonly string[]): DateOrder | null {
  let isMonthFirst = false;
  let isDayFirst = false;
  for (const text of texts) {
    const [, first, mark, second] = SHORT_DATE.exec(text.trim()) ?? [];
    if (mark === '.') continue;
    isDayFirst ||= Number(first) > 12;
    isMonthFirst ||= Number(second) > 12;
  }
  if (isMonthFirst === isDayFirst) return null;
  return isMonthFirst ? 'month-first' : 'day-first';
}

/** Rewrites a short date. Dates with points always have the day first. */
function isoDate(text: string, order: DateOrder | null): string | null {
  const [, first = '', mark, second = '', year = ''] = SHORT_DATE.exec(text) ?? [];
  const effective = mark === '.' ? 'day-first' : order;
  if (effective === null) return null;
  const [month, day] = effective === 'month-first' ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function commaMeaning(texts: readonly string[]): 'decimal' | 'thousands' | 'unclear' {
  const numbers = texts.map((text) => text.trim()).filter((text) => DIGITS_AND_MARKS.test(text));
  if (numbers.some((number) => DECIMAL_COMMA.test(number))) return 'decimal';
  if (numbers.some((number) => /,\d{3},|,\d{3}\./.test(number))) return 'thousands';
  return numbers.some((number) => EITHER_COMMA.test(number)) ? 'unclear' : 'thousands';
}

/** Drops points that separate thousands. Any other point is a decimal point. */
function withDecimalPoint(text: string): string {
  const [whole = '', ...fraction] = text.split(',');
  const isGrouped = !whole.includes('.') || /^\D*\d{1,3}(?:\.\d{3})+\D*$/.test(whole);
  return isGrouped ? [whole.replaceAll('.', ''), ...fraction].join('.') : text;
}
