import {
  type HostReply,
  type HostRequest,
  jsonReply,
  pageReply,
  scriptedHost,
  type ScriptedHost,
} from './scripted-host.ts';

const HOUR_MS = 3_600_000;
const TOO_MANY: HostReply = { status: 429, body: 'Too Many Requests' };

/**
 * Yahoo's hosts: refuse programs, and browsers whose TLS handshake is another's. A visitor gets a
 * cookie, and a crumb for the cookie; pages about companies need both. The crumb expires.
 */
export function yahooHost(options: { crumbUsesMax?: number } = {}): ScriptedHost {
  const { crumbUsesMax = Number.POSITIVE_INFINITY } = options;
  const cookies = new Set<string>();
  /** The cookie and the remaining uses of each crumb. */
  const crumbs = new Map<string, { cookie: string; uses: number }>();

  function serve(request: HostRequest): HostReply {
    const { url, headers } = request;
    const cookie = headers.get('cookie') ?? '';
    if (url.host === 'fc.yahoo.com') {
      const issued = `A3=visitor${cookies.size + 1}`;
      cookies.add(issued);
      return { status: 404, headers: { 'set-cookie': `${issued}; Path=/; Secure` }, body: '' };
    }
    if (url.pathname === '/v1/test/getcrumb') {
      if (!cookies.has(cookie)) return jsonReply({ error: 'Unauthorized' }, 401);
      const crumb = `crumb${crumbs.size + 1}`;
      crumbs.set(crumb, { cookie, uses: 0 });
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: crumb };
    }
    if (url.pathname.startsWith('/v8/finance/chart/')) return notFound('chart');
    const crumb = crumbs.get(url.searchParams.get('crumb') ?? '');
    if (crumb === undefined || crumb.cookie !== cookie || crumb.uses >= crumbUsesMax) {
      return jsonReply({ finance: { result: null, error: { description: 'Invalid Crumb' } } }, 401);
    }
    crumb.uses++;
    return notFound('quoteSummary');
  }

  return scriptedHost({
    names: ['fc.yahoo.com', 'query1.finance.yahoo.com', 'query2.finance.yahoo.com'],
    limits: [
      { name: 'too many', requests: 360, windowMs: HOUR_MS, refusal: TOO_MANY, blockMs: HOUR_MS },
      { name: 'too fast', requests: 1, windowMs: 1000, refusal: TOO_MANY, blockMs: 0 },
    ],
    check({ headers }) {
      const agent = headers.get('user-agent') ?? '';
      if (!agent.startsWith('Mozilla/5.0 ')) return { reason: 'a program', refusal: TOO_MANY };
      if (/Chrome|Firefox|Safari/.test(agent)) {
        return { reason: 'not that browser', refusal: pageReply(429, 'Too Many Requests') };
      }
      return null;
    },
    serve,
  });
}

function notFound(name: string): HostReply {
  const error = { code: 'Not Found', description: 'No fundamentals data found' };
  return jsonReply({ [name]: { result: null, error } }, 404);
}
