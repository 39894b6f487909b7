import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Target } from './attacks.ts';

const BINARY = fileURLToPath(new URL('../../../bin/afterbell.js', import.meta.url));
const PASSWORD = 'a heron waits in the reeds';

/** A running sandbox with an attacking customer and a bystander. */
export interface FairnessWorld {
  url: string;
  target: Target;
  bystander: Record<'key' | 'session', Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts the real binary on an embedded store, or on an empty database. */
export async function startFairnessWorld(databaseUrl: string | null): Promise<FairnessWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'afterbell-fairness-'));
  const env = {
    PATH: process.env['PATH'],
    HOME: tmpdir(),
    PORT: '0',
    DATA_DIR: folder,
    TRUST_PROXY: '127.0.0.1',
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  };
  const child = spawn(process.execPath, [BINARY, 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { url, token } = await started(child);
  const operator = await signUp(url, '/account/v1/set-up', { token, email: 'op@example.com' });
  const call = (method: string, path: string, body: object) =>
    send(url, { method, path, body, headers: operator });
  // Without limits, so that only the queue protects others.
  await call('PUT', '/operator/v1/plans/open', { ...UNLIMITED, computeMsPerMinute: null });
  const addCustomer = async (name: string, people: number) => {
    const { id } = await call('POST', '/operator/v1/customers', { name, plan: 'open' });
    const customerId = String(id);
    const invite = async (email: string): Promise<string> => {
      const path = `/account/v1/invitations?customerId=${customerId}`;
      const { link } = await call('POST', path, { email, role: 'owner' });
      return String(link).split('#')[1] ?? '';
    };
    const { key } = await call('POST', `/account/v1/keys?customerId=${customerId}`, {
      scopes: ['read'],
    });
    const sessions: Record<string, string>[] = [];
    for (let person = 0; person < people; person += 1) {
      const token = await invite(`owner${person}@${name}.example.com`);
      sessions.push(await signUp(url, '/account/v1/invitation/accept', { token }));
    }
    return { key: String(key), sessions, invite };
  };
  const attacker = await addCustomer('attacker', 8);
  const bystander = await addCustomer('bystander', 1);
  const invitation = await attacker.invite('next@attacker.example.com');
  return {
    url,
    target: { url, key: attacker.key, sessions: attacker.sessions, invitation },
    bystander: { key: { 'X-Api-Key': bystander.key }, session: bystander.sessions[0] ?? {} },
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const UNLIMITED = { perMinute: 100_000, perDay: null, perMonth: null, historyMonths: null };

/** Waits for the setup link, which the service prints on stderr, for its URL, and for its market. */
async function started({ stdout, stderr }: ChildProcess): Promise<{ url: string; token: string }> {
  const [[token = ''], [url = '']] = await Promise.all([
    firstMatches(stderr, [/set-up#(\S+)/, /(sandbox\.loaded)/]),
    firstMatches(stdout, [/^ready (\S+)/]),
  ]);
  return { url, token };
}

/** Returns the first match of each pattern in a stream, and keeps reading, so that it never fills. */
function firstMatches(stream: Readable | null, patterns: readonly RegExp[]): Promise<string[]> {
  if (stream === null) throw new Error('the child process has no output');
  const matches = patterns.map((): string | undefined => undefined);
  return new Promise((resolve, reject) => {
    createInterface({ input: stream })
      .on('line', (line) => {
        for (const [i, pattern] of patterns.entries()) matches[i] ??= pattern.exec(line)?.[1];
        const found = matches.filter((match) => match !== undefined);
        if (found.length === patterns.length) resolve(found);
      })
      .once('close', () => reject(new Error('the service ended')));
  });
}

/** Creates a person with a link, and returns the headers of their browser. */
async function signUp(url: string, path: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: url },
    body: JSON.stringify({ ...body, password: PASSWORD }),
  });
  const cookie = response.headers.getSetCookie()[0]?.split(';', 1)[0];
  if (cookie === undefined) throw new Error(`${path} ${response.status} ${await response.text()}`);
  return { Cookie: cookie, Origin: url };
}

async function send(
  url: string,
  request: { method: string; path: string; body: object; headers: Record<string, string> },
): Promise<Record<string, unknown>> {
  const { method, path, body, headers } = request;
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
