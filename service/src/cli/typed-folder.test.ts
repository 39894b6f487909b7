import { expect, test } from 'vitest';
import { typedFolder } from './typed-folder.ts';

const npm = { INIT_CWD: '/home/me', npm_package_json: '/repo/package.json' };

test.each([
  ['where npm moved us, the folder before that', npm, '/repo', '/home/me'],
  ['without npm, the current one', {}, '/repo', '/repo'],
  ['under npm but moved on by a script, the current one', npm, '/tmp/test', '/tmp/test'],
  ['a stale INIT_CWD alone is not believed', { INIT_CWD: '/home/me' }, '/repo', '/repo'],
  ['a relative INIT_CWD is not believed', { ...npm, INIT_CWD: 'me' }, '/repo', '/repo'],
  ['a folder that is gone is not believed', { ...npm, INIT_CWD: '/gone' }, '/repo', '/repo'],
])('%s', (_, env, cwd, expected) => {
  expect(typedFolder(env, cwd, (path) => path !== '/gone')).toBe(expected);
});
