/**
 * Thrown for text that doesn't match the expected format, either because the source changed its
 * format or because the value is damaged.
 */
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
 * Returns true for the placeholders that sources use for "no value", in any case. They never mean
 * zero. Don't use it for tickers and country codes, because some of them look like such a
 * placeholder.
 */
export function isEmptyMark(text: string): boolean {
  return EMPTY_MARK.test(text.trim());
}

/**
 * Describes a value that should have been a number, for error messages: its type, then the value.
 */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? `number ${value}` : typeof value;
}
