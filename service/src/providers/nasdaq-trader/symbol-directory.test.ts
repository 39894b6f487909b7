import { expect, test } from 'vitest';
import { symbolKind } from '../../domain/symbol.ts';
import { createSourceResponse } from '../source-response.ts';
import { directorySymbol, nasdaqListed, otherListed } from './symbol-directory.ts';

const FOOTER = 'File Creation Time: 1120202605:30|||||||';

function parseOther(...lines: string[]) {
  const header = 'Test Issue|ETF|ACT Symbol|Exchange|Security Name|Added Later';
  return otherListed.parse(
    createSourceResponse({
      url: 'https://www.nasdaqtrader.com/dynamic/symdir/otherlisted.txt',
      status: 200,
      contentType: 'text/plain',
      observedAt: 0,
      text: [header, ...lines, FOOTER].join('\n'),
    }),
  );
}

test.each([
  ['HARB.B', 'HARB.B', 'share'],
  ['QUAY$A', 'QUAY.PR.A', 'preferred'],
  ['QUAY$', 'QUAY.PR', 'preferred'],
  ['QUAY.W', 'QUAY.WS', 'warrant'],
  ['QUAY.W.A', 'QUAY.WS.A', 'warrant'],
  ['QUAY.U', 'QUAY.U', 'unit'],
  ['QUAY.R', 'QUAY.R', 'right'],
  ['MERDW', 'MERDW', 'share'],
])('reads the symbol %s of the directory as %s, a %s', (text, symbol, kind) => {
  expect(directorySymbol(text)).toBe(symbol);
  expect(symbolKind(symbol)).toBe(kind);
});

test('finds columns by name, and reads exchange and ETF flag', () => {
  const { rows } = parseOther('N|N|BZXC|Z|Brightwater Exchange Inc.|x', 'N|Y|WAVX|P|Wave Bond|x');
  expect(rows).toEqual([
    {
      dataset: 'profiles',
      entityKey: 'BZXC',
      naturalKey: 'profile',
      fields: {
        symbol: 'BZXC',
        companyName: 'Brightwater Exchange Inc.',
        isEtf: false,
        exchange: 'Cboe BZX',
      },
    },
    {
      dataset: 'profiles',
      entityKey: 'WAVX',
      naturalKey: 'profile',
      fields: { symbol: 'WAVX', companyName: 'Wave Bond', isEtf: true, exchange: 'NYSE Arca' },
    },
  ]);
});

test('leaves out test issues, and quarantines an unreadable row without losing the others', () => {
  const { rows, bad } = parseOther(
    'Y|N|ZVZZT|N|Test|x',
    'N|maybe|FJRD|N|Fjord|x',
    'N|N|a$$b|N|Blank|x',
    'N|N|TIDE',
    'N||SAIL|?|Sail Makers Inc.|x',
  );
  expect(rows.map(({ fields }) => fields)).toEqual([
    { symbol: 'SAIL', companyName: 'Sail Makers Inc.', isEtf: null },
  ]);
  expect(bad.map(({ reason }) => reason)).toEqual(['bad-flag', 'bad-symbol', 'not-an-object']);
});

test('rejects a file without its footer, because a part looks like a complete list', () => {
  const text =
    'Symbol|Security Name|Market Category|Test Issue|Financial Status|Round Lot Size|ETF|NextShares\n' +
    'MERD|Meridian Harbor - Common Stock|Q|N|N|100|N|N\n';
  const url = 'https://www.nasdaqtrader.com/dynamic/SymDir/nasdaqlisted.txt';
  const file = { url, status: 200, contentType: 'text/plain', observedAt: 0 };
  const parse = (body: string) => nasdaqListed.parse(createSourceResponse({ ...file, text: body }));
  expect(() => parse(text)).toThrow(expect.objectContaining({ reason: 'cut-off' }));
  expect(parse(text + FOOTER).rows[0]?.fields).toMatchObject({
    companyName: 'Meridian Harbor Common Stock',
    exchange: 'Nasdaq',
  });
});
