import { readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { readDockerIgnore } from './docker-ignore.ts';
import { parseCommand, parseCopy, parseDockerfile, parseEnv } from './dockerfile.ts';

const text = readFileSync(new URL('Dockerfile', import.meta.url), 'utf8');
const ignore = readFileSync(new URL('../../.dockerignore', import.meta.url), 'utf8');
const stages = parseDockerfile(text);
const steps = stages.flatMap(({ instructions }) => instructions);

/** Returns a keyword's arguments in the last stage, which produces the image. */
function argumentsOf(keyword: string): string[] {
  const last = stages.at(-1)?.instructions ?? [];
  return last.filter((instruction) => instruction.keyword === keyword).map(({ rest }) => rest);
}

test('passes a Dockerfile linter that is shown to find planted problems', () => {
  expect(validate(text)).toEqual([]);
  expect(validate(text.replace('WORKDIR /app', 'WORKDIR app/'))).not.toEqual([]);
  expect(validate(text.replace('EXPOSE 8080', 'EXPOSE http'))).not.toEqual([]);
});

test('bases every stage on the slim image for the required Node version', () => {
  expect(new Set(stages.map(({ base }) => base))).toEqual(new Set(['node:24-slim']));
});

test('runs the service as a non-root user, with a numeric id for clusters', () => {
  expect(argumentsOf('USER')).toEqual(['1000:1000']);
  const words = stages.at(-1)?.instructions.map(({ keyword }) => keyword) ?? [];
  expect(words.lastIndexOf('RUN')).toBeLessThan(words.indexOf('USER'));
});

test('starts the service without a shell, so that it receives SIGTERM', () => {
  expect(argumentsOf('ENTRYPOINT').map(parseCommand)).toEqual([['afterbell']]);
  expect(argumentsOf('CMD').map(parseCommand)).toEqual([['start']]);
  expect(() => parseCommand('afterbell start')).toThrow('JSON');
});

test('checks the health of the container using only Node', () => {
  expect(argumentsOf('HEALTHCHECK').map(parseCommand)).toEqual([
    ['node', '/app/deploy/docker/health.ts'],
  ]);
});

test('stores data on a volume and includes no secret in the image', () => {
  expect(argumentsOf('VOLUME')).toEqual(['["/data"]']);
  expect(Object.assign({}, ...argumentsOf('ENV').map(parseEnv))).toEqual({
    NODE_ENV: 'production',
    HOST: '0.0.0.0',
    DATA_DIR: '/data',
  });
  expect(steps.map(({ keyword }) => keyword)).not.toContain('ARG');
});

test('installs only packages in the lock file, without running development scripts', () => {
  const runs = steps.filter(({ keyword }) => keyword === 'RUN').map(({ rest }) => rest);
  const installs = runs.filter((run) => run.includes('npm'));
  expect(installs.every((run) => run.startsWith('npm ci '))).toBe(true);
  expect(installs.at(-1)).toContain('--omit=dev');
  expect(runs.join('\n')).not.toMatch(/curl|wget|apt/);
  expect(steps.map(({ keyword }) => keyword)).not.toContain('ADD');
});

test('copies only files that .dockerignore does not exclude', () => {
  const isIncluded = readDockerIgnore(ignore);
  const copied = steps
    .filter(({ keyword }) => keyword === 'COPY')
    .map(({ rest }) => parseCopy(rest))
    .filter(({ from }) => from === null)
    .flatMap(({ sources }) => sources);
  expect(copied.length).toBeGreaterThan(10);
  for (const path of copied) expect([path, isIncluded(path)]).toEqual([path, true]);
});

test.each([
  '.env',
  '.git/config',
  '.data/sandbox/secrets-key',
  'afterbell.conf',
  'deploy/compose/.env',
  'node_modules/pg/package.json',
  'service/node_modules/pg/package.json',
  'service/src/main.test.ts',
  'service/src/http/fixtures/one.json',
  'service/test/support/stores.ts',
  'dashboard/dist/index.html',
  'docs/screenshots/one.png',
])('excludes %s from the build context', (path) => {
  expect(readDockerIgnore(ignore)(path)).toBe(false);
});

test('applies the last matching .dockerignore line, and applies a folder pattern to everything in the folder', () => {
  const isIncluded = readDockerIgnore('# all\n*\n!kept\nkept/out\n**/deep.txt\n');
  const paths = ['other', 'kept', 'kept/in/file', 'kept/out/file', 'kept/in/deep.txt'];
  expect(paths.filter((path) => isIncluded(path))).toEqual(['kept', 'kept/in/file']);
});
