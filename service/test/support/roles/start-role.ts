import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { claimMarker } from '../../../src/storage/marker.ts';
import type { Db } from '../../../src/storage/db.ts';
import { type AfterbellProcess, runAfterbell, spawnAfterbell } from '../afterbell-process.ts';

/** The tests' encryption key, as the setting SECRETS_KEY. */
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

/** Settings for all roles that share a store. */
export interface RoleEnv {
  url: string;
  folder: string;
  /** Port of the webhook receivers on the loopback interface. */
  receivers?: number;
  drainSeconds?: number;
  /** Processes of `serve`. Default: 1. */
  processes?: number;
  metricsPort?: number;
}

/**
 * Starts one role of the real binary and waits for its `ready` line. The process is killed when the
 * test finishes.
 */
export async function startRole(
  role: 'serve' | 'work',
  env: RoleEnv,
  port = 0,
): Promise<AfterbellProcess> {
  const args = role === 'serve' ? [role, '--port', String(port)] : [role];
  const instance = spawnAfterbell([...args, '--log-level', 'warn'], settingsOf(env));
  onTestFinished(() => void instance.child.kill('SIGKILL'));
  await instance.line(/^ready /);
  return instance;
}

export function settingsOf({ url, folder, receivers, ...env }: RoleEnv): Record<string, string> {
  const { drainSeconds = 1, processes = 1, metricsPort } = env;
  return {
    SERVE_PROCESSES: String(processes),
    ...(metricsPort === undefined ? {} : { METRICS_PORT: String(metricsPort) }),
    DATABASE_URL: url,
    DATA_DIR: folder,
    SECRETS_KEY,
    SOURCES: 'files',
    DRAIN_SECONDS: String(drainSeconds),
    ...(receivers === undefined ? {} : { WEBHOOK_DEV_ALLOW: `127.0.0.1:${receivers}` }),
  };
}

/** Marks the store as live, adds the plan and returns a key for a customer on that plan. */
export async function createKey(
  db: Db,
  env: RoleEnv,
  plan: { name: string; perMinute: number; perDay: number | null },
  scopes = 'read',
): Promise<string> {
  await claimMarker(db, 'kind', 'live');
  await db.query(
    `insert into plan (name, per_minute, per_day) values ($1, $2, $3) on conflict do nothing`,
    [plan.name, plan.perMinute, plan.perDay],
  );
  const customer = `Reader ${createHash('sha256').update(plan.name).digest('hex').slice(0, 6)}`;
  const args = ['keys', 'create', '--plan', plan.name, '--customer', customer, '--scopes', scopes];
  const outcome = await runAfterbell(args, settingsOf(env));
  if (outcome.code !== 0) throw new Error(`keys create failed: ${outcome.stderr}`);
  return outcome.stdout.trim();
}
