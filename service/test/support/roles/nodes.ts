import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { claimMarker } from '../../../src/storage/marker.ts';
import type { Db } from '../../../src/storage/db.ts';
import { type AfterbellProcess, runAfterbell, spawnAfterbell } from '../afterbell-process.ts';

/** The key of the tests' secret box, as the setting takes it. */
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

/** What all roles of one store are told. */
export interface RoleEnv {
  url: string;
  folder: string;
  /** Where webhooks may go on the loopback. */
  receivers?: number;
  drainSeconds?: number;
}

/** A role of the real binary, up to its `ready` line; it ends with the test at the latest. */
export async function startRole(
  role: 'serve' | 'work',
  env: RoleEnv,
  port = 0,
): Promise<AfterbellProcess> {
  const args = role === 'serve' ? [role, '--port', String(port)] : [role];
  const started = spawnAfterbell([...args, '--log-level', 'warn'], settingsOf(env));
  onTestFinished(() => void started.child.kill('SIGKILL'));
  await started.line(/^ready /);
  return started;
}

function settingsOf({ url, folder, receivers, drainSeconds = 1 }: RoleEnv): Record<string, string> {
  return {
    DATABASE_URL: url,
    DATA_DIR: folder,
    SECRETS_KEY,
    SOURCES: 'files',
    DRAIN_SECONDS: String(drainSeconds),
    ...(receivers === undefined ? {} : { WEBHOOK_DEV_ALLOW: `127.0.0.1:${receivers}` }),
  };
}

/** A store of real data, and a plan of that name with a customer's key on it. */
export async function makeKey(
  db: Db,
  env: RoleEnv,
  plan: { name: string; perMinute: number; perDay: number | null },
): Promise<string> {
  await claimMarker(db, 'kind', 'live');
  await db.query(
    `insert into plan (name, per_minute, per_day) values ($1, $2, $3) on conflict do nothing`,
    [plan.name, plan.perMinute, plan.perDay],
  );
  const customer = `Reader ${createHash('sha256').update(plan.name).digest('hex').slice(0, 6)}`;
  const args = ['keys', 'create', '--plan', plan.name, '--customer', customer];
  const made = await runAfterbell(args, settingsOf(env));
  if (made.code !== 0) throw new Error(`no key: ${made.stderr}`);
  return made.stdout.trim();
}
