import { expect, test } from 'vitest';
import { releaseExcerpt } from './excerpt.ts';

const ROWS = ['Revenue', 'Costs', 'Margin', 'Research', 'Sales', 'Income', 'Tax', 'Net', 'Basic'];
const TABLE = `<table>
<tr><td></td><td></td><td colspan="5">Three Months Ended</td></tr>
<tr><td></td><td></td><td colspan="2">2026</td><td></td><td colspan="2">2025</td></tr>
${ROWS.map(
  (name, index) =>
    `<tr><td>${name} &lt;b&gt;</td><td> </td><td>$</td><td>${index + 1},100</td><td></td><td>$</td><td>${index + 1},900</td></tr>`,
).join('\n')}
</table>`;

function highlighted(excerpt: ReturnType<typeof releaseExcerpt>): (string | undefined)[] {
  return (excerpt ?? []).flat().flatMap(({ text, highlight }) => {
    return highlight === null ? [] : [text.slice(highlight.start, highlight.end)];
  });
}

test('shows the rows around a cell, with the heads of the table', () => {
  const excerpt = releaseExcerpt(TABLE, TABLE.indexOf('8,100'));
  expect(excerpt?.map((line) => line.map(({ text }) => text))).toEqual([
    ['', 'Three Months Ended'],
    ['', '2026', '2025'],
    ['Revenue <b>', '$', '1,100', '$', '1,900'],
    ['…'],
    ['Research <b>', '$', '4,100', '$', '4,900'],
    ['Sales <b>', '$', '5,100', '$', '5,900'],
    ['Income <b>', '$', '6,100', '$', '6,900'],
    ['Tax <b>', '$', '7,100', '$', '7,900'],
    ['Net <b>', '$', '8,100', '$', '8,900'],
    ['Basic <b>', '$', '9,100', '$', '9,900'],
  ]);
  expect(highlighted(excerpt)).toEqual(['8,100']);
  for (const line of excerpt ?? []) {
    expect(line.reduce((sum, { columns }) => sum + columns, 0)).toBe(5);
  }
});

test('shows the sentence around a value in prose', () => {
  const html = `<p>${'Long ago. '.repeat(60)}Earnings were <b>$</b>1.46 per share &amp; unit.</p>`;
  const excerpt = releaseExcerpt(html, html.indexOf('1.46'));
  expect(highlighted(excerpt)).toEqual(['1.46']);
  expect(excerpt?.[0]?.[0]?.text).toMatch(/^.{299}\$1\.46 per share & unit\.$/);
});

test('shows a table of plain text', () => {
  const source = 'RESULTS\n\n                 2026      2025\nRevenue         1,200     1,100\n';
  const excerpt = releaseExcerpt(source, source.indexOf('1,200'));
  expect(highlighted(excerpt)).toEqual(['1,200']);
});

test('shows nothing if the document has no amount at the offset', () => {
  expect(releaseExcerpt(TABLE, TABLE.indexOf('Sales'))).toBeNull();
  expect(releaseExcerpt('', 10)).toBeNull();
  expect(releaseExcerpt(TABLE, -1)).toBeNull();
});
