import { isApiKey } from '../kit/api-key.ts';
import type { Provider } from '../provider.ts';
import { FRED_HOST, FRED_KEY_SETTING, releaseDates } from './release-dates.ts';

export const provider: Provider = {
  name: 'fred',
  title: 'Release dates of FRED',
  provides: 'days of economic releases, only as a check and never served',
  homepage: 'https://fred.stlouisfed.org/docs/api/fred/releases_dates.html',
  redistribution: 'not-granted',
  terms:
    'A free key is required, and the terms grant no general right to redistribute. The dates are ' +
    'only compared with those of the agencies and never served.',
  termsUrl: 'https://fred.stlouisfed.org/docs/api/terms_of_use.html',
  hosts: [FRED_HOST],
  limits: {
    intervalMsMin: 1000,
    timeoutMs: 30_000,
    bodyBytesMax: 2 * 1024 * 1024,
    cooldownMs: 10 * 60_000,
  },
  settings: [
    {
      name: FRED_KEY_SETTING,
      required: true,
      secret: true,
      describe: 'API key for FRED; sent in the address, which is stored and logged without it.',
      fix: `get a free key at https://fredaccount.stlouisfed.org/apikeys and set ${FRED_KEY_SETTING} to it`,
      accepts: isApiKey,
    },
  ],
  feeds: [releaseDates],
};
