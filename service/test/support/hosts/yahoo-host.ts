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
 * cookie, and a crumb for the cookie; pages about companies need both. The crumb expires. A visitor
 * in Europe gets a cookie that is good for a crumb only after submitting a form.
 */
export function yahooHost(
  options: { crumbUsesMax?: number; isInEurope?: boolean } = {},
): ScriptedHost {
  const { crumbUsesMax = Number.POSITIVE_INFINITY, isInEurope = false } = options;
  /** Sessions whose visitor has consented. */
  const consents = new Set<string>();
  const cookies = new Set<string>();
  /** The cookie and the remaining uses of each crumb. */
  const crumbs = new Map<string, { cookie: string; uses: number }>();

  function serve(request: HostRequest): HostReply {
    const { url, headers } = request;
    const cookie = headers.get('cookie') ?? '';
    if (/^(?:guce|consent)\./.test(url.host)) return consentPage(request, cookies, consents);
    if (url.host === 'fc.yahoo.com') {
      if (isInEurope) return { status: 404, headers: { 'set-cookie': 'EuConsent=none' }, body: '' };
      const issued = `A3=visitor${cookies.size + 1}`;
      cookies.add(issued);
      return { status: 404, headers: { 'set-cookie': `${issued}; Path=/; Secure` }, body: '' };
    }
    if (url.pathname === '/v1/test/getcrumb') {
      if (!cookie.split('; ').some((one) => cookies.has(one)))
        return jsonReply({ error: 'Unauthorized' }, 401);
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
    names: [
      'guce.yahoo.com',
      'consent.yahoo.com',
      'fc.yahoo.com',
      'query1.finance.yahoo.com',
      'query2.finance.yahoo.com',
    ],
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

/** The steps of consent: a session, its form, the submission, and the cookie for all hosts. */
function consentPage(
  { url, method, headers, body }: HostRequest,
  cookies: Set<string>,
  consents: Set<string>,
): HostReply {
  const redirect = (location: string, cookie: string): HostReply => ({
    status: 302,
    headers: { location, 'set-cookie': `${cookie}; Domain=.yahoo.com; Path=/` },
    body: '',
  });
  const session = url.searchParams.get('sessionId') ?? '';
  if (url.pathname === '/consent') {
    return redirect('https://consent.yahoo.com/v2/collectConsent?sessionId=s1', 'GUCS=s1');
  }
  if (!(headers.get('cookie') ?? '').includes(`GUCS=${session}`)) return jsonReply({}, 400);
  if (url.pathname === '/copyConsent' && consents.has(session)) {
    cookies.add('A3=european');
    return redirect('https://finance.yahoo.com/', 'A3=european');
  }
  if (method === 'GET') return pageReply(200, CONSENT_FORM);
  const isAgreed = body === 'csrfToken=t%3D1&sessionId=s1&namespace=yahoo&agree=agree&agree=agree';
  if (!isAgreed) return jsonReply({}, 400);
  consents.add(session);
  return redirect(`https://guce.yahoo.com/copyConsent?sessionId=${session}`, 'CFC=x');
}

const CONSENT_FORM = `<form method="post"><input type="hidden" name="csrfToken" value="t=1">
<input value="s1" name="sessionId" type="hidden"/><input type="hidden" name="namespace" value="yahoo">
<button name="agree" value="agree">Accept all</button><input type="text" name="other"></form>`;
