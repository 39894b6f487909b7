import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HtmlBlock, readHtmlBlocks } from './html-blocks.ts';
import { sourceOffset } from './source-text.ts';

function textsOf(html: string): unknown[] {
  return readHtmlBlocks(html).map((block) => {
    if (block.kind !== 'table') return block.text;
    return block.rows.map((cells) => cells.map(({ text, start, end }) => [text, start, end]));
  });
}

describe('blocks of an HTML document', () => {
  it('joins inline elements and splits at line breaks', () => {
    const html = '<p>Net&nbsp;<b>income</b> of <i>$1</i>.50<br>per&#8203; share</p>after';
    expect(textsOf(html)).toEqual(['Net income of $1.50', 'per share', 'after']);
  });

  it('places cells on a grid, with spans over columns and rows', () => {
    const html =
      '<table><tr><td rowspan=2>a<td colspan=2>b</tr><tr><td>c<td>d</tr><tr><td>e</table>';
    expect(textsOf(html)).toEqual([
      [
        [
          ['a', 0, 1],
          ['b', 1, 3],
        ],
        [
          ['c', 1, 2],
          ['d', 2, 3],
        ],
        [['e', 0, 1]],
      ],
    ]);
  });

  it('returns a table within a cell as a block of its own', () => {
    const html = '<table><tr><td>before<table><tr><td>inside</table>after</table>';
    expect(textsOf(html)).toEqual([[[['before after', 0, 1]]], [[['inside', 0, 1]]]]);
  });

  it('leaves out hidden parts and footnote marks, but keeps the letters of an ordinal', () => {
    const html =
      '<div style="display:none">hidden<div>too</div></div><script>1</script>' +
      'per share<sup>2</sup><font style="vertical-align:super">(a)</font> in the 4<sup>th</sup> quarter';
    expect(textsOf(html)).toEqual(['per share in the 4th quarter']);
  });

  it('keeps the lines of preformatted text', () => {
    expect(textsOf('<pre>a   1\n  b 2</pre>')).toEqual(['a   1\n  b 2']);
  });

  it('finds each word in the source', () => {
    const html = '<p>Earnings&nbsp;per &amp; <b>share</b>\n  rose</p>';
    const [block] = readHtmlBlocks(html) as [HtmlBlock & { kind: 'paragraph' }];
    for (const word of ['Earnings', 'per', 'share', 'rose']) {
      expect(html.indexOf(word)).toBe(sourceOffset(block, block.text.indexOf(word)));
    }
  });

  it('never throws, whatever the text', () => {
    const tag = fc.constantFrom(
      '<table>',
      '</table>',
      '<tr>',
      '<td colspan=99999 rowspan=7>',
      '</td>',
      '<pre>',
      '</pre>',
      '<sup>',
      '<p style="display:none">',
      '<!--',
      '&#x;',
      '<',
      'text 1.50',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(tag, fc.string())), (parts) => {
        readHtmlBlocks(parts.join(''));
      }),
    );
  });
});
