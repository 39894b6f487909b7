import type { Provider } from '../provider.ts';
import { nasdaqListed, otherListed } from './symbol-directory.ts';
import { HOST } from './request.ts';

export const provider: Provider = {
  name: 'nasdaq-trader',
  title: 'Nasdaq Trader symbol directory',
  provides: 'daily directory of all listed securities, ETF flag',
  homepage: 'https://www.nasdaqtrader.com/trader.aspx?id=symboldirdefs',
  redistribution: 'not-granted',
  terms:
    'The files are free to fetch, and the terms of Nasdaq grant no right to redistribute them. For ' +
    'your own use only.',
  termsUrl: 'https://www.nasdaqtrader.com/Trader.aspx?id=CopyDisclaimMain',
  hosts: [HOST],
  limits: {
    intervalMsMin: 5000,
    timeoutMs: 30_000,
    bodyBytesMax: 8 * 1024 * 1024,
    cooldownMs: 60 * 60_000,
  },
  settings: [],
  ranks: { 'profiles.exchange': ['exchange', 10] },
  feeds: [nasdaqListed, otherListed],
};
