import { provider as agencies } from '../../../src/providers/us-agencies/index.ts';
import {
  type HostReply,
  type HostRequest,
  jsonReply,
  pageReply,
  scriptedHost,
  type ScriptedHost,
} from './scripted-host.ts';

const MINUTE_MS = 60_000;
const EMAIL = /[^\s@(]+@[^\s@]+\.[^\s@)]+/;
const CALENDAR = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n';

/**
 * The agencies. BLS refuses browser user agents and
 * any user agent without an e-mail address. Its API allows 25 requests a day and answers further
 * ones with an error in a response with status 200.
 */
export function agencyHosts(): ScriptedHost[] {
  const denied = pageReply(403, '<html>Access Denied</html>');
  const limitReached = jsonReply({
    status: 'REQUEST_NOT_PROCESSED',
    message: ['Request could not be serviced, as the daily threshold has been reached.'],
    Results: {},
  });
  const day = { requests: 25, windowMs: 1440 * MINUTE_MS, refusal: limitReached, blockMs: 0 };
  const check = ({ headers }: HostRequest) => {
    const agent = headers.get('user-agent') ?? '';
    const isHonest = EMAIL.test(agent) && !agent.startsWith('Mozilla');
    return isHonest ? null : { reason: 'no contact', refusal: denied };
  };
  const serve = ({ url, body }: HostRequest): HostReply => {
    if (url.pathname.endsWith('.ics')) {
      return { status: 200, headers: { 'content-type': 'text/calendar' }, body: CALENDAR };
    }
    if (url.pathname.endsWith('/timeseries/data/')) return jsonReply(seriesBody(body));
    return url.host.startsWith('api.') ? jsonReply({ data: [] }) : pageReply(404, 'not found');
  };
  const others = agencies.hosts.filter((name) => name !== 'api.bls.gov');
  return [
    scriptedHost({
      names: ['api.bls.gov'],
      limits: [{ name: 'daily limit', ...day }],
      check,
      serve,
    }),
    scriptedHost({ names: others, limits: [], check, serve }),
  ];
}

/** Returns the values of the requested series, the newest of October or the third quarter of 2026. */
function seriesBody(request: string): object {
  const ids = request.matchAll(/"([A-Z0-9]+)"/g);
  const series = Array.from(ids, ([, seriesID = '']) => {
    const periods = seriesID.startsWith('CI') ? ['Q03', 'Q02'] : ['M10', 'M09'];
    const data = periods.map((period) => {
      return { year: '2026', period, value: '100.5', footnotes: [{}] };
    });
    return { seriesID, data };
  });
  return { status: 'REQUEST_SUCCEEDED', Results: { series } };
}
