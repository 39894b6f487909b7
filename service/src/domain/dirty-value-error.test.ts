import { describe, expect, it } from 'vitest';
import { DirtyValueError, isEmptyMark } from './dirty-value-error.ts';

describe('placeholders for "no value"', () => {
  const marks = ['', '-', '--', '---', '–', '—', '.', 'N/A', 'NA', 'None', 'null', '&nbsp;'];
  const words = ['NaN', 'undefined', 'TBD', 'TBA'];

  it.each([...marks, ...words])(
    'treats %j as a placeholder for "no value" in any case and with surrounding spaces',
    (mark) => {
      expect(isEmptyMark(mark)).toBe(true);
      expect(isEmptyMark(mark.toLowerCase())).toBe(true);
      expect(isEmptyMark(` ${mark.toUpperCase()}\u00a0`)).toBe(true);
    },
  );

  it.each(['0', '0.00', 'N/A Foods', 'Nano', 'non', 'Nonesuch', '-1', '..', 'T.B.A.', 'nan nan'])(
    'does not treat %j as a placeholder for "no value"',
    (text) => {
      expect(isEmptyMark(text)).toBe(false);
    },
  );
});

describe('invalid values', () => {
  it.each([
    ['ISO date', 'not an ISO date: "soon"'],
    ['plain number', 'not a plain number: "soon"'],
  ])('throws an error saying that a text is not in the format %s', (grammar, message) => {
    expect(new DirtyValueError('date', grammar, 'soon').message).toBe(message);
  });
});
