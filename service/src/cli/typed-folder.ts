import { dirname, isAbsolute } from 'node:path';

/**
 * The folder in which the person typed the command. `npm run` and `npm start` move to the folder of
 * package.json first and leave the old one in `INIT_CWD`; that one holds only when we really stand
 * where npm moved us, since a test or a script started by npm may have gone elsewhere on purpose.
 */
export function typedFolder(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  isFolder: (path: string) => boolean,
): string {
  const { INIT_CWD: typed, npm_package_json: packageJson } = env;
  const isMovedByNpm = packageJson !== undefined && dirname(packageJson) === cwd;
  return isMovedByNpm && typed !== undefined && isAbsolute(typed) && isFolder(typed) ? typed : cwd;
}
