import type { Metrics } from '../../platform/metrics.ts';
import type { CellState } from './cell-state.ts';

/** Registers metrics about how well a cell follows the gathering store. */
export function registerCellMetrics(metrics: Metrics, state: () => CellState | null): void {
  const gauge = (name: string, help: string, value: (state: CellState) => number | null): void => {
    metrics.gauge({ name, help, labels: ['cell'] }, () => {
      const current = state();
      const number = current === null ? null : value(current);
      return current === null || number === null
        ? []
        : [{ value: number, labels: { cell: current.name } }];
    });
  };
  gauge(
    'afterbell_cell_lag_seconds',
    'Age of the newest fact that a cell has received. Absent before the first one.',
    ({ lagMs }) => (lagMs === null ? null : lagMs / 1_000),
  );
  gauge(
    'afterbell_cell_following',
    'Whether everything arrives from the gathering store: 1 or 0.',
    ({ condition }) => (condition === 'following' ? 1 : 0),
  );
  gauge(
    'afterbell_cell_gap',
    'Whether the cell has lost facts and must be copied again: 1 or 0.',
    ({ gap }) => (gap === null ? 0 : 1),
  );
  gauge(
    'afterbell_cell_apply_errors',
    'Transactions of the gathering store that failed to apply on the cell. Each is repeated.',
    ({ applyErrorCount }) => applyErrorCount,
  );
}
