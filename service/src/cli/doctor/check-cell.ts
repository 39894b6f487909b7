import { type CellState, loadCellState } from '../../storage/cells/cell-state.ts';
import type { Queryable } from '../../storage/db.ts';
import { broken, type Check, ok, warning } from './check.ts';

/** Checks how well a cell follows the gathering store. Returns nothing for other stores. */
export async function checkCell(
  db: Queryable,
  { cellLagSeconds }: { cellLagSeconds: number },
): Promise<Check[]> {
  const state = await loadCellState(db, { lagMsMax: cellLagSeconds * 1_000 });
  return state === null ? [] : [describe(state)];
}

function describe({ name, condition, lagMs, gap, missingTables, ...state }: CellState): Check {
  const age = lagMs === null ? 'of unknown age' : `${(lagMs / 1_000).toFixed(1)} s old`;
  switch (condition) {
    case 'following':
      return ok('cell', `${name} follows the gathering store, its facts are ${age}`);
    case 'gap':
      return broken(
        'cell',
        `${name} has lost facts: ${gap?.detail}`,
        'create a new cell with afterbell cell init and move the customers to it',
      );
    case 'copying':
      return broken(
        'cell',
        `${name} has not copied ${missingTables.length} tables of facts`,
        'run afterbell cell init again with its name',
      );
    case 'stopped':
      return broken(
        'cell',
        `${name} receives nothing, its facts are ${age}`,
        state.isEnabled
          ? 'see why its server cannot connect to the gathering store: the log of PostgreSQL has the reason'
          : 'run afterbell cell init again with its name, which enables the subscription',
      );
    case 'stale':
      return warning(
        'cell',
        `the facts of ${name} are ${age}`,
        'check that afterbell ingest runs on the gathering store, and the log of PostgreSQL for errors' +
          (state.applyErrorCount > 0 ? ` (${state.applyErrorCount} so far)` : ''),
      );
  }
}
