import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BINARY = fileURLToPath(new URL('../../../bin/afterbell.js', import.meta.url));
const PASSWORD = 'a heron waits in the reeds';

/** A running sandbox with an attacking customer and a bystander. */
export interface FairnessWorld {
  url: string;
  attackerKey: string;
  /** Headers of the signed-in owner of the attacking customer. */
  attackerSession: Record<string, string>;
  bystanderKey: string;
  /** Token of an open invitation for an address that has an account. */
  invitation: string;
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
  const keys: string[] = [];
  const customers: string[] = [];
  for (const name of ['Attacker', 'Bystander']) {
    const { id } = await call('POST', '/operator/v1/customers', { name, plan: 'open' });
    const { key } = await call('POST', `/account/v1/keys?customerId=${String(id)}`, {
      scopes: ['read'],
    });
    customers.push(String(id));
    keys.push(String(key));
  }
  const invite = async (email: string) => {
    const path = `/account/v1/invitations?customerId=${customers[0] ?? ''}`;
    return String((await call('POST', path, { email, role: 'owner' }))['token']);
  };
  const ownerToken = await invite('owner@example.com');
  const attackerSession = await signUp(url, '/account/v1/invitation/accept', { token: ownerToken });
  return {
    url,
    attackerKey: keys[0] ?? '',
    attackerSession,
    bystanderKey: keys[1] ?? '',
    invitation: await invite('op@example.com'),
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const UNLIMITED = { perMinute: 100_000, perDay: null, perMonth: null, historyMonths: null };

/** Waits for the setup link, which the service prints on stderr, and for its URL on stdout. */
async function started({ stdout, stderr }: ChildProcess): Promise<{ url: string; token: string }> {
  const [token, url] = await Promise.all([
    firstMatch(stderr, /set-up#(\S+)/),
    firstMatch(stdout, /^ready (\S+)/),
  ]);
  return { url, token };
}

/** Returns the first match in the lines of a stream, and keeps reading, so that it never fills. */
function firstMatch(stream: Readable | null, pattern: RegExp): Promise<string> {
  if (stream === null) throw new Error('the child process has no output');
  return new Promise((resolve, reject) => {
    createInterface({ input: stream })
      .on('line', (line) => {
        const match = pattern.exec(line)?.[1];
        if (match !== undefined) resolve(match);
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
