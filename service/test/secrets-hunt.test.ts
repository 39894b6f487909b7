import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../src/platform/clock.ts';
import { totpCode, totpStep, fromBase32 } from '../src/accounts/second-factor/totp.ts';
import { openArchive } from '../src/storage/backup/read-archive.ts';
import { openStore } from '../src/storage/open-store.ts';
import {
  runAfterbell,
  startAfterbell,
  type StartedAfterbell,
} from './support/afterbell-process.ts';
import { freePort } from './support/postgres-cluster.ts';

// Creates and uses every kind of secret once in the running program, then searches everything it
// wrote and stored, including the raw bytes in the store.

const PASSWORD = 'nine herons under the pier';
const NEXT_PASSWORD = 'ten herons under the pier';
const folder = mkdtempSync(join(tmpdir(), 'afterbell-secrets-'));
const secrets = new Map<string, string>([
  ['password', PASSWORD],
  ['new password', NEXT_PASSWORD],
]);
/**
 * Bodies and headers from every response, except responses that are meant to reveal a secret once.
 */
const said: string[] = [];
let started: StartedAfterbell | undefined;
/** Metrics after every secret has been used. */
let measured = '';
let metricsPort = 0;
let cookie = '';

beforeAll(async () => {
  metricsPort = await freePort();
  started = await startAfterbell(['--data-dir', folder, '--log-level', 'debug'], {
    METRICS_PORT: String(metricsPort),
    SANDBOX_SYMBOLS: '20',
  });
  await useEverything();
  await started.stop();
});
afterAll(() => {
  started?.child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

test('creates every kind of secret before searching for them', () => {
  expect([...secrets.keys()].sort()).toEqual([
    'authenticator secret',
    'demo key',
    'invitation',
    'key of the command line',
    'key of the dashboard',
    'new password',
    'password',
    'recovery code',
    'session',
    'session before the new password',
    'set-up token',
    'webhook secret',
    'webhook secret to come',
  ]);
  for (const secret of secrets.values()) expect(secret.length).toBeGreaterThan(8);
});

test('never repeats a secret in a later response', () => {
  expect(hits(said.join('\n'))).toEqual([]);
});

test('includes no secret in a metric name', () => {
  expect(measured).toContain('afterbell_');
  expect(hits(measured)).toEqual([]);
});

test('prints no secret except the demo key and the set-up token, which users need to see', () => {
  expect(hits(running().output.stdout)).toEqual([]);
  const logged = running()
    .output.stderr.split('\n')
    .filter((line) => line.startsWith('{'));
  expect(logged.length).toBeGreaterThan(2);
  expect(hits(logged.join('\n'))).toEqual([]);
  const printed = running()
    .output.stderr.split('\n')
    .filter((line) => !line.startsWith('{'));
  expect(hits(printed.join('\n'))).toEqual(['demo key', 'set-up token']);
});

test('stores no secret in clear text in any table', async () => {
  const db = await openStore({ folder: join(folder, 'sandbox') });
  const tables = await db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  );
  expect(tables.length).toBeGreaterThan(30);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.query(`select t::text as line from ${name} t`);
    const text = rows.map(({ line }) => String(line)).join('\n');
    found.push(...hits(text).map((secret) => `${secret} in ${name}`));
  }
  await db.close();
  expect(found).toEqual([]);
});

test('includes no secret in the rows or the manifest of a backup', async () => {
  const file = join(folder, 'hunted.tar');
  const run = await runAfterbell(['backup', '--data-dir', folder, '--to', file]);
  expect(run.code, run.stderr).toBe(0);
  const archive = await openArchive(file);
  const found = hits(JSON.stringify(archive.manifest));
  let parts = 0;
  for await (const { table, lines } of archive.parts()) {
    parts += 1;
    found.push(...hits(lines).map((secret) => `${secret} in ${table}`));
  }
  expect([found, archive.secretsKey]).toEqual([[], null]);
  expect(parts).toBeGreaterThan(20);
  await archive.close();
});

test('writes no secret to a file, except the demo key to its own file', () => {
  const found = filesIn(folder).flatMap((file) =>
    hits(readFileSync(file, 'latin1')).map((secret) => `${secret} in ${file.split('/').at(-1)}`),
  );
  expect(found).toEqual(['demo key in demo-key']);
});

function running(): StartedAfterbell {
  if (started === undefined) throw new Error('the service did not start');
  return started;
}

/** Returns the names of secrets that occur in a text, either verbatim or as hexadecimal bytes. */
function hits(text: string): string[] {
  const found = [...secrets].filter(
    ([, secret]) => text.includes(secret) || text.includes(Buffer.from(secret).toString('hex')),
  );
  return found.map(([name]) => name).sort();
}

function filesIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) return filesIn(inner);
    return entry.isFile() ? [inner] : [];
  });
}

async function useEverything(): Promise<void> {
  const demo = /apikey=(eds_test_\w+)/.exec(running().output.stderr)?.[1] ?? '';
  const setUp = /set-up#([\w-]+)/.exec(running().output.stderr)?.[1] ?? '';
  keep('demo key', demo);
  keep('set-up token', setUp);
  const email = 'first@example.com';
  await call('/account/v1/set-up', { token: setUp, email, password: PASSWORD });
  keep('session before the new password', cookie);
  await call('/account/v1/set-up', { token: setUp, email, password: PASSWORD });
  await call('/account/v1/sign-in', { email, password: `${PASSWORD}!` });

  const begun = await call('/account/v1/second-factor', undefined, { isShown: true });
  const secret = String(begun['secret']);
  keep('authenticator secret', secret);
  const code = totpCode(fromBase32(secret) ?? new Uint8Array(), totpStep(systemClock().now()));
  const confirmed = await call('/account/v1/second-factor/confirm', { code }, { isShown: true });
  keep('recovery code', String((confirmed['recoveryCodes'] as string[])[0]));
  const passwords = { current: PASSWORD, next: NEXT_PASSWORD };
  await call('/account/v1/password', passwords);
  keep('session', cookie);

  const customers = await call('/operator/v1/customers', undefined, { method: 'GET' });
  const [customer] = customers['customers'] as { id: string }[];
  const of = `customerId=${customer?.id ?? ''}`;
  const invited = { email: 'second@example.com', role: 'owner' };
  const link = await call(`/account/v1/invitations?${of}`, invited, { isShown: true });
  keep(
    'invitation',
    String(link['link'])
      .split(/[#?/=]/)
      .at(-1) ?? '',
  );
  const made = await call(
    `/account/v1/keys?${of}`,
    { scopes: ['read', 'manage'] },
    { isShown: true },
  );
  keep('key of the dashboard', String(made['key']));
  const { stdout } = await runAfterbell(['keys', 'create', '--plan', 'free', '--data-dir', folder]);
  keep('key of the command line', stdout.trim());

  const hook = { url: 'https://hooks.example.com/a' };
  const endpoint = await call(`/account/v1/webhooks?${of}`, hook, { isShown: true });
  keep('webhook secret', String(endpoint['secret']));
  const prepare = `/account/v1/webhooks/${String(endpoint['id'])}/secret/prepare`;
  const prepared = await call(`${prepare}?${of}`, undefined, { isShown: true });
  keep('webhook secret to come', String(prepared['secret']));

  for (const key of [demo, String(made['key']), stdout.trim()]) await misplace(key);
  const figures = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  measured = await figures.text();
}

/** Sends a key in every valid place, and in every place where people put keys by mistake. */
async function misplace(key: string): Promise<void> {
  const day = '/v1/calendar/earnings?date=today';
  for (const path of [
    `${day}&apikey=${key}`,
    `/v1/profile/${key}?apikey=${key}`,
    `/v1/calendar/earnings?date=${key}&apikey=${key}`,
    `/v1/market-holidays?limit=1&cursor=${key}&apikey=${key}`,
    `/v1/${key}?apikey=${key}`,
    `${day}&%61pikey=${key}`,
    `${day}&${key}=1&apikey=${key}`,
    `/account/v1/keys?apikey=${key}`,
    `/${key}`,
  ]) {
    said.push(await textOf(path, {}));
  }
  const headers = [
    { 'X-Api-Key': key },
    { Authorization: `Bearer ${key}` },
    { Cookie: `${cookieName()}=${key}` },
  ];
  for (const header of headers) said.push(await textOf('/account/v1/usage', header));
}

async function textOf(path: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(running().url + path, { headers, redirect: 'manual' });
  return `${JSON.stringify([...response.headers])}\n${await response.text()}`;
}

function cookieName(): string {
  return `afterbell-session-${new URL(running().url).port}`;
}

function keep(name: string, secret: string): void {
  secrets.set(name, secret);
}

async function call(
  path: string,
  body: object | undefined,
  options: { method?: string; isShown?: boolean } = {},
): Promise<Record<string, unknown>> {
  const { method = 'POST', isShown = false } = options;
  const response = await fetch(running().url + path, {
    method,
    headers: {
      origin: running().url,
      ...(cookie === '' ? {} : { cookie: `${cookieName()}=${cookie}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const set = /afterbell-session-\d+=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1];
  if (set !== undefined) cookie = set;
  // Only the cookie itself may contain a session.
  const headers = [...response.headers].filter(([name]) => name !== 'set-cookie');
  said.push(isShown ? JSON.stringify(headers) : `${JSON.stringify(headers)}\n${text}`);
  return text === '' || !text.startsWith('{') ? {} : (JSON.parse(text) as Record<string, unknown>);
}
