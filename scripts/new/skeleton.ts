import type { Names } from './names.ts';

/** Working files for a new plug-in of one kind, to be filled with what it is about. */
export interface Skeleton {
  kind: string;
  /** Path to text; paths are relative to the root of the repository. */
  files(names: Names): ReadonlyMap<string, string>;
  /** What the author does next, one step a line. */
  next(names: Names): readonly string[];
}
