import { describe, expect, it } from 'vitest';
import { csvHeader, readCsv } from './csv.ts';

describe('readCsv', () => {
  it('reads CSV with quotes, both line endings, empty lines and a byte-order mark', () => {
    const text = '\uFEFF"a", b \r\n"x, ""y""",1\n\r\n"two\nlines",\r\n';
    expect(readCsv(text)).toEqual({
      header: ['a', 'b'],
      rows: [
        { a: 'x, "y"', b: '1' },
        { a: 'two\nlines', b: '' },
      ],
      lineNumbers: [2, 4],
    });
  });

  it.each([';', '\t'] as const)('reads a CSV table with the delimiter %j', (delimiter) => {
    const text = `a${delimiter}b\n"x${delimiter}y"${delimiter}1,5\n`;
    expect(readCsv(text, delimiter).rows).toEqual([{ a: `x${delimiter}y`, b: '1,5' }]);
    expect(csvHeader(text, delimiter)).toEqual(['a', 'b']);
  });

  it('returns a CSV line with a different number of cells as a list, which is an invalid row', () => {
    expect(readCsv('a,b\n1\n1,2\n1,2,3\n').rows).toEqual([
      ['1'],
      { a: '1', b: '2' },
      ['1', '2', '3'],
    ]);
  });

  it('ignores CSV columns without a name, which spreadsheets sometimes write', () => {
    expect(readCsv('a,b,,\n1,2,,\n3,,,\n')).toEqual({
      header: ['a', 'b'],
      rows: [
        { a: '1', b: '2' },
        { a: '3', b: '' },
      ],
      lineNumbers: [2, 3],
    });
    expect(readCsv('a,b\n1,2,\n').rows).toEqual([{ a: '1', b: '2' }]);
    expect(readCsv('a,b,\n1,2,3\n').rows).toEqual([['1', '2', '3']]);
  });

  it('reads CSV with CR line endings', () => {
    expect(readCsv('a,b\r1,2\r"3\r",4\r').rows).toEqual([
      { a: '1', b: '2' },
      { a: '3\r', b: '4' },
    ]);
  });

  it.each([
    ['', 'empty-body'],
    [',,\n1,2,3\n', 'empty-body'],
    ['a,a\n1,2\n', 'duplicate-column'],
    ['a,b\n"1,2\n', 'bad-csv'],
    ['<html><body>no</body></html>', 'html-instead-of-csv'],
  ])('rejects the CSV text %j as %s', (text, reason) => {
    expect(() => readCsv(text)).toThrow(expect.objectContaining({ reason }));
  });
});

describe('csvHeader', () => {
  it.each([
    ['a,"b", c \r\n1,2,3', ['a', 'b', 'c']],
    ['a,b', ['a', 'b']],
    ['a,b\r1,2', ['a', 'b']],
  ])('reads the header line of %j as the columns %j', (text, names) => {
    expect(csvHeader(text)).toEqual(names);
  });
});
