import type { Names } from './names.ts';

/** Working files for a new plug-in of a given kind. */
export interface Skeleton {
  kind: string;
  /** Returns the text of each file by path, relative to the root of the repository. */
  files(names: Names): ReadonlyMap<string, string>;
  /** Returns the author's next steps, one per line. */
  next(names: Names): readonly string[];
}
