const PERMISSION_FIX =
  'permission denied: start as the user that owns the data, or give this user the folder (chown)';

/** The store and the file that a command writes may be on different disks. */
const OTHER_DISK = 'use another disk (DATA_DIR for the store, --to for a file)';

const FIXES: Readonly<Record<string, string>> = {
  ENOSPC: `the disk is full: free some space, or ${OTHER_DISK}`,
  EDQUOT: `the disk quota is used up: free some space, or ${OTHER_DISK}`,
  EROFS: `the file system is read-only: mount it for writing, or ${OTHER_DISK}`,
  EACCES: PERMISSION_FIX,
  EPERM: PERMISSION_FIX,
  EMFILE: 'too many open files: raise the limit of this process (ulimit -n)',
  LOCKED: 'another transaction has locked the store: end it, or repeat the command later',
  DENIED:
    'the role in DATABASE_URL needs more rights: docs/backup-and-restore.md lists what to grant',
};

/** Errors of PostgreSQL and the embedded engine, which have no code of the operating system. */
const ENGINE_ERRORS: readonly (readonly [RegExp, string])[] = [
  [/: No space left on device/, 'ENOSPC'],
  [/: Disk quota exceeded/, 'EDQUOT'],
  [/: Read-only file system/, 'EROFS'],
  [/^canceling statement due to lock timeout$/, 'LOCKED'],
  [/^permission denied for (table|sequence|schema|function) /, 'DENIED'],
];

/**
 * Returns the fix for an error of the operating system or the store, or null for any other. Reads the code at the
 * start of the message, because errors from the store's worker thread do not have a `code`
 * property.
 */
export function fixForSystemError(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { message } = error;
  const engineCode = ENGINE_ERRORS.find(([pattern]) => pattern.test(message))?.[1];
  const code = engineCode ?? /^([A-Z]+): /.exec(message)?.[1] ?? '';
  return FIXES[code] ?? null;
}
