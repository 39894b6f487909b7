import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Folder with the programs that use generated clients, and with their generators. */
export const GENERATED = fileURLToPath(new URL('../../../clients/generated', import.meta.url));

/** A download on a slow machine may take minutes, but not forever. */
const LIMITS = { cwd: GENERATED, timeout: 200_000, maxBuffer: 10_000_000 } as const;

/** Installs the generators and linters of the lock file, unless they are installed. */
export async function installGenerators(): Promise<void> {
  const lock = readFileSync(join(GENERATED, 'package-lock.json'), 'utf8');
  const stamp = join(GENERATED, 'node_modules/.lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], LIMITS);
  writeFileSync(stamp, lock);
}

/** Runs a program of the installed packages and returns its output. Throws if it fails. */
export async function runGenerator(program: string, args: readonly string[]): Promise<string> {
  return runNode([join(GENERATED, 'node_modules/.bin', program), ...args]);
}

/** Runs a script with Node and returns its output. Throws with the output if it fails. */
export async function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const options = { ...LIMITS, env: { ...process.env, ...env } };
    const { stdout, stderr } = await run(process.execPath, args, options);
    return stdout + stderr;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}
