import { expect, test } from 'vitest';
import { provider } from './index.ts';
import { listedSymbol, sessionToken } from './request.ts';

test.each([
  ['v10/finance/quoteSummary/MERD?modules=price', true],
  ['v7/finance/quote?symbols=MERD', true],
  ['v8/finance/chart/MERD?interval=1d', false],
  ['v1/test/getcrumb', false],
])('determines for the path %s whether it needs a session token: %s', (path, expected) => {
  expect(sessionToken.isNeeded(new URL(`https://query2.finance.yahoo.com/${path}`))).toBe(expected);
});

test('treats a session token as expired only if the crumb is rejected', () => {
  const rejectedCrumb = '{"finance":{"result":null,"error":{"description":"Invalid Crumb"}}}';
  expect(sessionToken.isExpired({ status: 401, text: rejectedCrumb })).toBe(true);
  expect(sessionToken.isExpired({ status: 401, text: '{"error":"no such plan"}' })).toBe(false);
  expect(sessionToken.isExpired({ status: 200, text: rejectedCrumb })).toBe(false);
});

test('requests the cookie and crumb only from the source’s own hosts', () => {
  const hosts = [sessionToken.cookieUrl, sessionToken.tokenUrl].map((url) => new URL(url).hostname);
  expect(hosts.filter((host) => !provider.hosts.includes(host))).toEqual([]);
});

test.each([
  ['HARB-B', 'HARB.B'],
  ['QUAY-PA', 'QUAY.PR.A'],
  ['ABCD.L', null],
  ['FJRD.OL', null],
  [null, null],
])('reads the Yahoo symbol %j as %j, since a dot precedes a foreign exchange', (text, expected) => {
  expect(listedSymbol(text)).toBe(expected);
});
