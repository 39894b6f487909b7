import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { startAfterbell } from '../../../service/test/support/afterbell-process.ts';

/** The maximum number of times to check whether another process has created the sandbox. */
const TURNS_MAX = 600;
const TURN_MS = 200;

/**
 * Fills an empty data folder with a copy of a prepared sandbox, because generating a sandbox takes
 * seconds of CPU time. The first caller in a test run prepares it with a service that runs shortly
 * before `NOW`, so that no data is in the future. Does nothing outside of a test run.
 */
export async function copySandbox(
  settings: Readonly<Record<string, string>>,
  to: string,
): Promise<void> {
  const folder = process.env['MADE_STORES'];
  if (folder === undefined) return;
  const { NOW, ...others } = settings;
  const prepared = join(folder, (NOW ?? 'real').replaceAll(/\W/g, ''));
  for (let attempt = 0; !existsSync(prepared); attempt += 1) {
    if (attempt === TURNS_MAX) return;
    if (isFirst(`${prepared}.making`)) {
      await make(prepared, NOW === undefined ? others : { ...others, NOW: minutesBefore(NOW) });
      if (!existsSync(prepared)) return;
    } else await pass(TURN_MS);
  }
  cpSync(prepared, to, { recursive: true });
}

async function make(prepared: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const draft = `${prepared}.draft`;
  try {
    const service = await startAfterbell(['--data-dir', draft], settings);
    const code = await service.stop();
    // On a busy machine the service may not end in time. The caller then generates its own sandbox.
    if (code === 0) renameSync(draft, prepared);
  } finally {
    // The mark goes last, because the next process starts a store in the draft once it is gone.
    rmSync(draft, { recursive: true, force: true });
    rmSync(`${prepared}.making`, { recursive: true, force: true });
  }
}

/** Returns true if no other process is preparing the sandbox. */
function isFirst(mark: string): boolean {
  try {
    mkdirSync(mark);
    return true;
  } catch {
    return false;
  }
}

function minutesBefore(now: string): string {
  return new Date(Date.parse(now) - 2 * 60_000).toISOString();
}
