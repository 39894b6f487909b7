import { expect, test } from 'vitest';
import { issuerName } from './issuer-name.ts';

test.each([
  ['Northgate Instruments Inc. Common Stock', 'Northgate Instruments Inc.'],
  ['Northgate Co. Class A Common Stock', 'Northgate Co.'],
  ['Northgate Corp. Series B common stock', 'Northgate Corp.'],
  ['Northgate Corp. Common Stock (DE)', 'Northgate Corp.'],
  ['Northgate Ltd. Class A Ordinary Shares', 'Northgate Ltd.'],
  ['Northgate Class A', 'Northgate'],
  [
    'Northgate plc American Depositary Shares each representing one Ordinary Share',
    'Northgate plc',
  ],
  ['Northgate Inc. ADS', 'Northgate Inc.'],
  ['Northgate S.A. Sponsored ADR (Brazil)', 'Northgate S.A.'],
  ['Northgate Trust Common Shares of Beneficial Interest', 'Northgate Trust'],
  ['Northgate LP Common Units representing Limited Partner Interests', 'Northgate LP'],
  ['Northgate Inc. Subordinate Voting Shares', 'Northgate Inc.'],
  ['Northgate Trust Inc. 9.125% Senior Notes Due 2029', 'Northgate Trust Inc.'],
  [
    'Northgate Corp Depositary Shares each representing a 1/40th interest in a share',
    'Northgate Corp',
  ],
  ['Northgate Acquisition Corp. Warrant', 'Northgate Acquisition Corp.'],
  [
    'Northgate Acquisition Corp. Units, each consisting of one share',
    'Northgate Acquisition Corp.',
  ],
  ['Northgate Inc. - Common Stock', 'Northgate Inc.'],
  ['Northgate Inc. Common  Stock', 'Northgate Inc.'],
  ['Northgate Acquisition Corp Rights.', 'Northgate Acquisition Corp'],
  ['Northgate Inc. Warrant expiring 2031', 'Northgate Inc.'],
])("extracts the issuer's name from %s: %s", (security, issuer) => {
  expect(issuerName(security)).toBe(issuer);
});

test.each([
  'Northgate Inc.',
  'Common Stock',
  'Class Acts Corp.',
  'United Northgate Rights Management Inc.',
  'Northgate Series Funds Inc.',
  'American Northgate Shares Holding',
  'Unit Corporation',
  'Adsense Ltd.',
])('returns the name %s unchanged, because it contains no security description', (name) => {
  expect(issuerName(name)).toBe(name);
});
