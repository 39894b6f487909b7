import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A download on a slow machine may take minutes, but not forever. */
const TIMEOUT_MS = 200_000;
const LIMITS = { timeout: TIMEOUT_MS, maxBuffer: 10_000_000 } as const;

export interface PythonResult {
  code: number;
  /** Both streams. */
  output: string;
}

/** Runs a module of the environment, such as `pytest`, and returns its result. */
export type RunPython = (
  module: string,
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
  timeoutMs?: number,
) => Promise<PythonResult>;

/**
 * Creates a virtual environment in the folder with the packages of a requirements file, unless it
 * already has them. Throws an error with the reason if Python or a package is not available.
 */
export async function pythonEnvironment(folder: string, requirements: string): Promise<RunPython> {
  const packages = readFileSync(requirements);
  const { stdout: version } = await run('python3', ['--version'], LIMITS);
  const wanted = createHash('sha256').update(version).update(packages).digest('hex');
  const stamp = join(folder, 'installed');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    rmSync(folder, { recursive: true, force: true });
    await run('python3', ['-m', 'venv', folder], LIMITS);
    // Wheels need no compiler, and modules are compiled when a test imports them.
    const options = ['--quiet', '--no-compile', '--only-binary=:all:', '--no-input'];
    await run(join(folder, 'bin/pip'), ['install', ...options, '-r', requirements], LIMITS);
    writeFileSync(stamp, wanted);
  }
  const python = join(folder, 'bin/python');
  return (module, args, env = {}, timeoutMs = TIMEOUT_MS) =>
    runModule(python, [module, ...args], env, timeoutMs);
}

async function runModule(
  python: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  timeout: number,
): Promise<PythonResult> {
  const options = { ...LIMITS, timeout, env: { ...process.env, ...env } };
  try {
    const { stdout, stderr } = await run(python, ['-m', ...args], options);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout: string; stderr: string };
    return { code: typeof code === 'number' ? code : -1, output: `${stdout}${stderr}` };
  }
}
