import { expect, test } from 'vitest';
import { controlSocketPaths } from './path.ts';

const facts = { xdgRuntimeDir: '/run/user/7', temporaryFolder: '/var/tmp', userId: 7 };
const long = `/${'folder/'.repeat(20)}live`;

test('a short path lies in the folder of the store', () => {
  expect(controlSocketPaths('/repo/.data/live', facts)).toEqual(['/repo/.data/live/control.sock']);
});

test('the border is at 100 bytes, counted in bytes and not in letters', () => {
  const folderOf = (letters: string, count: number) => `/${letters.repeat(count)}`;
  // '/' and '/control.sock' take 14 bytes.
  expect(controlSocketPaths(folderOf('x', 86), facts)[0]).toMatch(/^\/x+\/control\.sock$/);
  expect(controlSocketPaths(folderOf('x', 87), facts)[0]).toMatch(/^\/run\/user\/7\/afterbell\//);
  expect(controlSocketPaths(folderOf('é', 43), facts)[0]).toMatch(/control\.sock$/);
  expect(controlSocketPaths(folderOf('é', 44), facts)[0]).toMatch(/^\/run\/user\/7\/afterbell\//);
});

test('a long path becomes a short name of its own in the runtime folder, else a private one', () => {
  const paths = controlSocketPaths(long, facts);
  expect(paths.map((path) => path.replace(/[0-9a-f]{16}\.sock$/, '#'))).toEqual([
    '/run/user/7/afterbell/#',
    '/var/tmp/afterbell-7/#',
    '/tmp/afterbell-7/#',
  ]);
  expect(controlSocketPaths(`${long}2`, facts)[0]).not.toBe(paths[0]);
});

test('no path is ever too long, whatever the folders', () => {
  const xdgRuntimeDir = `/run/${'x'.repeat(120)}`;
  const paths = controlSocketPaths(long, { ...facts, xdgRuntimeDir, temporaryFolder: long });
  expect(paths).toHaveLength(1);
  expect(paths[0]).toMatch(/^\/tmp\/afterbell-7\//);
});

test('without a runtime folder the private one is used', () => {
  expect(controlSocketPaths(long, { ...facts, xdgRuntimeDir: undefined })[0]).toMatch(
    /^\/var\/tmp\//,
  );
});
