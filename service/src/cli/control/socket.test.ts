import { expect, test } from 'vitest';
import { controlSocketPaths } from './socket.ts';

const runtime = { xdgRuntimeDir: '/run/user/7', temporaryFolder: '/var/tmp', userId: 7 };
const long = `/${'folder/'.repeat(20)}live`;

test("puts the control socket in the store's folder", () => {
  expect(controlSocketPaths('/repo/.data/live', runtime)).toEqual([
    '/repo/.data/live/control.sock',
  ]);
});

test('limits a socket path to 100 bytes rather than 100 characters', () => {
  const folderOf = (letters: string, count: number) => `/${letters.repeat(count)}`;
  // '/' and '/control.sock' take 14 bytes.
  expect(controlSocketPaths(folderOf('x', 86), runtime)[0]).toMatch(/^\/x+\/control\.sock$/);
  expect(controlSocketPaths(folderOf('x', 87), runtime)[0]).toMatch(/^\/run\/user\/7\/afterbell\//);
  expect(controlSocketPaths(folderOf('é', 43), runtime)[0]).toMatch(/control\.sock$/);
  expect(controlSocketPaths(folderOf('é', 44), runtime)[0]).toMatch(/^\/run\/user\/7\/afterbell\//);
});

test('gives a store with a long path a unique, short socket name in a private folder', () => {
  const paths = controlSocketPaths(long, runtime);
  expect(paths.map((path) => path.replace(/[0-9a-f]{16}\.sock$/, '#'))).toEqual([
    '/run/user/7/afterbell/#',
    '/var/tmp/afterbell-7/#',
    '/tmp/afterbell-7/#',
  ]);
  expect(controlSocketPaths(`${long}2`, runtime)[0]).not.toBe(paths[0]);
});

test('skips folders in which the socket path would be too long', () => {
  const xdgRuntimeDir = `/run/${'x'.repeat(120)}`;
  const paths = controlSocketPaths(long, { ...runtime, xdgRuntimeDir, temporaryFolder: long });
  expect(paths).toHaveLength(1);
  expect(paths[0]).toMatch(/^\/tmp\/afterbell-7\//);
});

test('puts the socket in the temporary folder if there is no runtime folder', () => {
  expect(controlSocketPaths(long, { ...runtime, xdgRuntimeDir: undefined })[0]).toMatch(
    /^\/var\/tmp\//,
  );
});
