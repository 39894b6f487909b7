import { marketCalendar } from '../../domain/market/calendar.ts';
import type { Provider } from '../provider.ts';
import { sandboxAnswers } from './answers.ts';
import { bars } from './bars.ts';
import { calendar } from './calendar.ts';
import { companies } from './companies.ts';
import { dividends } from './dividends.ts';
import { economic } from './economic.ts';
import { offerings } from './offerings.ts';
import { quotes } from './quotes.ts';

/** Enough companies that every trading day has at least five reports. */
const COMPANIES_DEFAULT = 560;

/** A simulated market of that seed and size; markets of other seeds share names, nothing else. */
export function createSandbox(options: { seed?: number; companies?: number } = {}): Provider {
  return {
    name: 'sandbox',
    title: 'Sandbox: a simulated market of fictional companies',
    homepage: '',
    redistribution: 'synthetic',
    terms: 'Invented by this software: no row is of a real company, all may be shown and shared.',
    hosts: [],
    pace: { intervalMsMin: 0, timeoutMs: 0, bodyBytesMax: 0, restMs: 0 },
    settings: [],
    feeds: [companies, calendar, economic, dividends, offerings, quotes, bars],
    answers: sandboxAnswers({
      seed: options.seed ?? 1,
      companies: options.companies ?? COMPANIES_DEFAULT,
      isTradingDay: marketCalendar().isTradingDay,
    }),
  };
}

export const provider: Provider = createSandbox();
