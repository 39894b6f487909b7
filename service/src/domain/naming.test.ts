import { describe, expect, test } from 'vitest';
import { countryCodeOf, countryEmojiOf, countryNameOf } from './country.ts';
import { exchangeOf } from './exchange.ts';
import { sectorOfSic } from './sector.ts';
import { classifySecurity } from './security-type.ts';

describe('countries', () => {
  test.each([
    ['United States', 'US'],
    ['  united kingdom ', 'GB'],
    // Withdrawn codes still have these names.
    ['Germany', 'DE'],
    ['Serbia', 'RS'],
    ['Yemen', 'YE'],
    ['Curaçao', 'CW'],
    ['Curacao', 'CW'],
    ['France', 'FR'],
    ['Russian Federation', 'RU'],
    ['Hong Kong', 'HK'],
    ['Turkey', 'TR'],
  ])('maps the country name %s to %s', (name, code) => {
    expect(countryCodeOf(name)).toBe(code);
  });

  test.each(['European Union', 'Unknown Region', 'Atlantis', '', 'constructor'])(
    'finds no country code for %j',
    (name) => {
      expect(countryCodeOf(name)).toBeNull();
    },
  );

  test("finds every country's code by its name", () => {
    for (const code of ['US', 'CA', 'CN', 'IL', 'KY', 'BM', 'TW', 'NL', 'CH', 'MM', 'CD']) {
      const name = countryNameOf(code);
      expect(name === null ? null : countryCodeOf(name)).toBe(code);
    }
    expect(countryNameOf('K3')).toBeNull();
    expect(countryEmojiOf('DE')).toBe('🇩🇪');
  });
});

test.each([
  ['Nasdaq', 'NASDAQ', 'XNAS'],
  ['NYSE', 'NYSE', 'XNYS'],
  [' AMEX ', 'NYSE American', 'XASE'],
  ['CBOE', 'Cboe BZX', 'BATS'],
  ['BATS', 'Cboe BZX', 'BATS'],
  ['New York Stock Exchange', 'NYSE', 'XNYS'],
  ['PNK', 'OTC', 'OTCM'],
  ['NasdaqGS', 'NASDAQ', 'XNAS'],
  ['Moon Exchange', 'Moon Exchange', null],
  ['constructor', 'constructor', null],
])('maps the exchange %j to %s with MIC %s', (word, name, mic) => {
  expect(exchangeOf(word)).toEqual({ name, mic });
});

test.each([
  ['0100', 'Consumer Staples'],
  ['1311', 'Energy'],
  ['1040', 'Basic Materials'],
  ['2834', 'Health Care'],
  ['2851', 'Basic Materials'],
  ['3571', 'Technology'],
  ['3711', 'Consumer Discretionary'],
  ['3845', 'Health Care'],
  ['3990', 'Industrials'],
  ['4813', 'Telecommunications'],
  ['4911', 'Utilities'],
  ['5411', 'Consumer Staples'],
  ['5812', 'Consumer Discretionary'],
  ['6021', 'Finance'],
  ['6798', 'Real Estate'],
  ['7372', 'Technology'],
  ['8071', 'Health Care'],
  ['9995', 'Miscellaneous'],
  ['', null],
  ['37a1', null],
])('maps SIC code %j to the sector %s', (sic, sector) => {
  expect(sectorOfSic(sic)).toBe(sector);
});

describe('security types', () => {
  test.each([
    ['NRTH', 'Northgate Instruments Inc. Common Stock', null, 'equity', []],
    ['NRTH', null, null, 'equity', []],
    ['NRTH.PR.A', null, null, 'equity', ['preferred']],
    ['NRTH.WS', null, null, 'non_equity', ['warrant']],
    ['NRTH.U', null, null, 'non_equity', ['unit']],
    ['NRTHW', 'Northgate Acquisition Corp. Warrants', '6770', 'non_equity', ['warrant', 'spac']],
    ['NRTHR', 'Northgate Acquisition Corp. Rights', null, 'non_equity', ['right', 'spac']],
    ['NRTHY', 'Northgate PLC American Depositary Shares', null, 'equity', ['adr']],
    ['NGF', 'Northgate Growth ETF', null, 'fund', ['etf']],
    ['NGN', 'Northgate Oil ETN', null, 'non_equity', ['etn']],
    ['NGC', 'Northgate Closed-End Income Fund', null, 'fund', []],
    ['NRE', 'Northgate Properties Inc. Common Stock', '6798', 'equity', ['reit']],
    ['NGP', 'Northgate Pipelines L.P. Common Units', null, 'equity', []],
    ['NGS', 'Northgate Acquisition Corp. Units', null, 'non_equity', ['unit', 'spac']],
    ['NGD', 'Northgate Inc. 5.625% Junior Subordinated Debentures', null, 'non_equity', []],
    ['NGB', 'Northgate Inc. Senior Notes due 2078', null, 'non_equity', []],
    ['NBK', 'Notebook Makers Inc. Common Stock', 'constructor', 'equity', []],
    ['ADSN', 'ADS-NORD Power PLC Ordinary Shares', null, 'equity', []],
    ['PFBN', 'Preferred Harbor Bank Common Stock', null, 'equity', []],
    ['HPN', 'Harbor Preferred Income Fund Common Shares of Beneficial Interest', null, 'fund', []],
    ['HPS', 'Harbor Preferred Securities and Income Fund', null, 'fund', []],
    ['HPI.PR.A', 'Harbor Fund 5% Series A Preferred Stock', null, 'fund', ['preferred']],
    ['CALD', 'Calder Holding L.P.  Units', null, 'equity', []],
    ['QUAY', 'Quay PREP LLC Class A Units', null, 'equity', []],
    [
      'BNCO',
      'Banco SA American Depositary Shares each representing one unit',
      null,
      'equity',
      ['adr'],
    ],
    ['NGXIU', 'Northgate Capital Corp XI Units', null, 'non_equity', ['unit']],
  ] as const)('determines the security type of %s (%s)', (symbol, name, sicCode, type, tags) => {
    expect(classifySecurity({ symbol, name, sicCode })).toEqual({ type, tags });
  });
});
