import { describe, expect, it } from 'vitest';
import { csvHeader, readCsv } from './csv.ts';

describe('readCsv', () => {
  it('reads quotes, both line ends, empty lines and a byte-order mark', () => {
    const text = '\uFEFF"a", b \r\n"x, ""y""",1\n\r\n"two\nlines",\r\n';
    expect(readCsv(text)).toEqual({
      header: ['a', 'b'],
      rows: [
        { a: 'x, "y"', b: '1' },
        { a: 'two\nlines', b: '' },
      ],
    });
  });

  it('gives a line of another length as a list, so that it counts as a bad row', () => {
    expect(readCsv('a,b\n1\n1,2\n1,2,3\n').rows).toEqual([
      ['1'],
      { a: '1', b: '2' },
      ['1', '2', '3'],
    ]);
  });

  it.each([
    ['', 'empty-body'],
    ['a,a\n1,2\n', 'duplicate-column'],
    ['a,b\n"1,2\n', 'bad-csv'],
    ['<html><body>no</body></html>', 'html-instead-of-csv'],
  ])('refuses %j as %s', (text, reason) => {
    expect(() => readCsv(text)).toThrow(expect.objectContaining({ reason }));
  });
});

describe('csvHeader', () => {
  it.each([
    ['a,"b", c \r\n1,2,3', ['a', 'b', 'c']],
    ['a,b', ['a', 'b']],
  ])('%j names %j', (text, names) => {
    expect(csvHeader(text)).toEqual(names);
  });
});
