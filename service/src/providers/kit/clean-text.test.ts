import { describe, expect, it } from 'vitest';
import { cleanText, decodeEntities, isStorableText, toStorableText } from './clean-text.ts';

describe('cleanText', () => {
  it.each([
    ['Sempra ', 'Sempra'],
    ['Lark &lt;BR/&gt;Foods', 'Lark Foods'],
    ['Lark<br>Foods', 'Lark Foods'],
    ['Harbour &amp; Sons', 'Harbour & Sons'],
    ['Harbour &amp;amp; Sons', 'Harbour & Sons'],
    ['Caf&#233; &#x26; Co', 'Café & Co'],
    ['&quot;Quay&quot;', '"Quay"'],
    ['A&nbsp;B', 'A B'],
    ['A\u00a0\t\n B', 'A B'],
    ['AT&T', 'AT&T'],
    ['a < b and b > c', 'a < b and b > c'],
    ['&unknown; stays', '&unknown; stays'],
    ['<script>alert(1)</script>', 'alert(1)'],
    ['bell\u0007rung', 'bell rung'],
  ])('cleans the text %j to %j', (text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it.each([
    '',
    ' ',
    '&nbsp;',
    '&amp;nbsp;',
    'N/A',
    '--',
    '<br/>',
    '\u00a0',
    'null',
    'n/a',
    '&mdash;',
  ])('cleans %j to null, since it contains no displayable text', (text) => {
    expect(cleanText(text)).toBeNull();
  });

  it('decodes entities at most twice', () => {
    expect(cleanText('&amp;amp;amp;')).toBe('&amp;');
  });
});

describe('decodeEntities', () => {
  it.each(['&#0;', '&#xD800;', '&#9999999;', '&#xFFFFFF;'])(
    'leaves %s, which encodes no character, unchanged',
    (text) => {
      expect(decodeEntities(text)).toBe(text);
    },
  );
});

describe('isStorableText', () => {
  it.each([
    ['plain', true],
    ['🙂', true],
    ['a\0b', false],
    ['\ud83d', false],
  ])('determines whether %j is storable: %s', (text, storable) => {
    expect(isStorableText(text)).toBe(storable);
    expect(isStorableText(toStorableText(text))).toBe(true);
  });
});
