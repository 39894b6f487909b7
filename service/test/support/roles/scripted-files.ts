import { createSourceResponse } from '../../../src/providers/source-response.ts';
import { provider as files } from '../../../src/providers/files/index.ts';
import type { SourceResponse, Provider } from '../../../src/providers/provider.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import type { Instant } from '../../../src/platform/instant.ts';
import type { Random } from '../../../src/platform/random.ts';

export const ROLE_SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'];
/** Report date, late enough that no consensus is frozen during the test. */
const REPORT_DATE = '2027-01-20';
const CHANGES_PER_POLL = 20;
/** Counts are milliseconds since this instant, so counts from a restarted process are higher. */
export const COUNT_FROM = Date.parse('2026-11-01T00:00:00Z');

/** Returns a store's initial data: the companies, each with an upcoming report. */
export function firstFiles(at: Instant): SourceResponse[] {
  const rows = ROLE_SYMBOLS.map((symbol) => `${symbol},${symbol} Works Inc`).join('\n');
  return [
    fileResponse('securities.csv', `symbol,name\n${rows}\n`, at),
    ...ROLE_SYMBOLS.map((symbol) => earningsFile(symbol, 1, at)),
  ];
}

/**
 * Returns a source that changes twenty estimates per poll, each to a higher count. Calls `onStored`
 * after each acknowledged change.
 */
export function scriptedFiles(
  clock: Clock,
  random: Random,
  onStored: (symbol: string, count: number) => void,
): Provider {
  function* responses(): Generator<SourceResponse> {
    for (let n = 0; n < CHANGES_PER_POLL; n += 1) {
      const symbol = ROLE_SYMBOLS[random.int(ROLE_SYMBOLS.length)] ?? '';
      const at = clock.now();
      yield earningsFile(symbol, at - COUNT_FROM, at);
      // The consumer requests the next response only after it has stored this one.
      onStored(symbol, at - COUNT_FROM);
    }
  }
  return { ...files, generateResponses: responses };
}

export function earningsFile(symbol: string, count: number, at: Instant): SourceResponse {
  const header = 'symbol,date,time,fiscalPeriodEnd,epsEstimate,revenueEstimate,currency';
  const row = `${symbol},${REPORT_DATE},time-after-hours,2026-12,1.15,${count},USD`;
  return fileResponse('earnings.csv', `${header}\n${row}\n`, at);
}

function fileResponse(file: string, text: string, observedAt: Instant): SourceResponse {
  const url = `file:///import/${file}`;
  return createSourceResponse({ url, status: 200, contentType: 'text/csv', observedAt, text });
}
