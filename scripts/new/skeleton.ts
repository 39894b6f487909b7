import type { Names } from './names.ts';

/** Working files for a new plug-in of a given kind. */
export interface Skeleton {
  kind: string;
  /** Returns the text of each file, keyed by its path relative to the repository root. */
  files(names: Names): ReadonlyMap<string, string>;
  /** Returns the next steps for the author, one per line. */
  next(names: Names): readonly string[];
}
