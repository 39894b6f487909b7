import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { newYorkDate } from '../../../src/domain/new-york.ts';
import { addDays, type LocalDate } from '../../../src/domain/local-date.ts';

/** The service with the credentials of the attacker. */
export interface Target {
  url: string;
  key: string;
  /** Headers of each signed-in owner of the attacking customer. */
  sessions: Record<string, string>[];
  /** Token of an open invitation. */
  invitation: string;
}

interface Attack {
  /** Number of requests in parallel. */
  loops: number;
  send(target: Target): Promise<void>;
}

/**
 * The most expensive requests known. Ranges and limits vary, so that no cache has the response.
 */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  byKey: { loops: 32, send: (target) => read(target, expensive()) },
  bySession: { loops: 32, send: (target) => explore(target, expensive()) },
  signIns: {
    loops: 100,
    send: (target) => post(target, 'sign-in', { email: `${randomText()}@example.com` }),
  },
  invitations: {
    loops: 28,
    send: (target) => post(target, 'invitation/accept', { token: target.invitation }),
  },
};

/** Returns one of the expensive queries, as an endpoint and its parameters. */
function expensive(): string {
  const kind = random(4);
  if (kind === 0) return calendar('provenance');
  if (kind === 1) return calendar('alternatives');
  if (kind === 2) return `${calendar('provenance,alternatives')}&format=csv`;
  return `market-calendar?from=${day(3_500 + random(90))}&to=${day(-random(90))}&format=csv`;
}

function calendar(include: string): string {
  const last = random(60) - 30;
  const from = day(last + 81 + random(10));
  return `calendar/earnings?from=${from}&to=${day(last)}&limit=${900 + random(100)}&include=${include}`;
}

function read({ url, key }: Target, query: string): Promise<void> {
  return send(`${url}/v1/${query}`, { headers: { 'X-Api-Key': key } });
}

function explore({ url, sessions }: Target, text: string): Promise<void> {
  const [endpoint = '', query = ''] = text.split('?');
  const path = `${endpoint.replace('/', '-')}?query=${encodeURIComponent(query)}`;
  const headers = sessions[random(sessions.length)] ?? {};
  return send(`${url}/account/v1/explore/${path}`, { headers });
}

/** Sends a password from one of 1,000 networks. */
function post({ url }: Target, path: string, body: object): Promise<void> {
  const headers = {
    'Content-Type': 'application/json',
    Origin: url,
    'X-Forwarded-For': `2001:db8:${random(1_000).toString(16)}::1`,
  };
  const text = JSON.stringify({ ...body, password: SLOW_PASSWORD });
  return send(`${url}/account/v1/${path}`, { method: 'POST', headers, body: text });
}

async function send(url: string, init: RequestInit): Promise<void> {
  const response = await fetch(url, init);
  await response.arrayBuffer();
  statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  // A refused request is repeated, but not in a busy loop.
  if (!response.ok) await sleep(5);
}

/** Rejected because it is weak, which takes much time to find out. */
const SLOW_PASSWORD = 'password1234567890qwertyuiop'.repeat(2);

const statuses = new Map<number, number>();

function day(daysAgo: number): LocalDate {
  return addDays(newYorkDate(Date.now()), -daysAgo);
}

function random(limit: number): number {
  return Math.floor(Math.random() * limit);
}

function randomText(): string {
  return Math.random().toString(36).slice(2);
}

/** Runs one attack until the parent disconnects, then reports the number of responses by status. */
function attack(name: string, target: Target): void {
  setPriority(10);
  const { loops, send: request } = ATTACKS[name] ?? { loops: 0, send: () => Promise.resolve() };
  for (let loop = 0; loop < loops; loop += 1) {
    void (async () => {
      for (;;) await request(target).catch(() => sleep(5));
    })();
  }
  process.once('message', () => {
    process.send?.(Object.fromEntries(statuses), () => process.exit());
  });
}

if (process.argv[2] !== undefined && process.argv[3] !== undefined) {
  attack(process.argv[2], JSON.parse(process.argv[3]) as Target);
}
