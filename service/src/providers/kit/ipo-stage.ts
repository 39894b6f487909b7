import type { IpoObservation, IpoStatus } from '../../datasets/ipos/observation.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { readText, readWith, required } from './fields.ts';
import type { JsonObject } from './json.ts';
import type { PriceRange } from './price-range.ts';
import { RowError } from './row-error.ts';

/** Which day the row's only date is, by the word for the step. */
const STAGE_BY_WORD: ReadonlyMap<string, [stage: IpoStatus, field: keyof IpoObservation]> = new Map(
  [
    ['filed', ['filed', 'filedDate']],
    ['expected', ['expected', 'expectedDate']],
    ['priced', ['priced', 'pricedDate']],
    ['postponed', ['postponed', 'expectedDate']],
    ['withdrawn', ['withdrawn', 'withdrawnDate']],
  ],
);

/**
 * The last step of a deal, of which a source gives the word in `key` and the day in `date`. Another
 * word is an `unknown-word`.
 */
export function readIpoStage(
  row: JsonObject,
  key: string,
): Pick<IpoObservation, 'stage'> & Partial<IpoObservation> {
  const word = readText(row, key) ?? '';
  const stageAndField = STAGE_BY_WORD.get(word.toLowerCase());
  if (stageAndField === undefined)
    throw new RowError('unknown-word', `${key} is ${word}`.slice(0, 100));
  const [stage, field] = stageAndField;
  return { stage, [field]: required(readWith(row, 'date', parseIsoDate), 'date') };
}

/** One price of a deal that is priced is the price; before, it is what is asked for. */
export function ipoPrices(stage: IpoStatus, { low, high }: PriceRange): Partial<IpoObservation> {
  const isSettled = stage === 'priced' && low !== null && low === high;
  return isSettled ? { price: low } : { priceLow: low, priceHigh: high };
}
