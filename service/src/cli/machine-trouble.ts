const NOT_ALLOWED =
  'this user may not: start as the user to whom the data belong, or give the folder to this one (chown)';

/** The store may well be on another disk than what a command writes. */
const ELSEWHERE = 'name another disk (DATA_DIR for the store, --to for a file)';

/** What the system says no with, and what whoever runs the service can do about it. */
const MENDS: Readonly<Record<string, string>> = {
  ENOSPC: `the disk is full: make room, or ${ELSEWHERE}`,
  EDQUOT: `the quota of the disk is used up: make room, or ${ELSEWHERE}`,
  EROFS: `the file system cannot be written: mount it for writing, or ${ELSEWHERE}`,
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
};

/**
 * How to mend what is of the machine and not of the program; null of anything else. By the message,
 * which begins with the code, since an error of the store's thread arrives without its members.
 */
export function mendMachine(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = /^([A-Z]+): /.exec(error.message)?.[1] ?? '';
  return MENDS[code] ?? null;
}
