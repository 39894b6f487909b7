import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  pythonEnvironment,
  type RunPython,
} from '../../service/test/support/python-environment.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const NGINX = fileURLToPath(new URL('../nginx/', import.meta.url));
/**
 * The scanner wants connections to take a thousand requests or more. The service closes them after a
 * thousand, so nginx has to stop before.
 */
const SKIPPED = 'low_keepalive_requests';

let python: RunPython | null;
let missing = '';
beforeAll(async () => {
  const requirements = join(FOLDER, 'scan-requirements.txt');
  python = await pythonEnvironment(join(FOLDER, '.venv'), requirements).catch((error: unknown) => {
    missing = String(error);
    return null;
  });
}, 240_000);

/** Returns what the scanner reports about a configuration. */
async function scan(path: string): Promise<{ code: number; output: string }> {
  if (python === null) expect.fail(missing);
  return python('gixy', ['--skips', SKIPPED, path]);
}

test.for(['afterbell.conf', 'afterbell-cells.conf'])(
  'finds no weakness in %s',
  async (name, { skip }) => {
    skip(python === null && process.env['CI'] !== 'true', missing);
    const { code, output } = await scan(join(NGINX, name));
    expect(output).toContain('No issues found');
    expect(code).toBe(0);
  },
);

test('finds a header that a client can split', async ({ skip }) => {
  skip(python === null && process.env['CI'] !== 'true', missing);
  const folder = mkdtempSync(join(tmpdir(), 'afterbell-scan-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'split.conf');
  const text = readFileSync(join(NGINX, 'afterbell.conf'), 'utf8');
  const location = 'location / {';
  expect(text).toContain(location);
  writeFileSync(path, text.replace(location, `${location}\n add_header X-Path $uri;`));
  expect(await scan(path)).toMatchObject({
    code: 1,
    output: expect.stringContaining('http_splitting') as string,
  });
});
