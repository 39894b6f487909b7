/** A text that does not fit the one grammar it was read with: a new form, or a damaged value. */
export class DirtyValueError extends Error {
  readonly grammar: string;
  readonly text: string;

  constructor(grammar: string, text: string) {
    super(`not a ${grammar}: ${JSON.stringify(text.slice(0, 80))}`);
    this.name = 'DirtyValueError';
    this.grammar = grammar;
    this.text = text;
  }
}

const EMPTY_MARKS: ReadonlySet<string> = new Set([
  '',
  '-',
  '--',
  '.',
  'N/A',
  'NA',
  'None',
  'null',
  '&nbsp;',
]);

/** Whether this is one of the ways in which sources write "no value". It never means zero. */
export function isEmptyMark(text: string): boolean {
  return EMPTY_MARKS.has(text.trim());
}
