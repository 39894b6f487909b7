import type { CallObservation } from '../../datasets/earnings/observation.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { required } from '../kit/fields.ts';
import { isJsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import type { ParseResult } from '../provider.ts';
import type { Modules } from './modules.ts';
import { isDateOnly, readTimestamp } from './values.ts';

/**
 * Reads `earningsCallDate`: the start of the next conference call once it is announced, and of the
 * last one until then. A date without a time is skipped.
 */
export function readCalls(modules: Modules): ParseResult {
  const events = modules.module('calendarEvents')?.['earnings'];
  const times: unknown = isJsonObject(events) ? events['earningsCallDate'] : null;
  const { symbol } = modules;
  const parsed = readRows({
    dataset: 'earnings',
    rows: (Array.isArray(times) ? times : []).map((time: unknown) => ({ earningsCallDate: time })),
    entityKeyOf: () => symbol,
    read: (row) => {
      const callAt = required(readTimestamp(row['earningsCallDate']), 'earningsCallDate');
      const fields: CallObservation = { kind: 'call', symbol, callAt };
      const naturalKey = `call:${newYorkDate(callAt)}`;
      return { dataset: 'earnings', entityKey: symbol, naturalKey, fields };
    },
  });
  const rows = parsed.rows.filter(
    ({ fields }) => fields.kind === 'call' && !isDateOnly(fields.callAt),
  );
  return { ...parsed, rows };
}
