import { type HostReply, jsonReply, scriptedHost, type ScriptedHost } from './scripted-host.ts';

const MINUTE_MS = 60_000;
export const SOURCE_KEY = 'k3yForTestsOnly1';

const CALENDAR: HostReply = {
  status: 200,
  headers: { 'content-type': 'text/csv' },
  body: 'symbol,name,reportDate,fiscalDateEnding,estimate,currency\r\nMERD,Meridian,2026-12-01,2026-10-31,1.25,USD\r\n',
};

/** Finnhub, FMP, Massive and Alpha Vantage on their free plans. */
export function keyedHosts(): ScriptedHost[] {
  const tooMany = jsonReply({ status: 'ERROR', error: 'limit reached' }, 429);
  const unauthorized = jsonReply({ error: 'Invalid API key' }, 401);
  // Alpha Vantage refuses with HTTP 200.
  const dailyLimit = jsonReply({ Information: 'The standard rate limit is 25 requests per day.' });
  const emptyList: HostReply = jsonReply([]);
  const host = (
    names: string[],
    header: string,
    [requests, windowMs]: [number, number],
    serve: HostReply,
  ): ScriptedHost =>
    scriptedHost({
      names,
      limits: [{ name: 'too many', requests, windowMs, refusal: tooMany, blockMs: MINUTE_MS }],
      check: ({ headers }) =>
        (headers.get(header) ?? '').endsWith(SOURCE_KEY)
          ? null
          : { reason: 'no key', refusal: unauthorized },
      serve: () => serve,
    });
  return [
    host(['finnhub.io'], 'x-finnhub-token', [60, MINUTE_MS], jsonReply({ earningsCalendar: [] })),
    host(['financialmodelingprep.com'], 'apikey', [300, MINUTE_MS], emptyList),
    host(
      ['api.massive.com'],
      'authorization',
      [5, MINUTE_MS],
      jsonReply({ status: 'OK', adjusted: false, results: [] }),
    ),
    scriptedHost({
      names: ['www.alphavantage.co'],
      limits: [
        {
          name: 'daily limit',
          requests: 25,
          windowMs: 1440 * MINUTE_MS,
          refusal: dailyLimit,
          blockMs: 0,
        },
        { name: 'too fast', requests: 1, windowMs: 1000, refusal: dailyLimit, blockMs: 0 },
      ],
      check: ({ url }) =>
        url.searchParams.get('apikey') === SOURCE_KEY
          ? null
          : { reason: 'no key', refusal: jsonReply({ 'Error Message': 'the apikey is invalid' }) },
      serve: ({ url }) =>
        url.searchParams.get('function') === 'EARNINGS_CALENDAR' ? CALENDAR : jsonReply({}),
    }),
  ];
}
