import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signedRequests } from './support/signed-requests.ts';

/**
 * Verifies our requests with the reference libraries of Standard Webhooks. The tests of the Python
 * client run the library for Python, and the CloudEvents SDK.
 */

const GO_PROGRAM = fileURLToPath(new URL('support/standard-webhooks', import.meta.url));
const hasGo = spawnSync('go', ['version']).error === undefined;

const requests = signedRequests(Date.now());
const expected = requests.map(({ name, isValid }) => [name, isValid]);

test('accepts exactly the valid requests in the reference library for JavaScript', () => {
  const verdicts = requests.map(({ name, secret, headers, body }) => {
    try {
      new Webhook(secret).verify(body, Object.fromEntries(headers));
      return [name, true];
    } catch {
      return [name, false];
    }
  });
  expect(verdicts).toEqual(expected);
});

test.skipIf(!hasGo)('accepts exactly the valid requests in the reference library for Go', () => {
  const input = JSON.stringify(requests);
  const run = spawnSync('go', ['run', '.'], { cwd: GO_PROGRAM, input, encoding: 'utf8' });
  expect(run.stderr.replaceAll(/^go: downloading .*\n/gm, '')).toBe('');
  const verdicts = run.stdout.trim().split('\n');
  expect(requests.map(({ name }, index) => [name, verdicts[index] === 'true'])).toEqual(expected);
});
