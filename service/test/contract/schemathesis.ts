import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '../../src/accounts/permissions.ts';
import { startFuzzedManagement } from '../support/fuzzed-management.ts';
import type { RunPython } from '../support/python-environment.ts';
import { runSeed, runSize } from '../support/run-size.ts';
import { memoryStore } from '../support/stores.ts';
import { openEnvironment } from './python-client.ts';
import type { World } from './world.ts';

const DOCUMENTS = fileURLToPath(new URL('../../../openapi', import.meta.url));

/**
 * Coverage sends the boundary values of each parameter, with the values that the examples name. The
 * other phases draw requests.
 */
const PHASES = runSize({ slice: 'coverage', whole: 'examples,coverage,fuzzing,stateful' });
/** Invalid values cost twice as much, and `npm test` sends many of them by itself. */
const MODE = runSize({ slice: 'positive', whole: 'all' });
/** Length of a run that draws requests. The other phases end by themselves. */
const SECONDS = Number(process.env['AFTERBELL_SECONDS'] ?? 600);

const REPORT = ['--continue-on-failure', '--no-color'];

interface Target {
  url: string;
  /** Value of the API key, which has the scope `manage` for the management API. */
  key: string;
  /** Token of the session cookie. */
  session?: string;
  customerId?: string;
}

/** Sends the requests that Schemathesis derives from both API descriptions. */
export function describedRequests(world: () => World): void {
  // A finding is repeated with its seed instead of by chance.
  describe('requests derived from the descriptions', { retry: 0 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'afterbell-schemathesis-'));
    let environment: RunPython | string;

    beforeAll(async () => {
      environment = await openEnvironment();
    });
    beforeEach((context) => {
      if (typeof environment === 'string') context.skip(`no Python packages: ${environment}`);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    function check(document: string, paths: string, target: Target): Promise<void> {
      if (typeof environment === 'string') throw new Error(environment);
      return expectNoFinding(environment, { document, paths, folder }, target);
    }

    test('the read API responds as described', () => check('v1', '^/', world()));

    test.each<[Role, string]>([
      ['owner', '^/account/'],
      ['operator', '^/operator/'],
    ])('the management API responds to an %s as described', async (role, paths) => {
      const db = await memoryStore();
      const management = await startFuzzedManagement(db, role);
      try {
        await check('account', paths, management);
      } finally {
        await management.stop();
        await db.close();
      }
    });
  });
}

/** Fails if Schemathesis has a finding. Prints the counts and the seed. */
async function expectNoFinding(
  python: RunPython,
  { document, paths, folder }: { document: string; paths: string; folder: string },
  { url, key, session = '', customerId = '' }: Target,
): Promise<void> {
  const seed = runSeed();
  const config = ['--config-file', join(DOCUMENTS, 'checks/schemathesis.toml')];
  const where = [join(DOCUMENTS, `${document}.json`), '--url', url, '-H', `Origin: ${url}`];
  const choice = ['--include-path-regex', paths, '--phases', PHASES, '--mode', MODE];
  const limit = runSize({ slice: [], whole: ['--max-time', String(SECONDS)] });
  const { code, output } = await python(
    'schemathesis.cli',
    [...config, 'run', ...where, ...choice, ...limit, '--seed', String(seed), ...REPORT],
    {
      SCHEMATHESIS_HOOKS: join(DOCUMENTS, 'checks/checks.py'),
      HYPOTHESIS_STORAGE_DIRECTORY: folder,
      FUZZ_SESSION: session,
      FUZZ_KEY: key,
      FUZZ_CUSTOMER: customerId,
    },
    runSize({ slice: 200, whole: 600 + 2 * SECONDS }) * 1_000,
  );
  const counts = / {2}(\d+ generated, .*)/.exec(output)?.[1];
  console.log(`requests of ${document} (${paths}): ${counts}, AFTERBELL_SEED=${seed}`);
  expect(code, output).toBe(0);
  expect(counts).toMatch(/^\d{3,} generated, \d+ passed/);
}
