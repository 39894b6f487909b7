/** Returns the text of a cell with formulas escaped, or an empty string for null. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return escapeFormula(value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  // Each item is escaped, because a spreadsheet may split the cell at semicolons.
  const texts = value.map((item) =>
    typeof item === 'string' ? escapeFormula(item) : JSON.stringify(item),
  );
  return escapeFormula(texts.join(';'));
}

const FORMULA_PATTERN = /^[\s\p{C}]*[=+\-@|%＝＋－＠]/u;
const NUMBER_PATTERN = /^[+-]?[$€£]?\d[\d,]*(\.\d+)?[%KMBT]?$/;

function escapeFormula(text: string): string {
  return FORMULA_PATTERN.test(text) && !NUMBER_PATTERN.test(text) ? `'${text}` : text;
}
