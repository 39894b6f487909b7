import type { Feed } from '../provider.ts';
import { parseEarnings } from './earnings-row.ts';
import { apiRequests, HOST } from './request.ts';

/** Of the present API and of the one before it. */
const PATH = /^\/(?:stable\/earnings|api\/v3\/historical\/earning_calendar\/[^/?]+)(\?|$)/;

/** `earnings?symbol=`: past and coming reports of one company. */
export const earnings: Feed = {
  name: 'earnings',
  datasets: ['earnings'],
  claims: (response) => response.host === HOST && PATH.test(response.path),
  parse: parseEarnings,
  plan: (context) =>
    apiRequests(
      context,
      (context.symbolsAwaitingResult ?? []).map(
        (symbol) => `earnings?symbol=${sourceSymbol(symbol)}`,
      ),
    ),
};

/** As the source writes it: `HARB-B` for the class share `HARB.B`. */
function sourceSymbol(symbol: string): string {
  return encodeURIComponent(symbol.replaceAll('.', '-'));
}
