import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Handler,
  respond,
  type ScriptedSource,
  startScriptedSource,
  textOf,
} from '../../test/support/scripted-source.ts';
import type { FetchResult, SourceClient } from '../platform/source-client.ts';
import type { SessionTokenConfig, Provider } from '../providers/provider.ts';
import { redactingClient } from './redacting-client.ts';

let world: ScriptedSource;
let requests: { path: string; cookie: string }[];

beforeEach(async () => {
  world = await startScriptedSource();
  requests = [];
});

afterEach(() => world.close());

/** Serves a source that issues `crumb-1`, `crumb-2` … and accepts only the newest token. */
function serve(options: { expired?: number; body?: (url: string) => string } = {}): void {
  let crumbs = 0;
  let expired = options.expired ?? 0;
  const handler: Handler = (response, request) => {
    const path = request.url ?? '';
    requests.push({ path, cookie: request.headers.cookie ?? '' });
    if (path === '/cookie') {
      respond(404, 'no such page', { 'set-cookie': `A3=guest${crumbs + 1}; Path=/; Secure` })(
        response,
        request,
      );
    } else if (path === '/token') respond(200, `crumb-${++crumbs}`)(response, request);
    else if (expired > 0 && path.includes('crumb=')) {
      expired--;
      respond(401, '{"error":"Invalid Crumb"}')(response, request);
    } else respond(200, options.body?.(path) ?? '{"ok":true}')(response, request);
  };
  world.fallback = handler;
}

function clientFor(change: Partial<Provider>, key?: string): SourceClient {
  const provider: Provider = {
    name: 'script',
    title: '',
    provides: '',
    homepage: '',
    redistribution: 'not-granted',
    terms: '',
    hosts: [world.origin],
    limits: {
      intervalMsMin: 0,
      timeoutMs: 1e3,
      bodyBytesMax: 1e3,
      cooldownMs: 1e3,
    },
    settings: [
      {
        name: 'SCRIPT_KEY',
        required: true,
        secret: true,
        describe: '',
        fix: '',
      },
      {
        name: 'SCRIPT_CONTACT',
        required: true,
        secret: false,
        describe: '',
        fix: '',
      },
    ],
    feeds: [],
    ...change,
  };
  const client = { source: () => world.source, close: () => Promise.resolve() };
  const setting = (name: string) => (name === 'SCRIPT_KEY' ? key : 'someone');
  const deps = { clock: world.clock, providers: [provider], setting };
  return redactingClient(client, deps).source(provider);
}

function tokenConfig(): SessionTokenConfig {
  return {
    cookieUrl: `${world.origin}/cookie`,
    tokenUrl: `${world.origin}/token`,
    headers: { 'user-agent': 'test' },
    parameter: 'crumb',
    isNeeded: (url) => url.pathname.startsWith('/guarded'),
    isExpired: ({ status, text }) => status === 401 && text.includes('Crumb'),
  };
}

async function fetchPath(source: SourceClient, path: string): Promise<FetchResult> {
  return world.settle(source.fetch({ url: world.origin + path, headers: {} }));
}

test('fetches the session token once, sends it where needed, and hides it in responses', async () => {
  serve({ body: (path) => `body of ${path}` });
  const source = clientFor({ sessionToken: tokenConfig() });
  const first = await fetchPath(source, '/guarded/a?x=1');
  await fetchPath(source, '/guarded/b');
  expect(requests).toEqual([
    { path: '/cookie', cookie: '' },
    { path: '/token', cookie: 'A3=guest1' },
    { path: '/guarded/a?x=1&crumb=crumb-1', cookie: 'A3=guest1' },
    { path: '/guarded/b?crumb=crumb-1', cookie: 'A3=guest1' },
  ]);
  expect(first).toMatchObject({
    response: {
      url: `${world.origin}/guarded/a?x=1`,
      text: 'body of /guarded/a?x=1&crumb=REDACTED',
    },
  });
  expect(JSON.stringify(first)).not.toMatch(/crumb-1|guest/);
});

test('sends no session token to URLs that do not need it', async () => {
  serve();
  await fetchPath(clientFor({ sessionToken: tokenConfig() }), '/open');
  expect(requests).toEqual([{ path: '/open', cookie: '' }]);
});

test('renews an expired session token once and returns a second 401 to the caller', async () => {
  serve({ expired: 1 });
  const renewed = await fetchPath(clientFor({ sessionToken: tokenConfig() }), '/guarded');
  expect(textOf(renewed)).toBe('{"ok":true}');
  expect(requests.map(({ path }) => path)).toContain('/guarded?crumb=crumb-2');
  serve({ expired: 2 });
  const rejected = await fetchPath(clientFor({ sessionToken: tokenConfig() }), '/guarded');
  expect(rejected).toMatchObject({ response: { status: 401 } });
});

test.each([
  ['no cookie', respond(200, 'welcome'), respond(200, 'crumb-1')],
  [
    'a page in place of a token',
    respond(200, '', { 'set-cookie': 'A3=x' }),
    respond(200, '<html>consent</html>'),
  ],
])('treats a source as blocked for a while if the token request gets %s', async (...row) => {
  const [, cookieReply, tokenReply] = row;
  world.fallback = (response, request) => {
    requests.push({ path: request.url ?? '', cookie: '' });
    (request.url === '/cookie' ? cookieReply : tokenReply)(response, request);
  };
  const source = clientFor({ sessionToken: tokenConfig() });
  expect(await fetchPath(source, '/guarded')).toMatchObject({
    kind: 'unavailable',
    reason: 'blocked',
  });
  const before = requests.length;
  expect(await fetchPath(source, '/guarded')).toMatchObject({
    kind: 'unavailable',
    reason: 'blocked',
  });
  expect(requests).toHaveLength(before);
  // The cooldown includes the pause, so that requests are not retried every second.
  const retryAt = world.clock.now() + 15 * 60_000;
  expect(source.cooldown()).toEqual({ reason: 'blocked', retryAt });
  const trueNow = world.clock.now;
  world.clock.now = () => trueNow() - 26 * 3_600_000;
  await world.clock.advance(15 * 60_000);
  expect(source.cooldown()).toBeNull();
  await fetchPath(source, '/guarded');
  expect(requests.length).toBeGreaterThan(before);
});

test('redacts an API key in the URL and in the body of a response', async () => {
  const key = 'S3CRET/KEY';
  serve({ body: () => `We have detected your API key as ${key} and our limit is 25 a day` });
  const source = clientFor({}, key);
  const result = await fetchPath(source, `/query?apikey=${encodeURIComponent(key)}`);
  expect(result).toMatchObject({
    response: {
      url: `${world.origin}/query?apikey=REDACTED`,
      text: 'We have detected your API key as REDACTED and our limit is 25 a day',
    },
  });
});
