import type { Names } from './names.ts';

/** Working files for a new plug-in of one kind. */
export interface Skeleton {
  kind: string;
  /** Text by path; paths are relative to the root of the repository. */
  files(names: Names): ReadonlyMap<string, string>;
  /** The author's next steps, one per line. */
  next(names: Names): readonly string[];
}
