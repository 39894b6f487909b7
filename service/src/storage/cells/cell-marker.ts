import type { Queryable } from '../db.ts';
import { readMarker } from '../marker.ts';

/** Marker with the name of the cell. Absent from a store that gathers its own facts. */
export const CELL_MARKER = 'cell';

/** Returns the name of the cell, or null if the store is not a cell. */
export function readCellName(db: Queryable): Promise<string | null> {
  return readMarker(db, CELL_MARKER);
}
