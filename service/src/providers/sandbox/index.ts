import { marketCalendar } from '../../domain/market/calendar.ts';
import type { Provider } from '../provider.ts';
import { createResponseGenerator } from './responses.ts';
import { bars } from './bars.ts';
import { calendar } from './calendar.ts';
import { companies } from './companies.ts';
import { dividends } from './dividends.ts';
import { economic } from './economic-events.ts';
import { offerings } from './offerings.ts';
import { quotes } from './quotes.ts';
import { SANDBOX_DEFAULTS, type SandboxOptions, sandboxSettings } from './settings.ts';

/** A simulated market; markets with other seeds or sizes share only the company names. */
export function createSandbox(options: Partial<SandboxOptions> = {}): Provider {
  const { seed, companies: count, years } = { ...SANDBOX_DEFAULTS, ...options };
  return {
    name: 'sandbox',
    title: 'Sandbox: a simulated market of fictional companies',
    homepage: '',
    redistribution: 'synthetic',
    terms: 'Invented by this software: no row is of a real company, all may be shown and shared.',
    hosts: [],
    limits: { intervalMsMin: 0, timeoutMs: 0, bodyBytesMax: 0, cooldownMs: 0 },
    settings: sandboxSettings,
    feeds: [companies, calendar, economic, dividends, offerings, quotes, bars],
    generateResponses: createResponseGenerator({
      seed,
      years,
      companies: count,
      isTradingDay: marketCalendar().isTradingDay,
    }),
  };
}

export const provider: Provider = createSandbox();
