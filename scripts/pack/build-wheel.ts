import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pythonEnvironment } from '../../service/test/support/python-environment.ts';
import { ROOT } from './run.ts';

const CLIENT = join(ROOT, 'clients/python');

/** Builds the wheel of the Python client in an environment of its own, and returns its path. */
export async function buildWheel(folder: string): Promise<string> {
  const environment = join(ROOT, 'node_modules/.cache/wheel');
  const python = await pythonEnvironment(environment, join(CLIENT, 'build-requirements.txt'));
  const scratch = mkdtempSync(join(folder, 'wheel-'));
  try {
    const options = ['--quiet', '--no-deps', '--no-build-isolation', '--wheel-dir', scratch];
    const { code, output } = await python('pip', ['wheel', ...options, CLIENT]);
    const [name] = readdirSync(scratch);
    if (code !== 0 || name === undefined) throw new Error(output);
    renameSync(join(scratch, name), join(folder, name));
    return join(folder, name);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
