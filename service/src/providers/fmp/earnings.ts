import { onTradingDays } from '../../domain/market/due-times.ts';
import type { Feed } from '../provider.ts';
import { parseEarnings } from './earnings-row.ts';
import { apiRequests, HOST } from './request.ts';

/** Paths in the current and the older API. */
const PATH = /^\/(?:stable\/earnings|api\/v3\/historical\/earning_calendar\/[^/?]+)(\?|$)/;

/** `earnings?symbol=`: past and upcoming reports for one company. */
export const earnings: Feed = {
  name: 'earnings',
  datasets: ['earnings'],
  ranks: { 'earnings.date': ['vendor', 20], 'earnings.figures': ['vendor', 20] },
  schedule: [
    { name: 'evening', times: onTradingDays('21:10'), scope: 'reporters', priority: 'spare' },
  ],
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

/** Returns the symbol in the source's spelling: `HARB-B` for the share class `HARB.B`. */
function sourceSymbol(symbol: string): string {
  return encodeURIComponent(symbol.replaceAll('.', '-'));
}
