import type { BarObservation } from '../../datasets/bars/observation.ts';
import { entityKeyOrNull } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readBars } from '../kit/read-bars.ts';
import type { Feed } from '../provider.ts';
import { amount, bodyRows, claimsKind, date, integer, symbol } from './read-row.ts';

/** Daily bars as `BarWireRow`. */
export const bars: Feed = {
  name: 'bars',
  datasets: ['bars'],
  claims: (response) => claimsKind(response, 'bars'),
  parse: (response) =>
    readBars({
      rows: bodyRows(response, 'bars'),
      list: null,
      isAdjusted: false,
      entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
      read: readRow,
    }),
};

function readRow(row: JsonObject): BarObservation {
  return {
    symbol: symbol(row),
    date: date(row, 'date'),
    open: amount(row, 'open'),
    high: amount(row, 'high'),
    low: amount(row, 'low'),
    close: amount(row, 'close'),
    previousClose: null,
    volume: integer(row, 'volume', 0, Number.MAX_SAFE_INTEGER),
    basisDate: null,
  };
}
