/** A text that does not fit the one grammar it was read with: a new form, or a damaged value. */
export class DirtyValueError extends Error {
  readonly kind: 'number' | 'date';
  readonly grammar: string;
  readonly text: string;

  constructor(kind: 'number' | 'date', grammar: string, text: string) {
    super(
      `not ${/^[aeiou]/i.test(grammar) ? 'an' : 'a'} ${grammar}: ${JSON.stringify(text.slice(0, 80))}`,
    );
    this.name = 'DirtyValueError';
    this.kind = kind;
    this.grammar = grammar;
    this.text = text;
  }
}

const EMPTY_MARK = /^(?:[-–—]*|\.|n\/?a|none|null|undefined|nan|tb[ad]|&nbsp;)$/i;

/**
 * Whether this is one of the ways in which sources write "no value", in any case. It never means
 * zero. Not for tickers and country codes: some are spelt as a mark is.
 */
export function isEmptyMark(text: string): boolean {
  return EMPTY_MARK.test(text.trim());
}

/** For the error text of a value that should have been a number: its type, then the value. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? `number ${value}` : typeof value;
}
