import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pythonEnvironment, type RunPython } from '../support/python-environment.ts';
import { signedRequests } from '../support/signed-requests.ts';
import type { World } from './world.ts';

const CLIENT = fileURLToPath(new URL('../../../clients/python', import.meta.url));

/** Builds the Python client, installs it in its own environment, and runs its tests there. */
export function pythonClient(world: () => World): void {
  describe('the Python client', () => {
    const folder = mkdtempSync(join(tmpdir(), 'afterbell-wheel-'));
    let environment: RunPython | string;

    beforeAll(async () => {
      environment = await openEnvironment();
    });
    beforeEach((context) => {
      if (typeof environment === 'string') context.skip(`no Python packages: ${environment}`);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    /** Runs a module that must succeed, and returns its output. */
    async function run(
      module: string,
      args: readonly string[],
      env?: Readonly<Record<string, string>>,
    ): Promise<string> {
      if (typeof environment === 'string') throw new Error(environment);
      const { code, output } = await environment(module, args, env);
      expect(code, output).toBe(0);
      return output;
    }

    test('builds a wheel with types and license, and installs it', async () => {
      const options = ['--quiet', '--no-deps', '--no-build-isolation', '--wheel-dir', folder];
      await run('pip', ['wheel', ...options, CLIENT]);
      const [wheel = '', ...others] = readdirSync(folder);
      expect([wheel, others]).toEqual([expect.stringMatching(/^afterbell-.*-none-any\.whl$/), []]);
      const install = ['install', '--quiet', '--no-deps', '--no-compile', '--force-reinstall'];
      await run('pip', [...install, join(folder, wheel)]);
      const files = await run('pip', ['show', '--files', 'afterbell']);
      for (const name of ['afterbell/py.typed', 'afterbell/client.py', 'licenses/LICENSE']) {
        expect(files).toContain(name);
      }
    });

    test('is formatted and free of lint errors, as are the examples in Python', async () => {
      const paths = [CLIENT, join(CLIENT, '../../examples')];
      const settings = ['--config', join(CLIENT, 'pyproject.toml'), '--no-cache'];
      await run('ruff', ['check', ...settings, ...paths]);
      await run('ruff', ['format', '--check', ...settings, ...paths]);
    });

    test('has strict types, also in its tests', async () => {
      const cache = ['--cache-dir', join(folder, 'mypy')];
      const paths = ['src', 'tests'].map((name) => join(CLIENT, name));
      const settings = ['--config-file', join(CLIENT, 'pyproject.toml')];
      expect(await run('mypy', [...settings, ...cache, ...paths])).toContain('no issues found');
    });

    test('passes its tests with the installed wheel and a running service', async () => {
      await world().exportDatasets();
      const output = await run('pytest', ['-q', CLIENT], testEnvironment(world()));
      expect(output).toMatch(/\b\d{3} passed in /);
    });
  });
}

/** Returns the variables that the client's tests read. */
function testEnvironment({ url, key }: World): Record<string, string> {
  const requests = JSON.stringify(signedRequests(Date.now()));
  return { SERVICE_URL: url, SERVICE_API_KEY: key, SIGNED_REQUESTS: requests };
}

/**
 * Returns the environment with all packages. Outside CI, a machine without Python or without access
 * to its packages returns the reason, and the tests are skipped.
 */
export async function openEnvironment(): Promise<RunPython | string> {
  try {
    return await pythonEnvironment(join(CLIENT, '.venv'), join(CLIENT, 'tests/requirements.txt'));
  } catch (error) {
    if ((process.env['CI'] ?? '') !== '') throw error;
    return String(error);
  }
}
