import { IPO_STATUSES, type IpoObservation } from '../../datasets/ipos/observation.ts';
import { foldCompanyName } from '../../domain/company-name.ts';
import { required } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import type { Feed, ParsedRow } from '../provider.ts';
import type { OfferingView } from './market/offerings.ts';
import { amount, claimsKind, date, group, parseRows, symbol, text } from './read-row.ts';

/** Offerings in their current state as `OfferingWireRow`. */
export const offerings: Feed = {
  name: 'offerings',
  datasets: ['ipos'],
  claims: (response) => claimsKind(response, 'offerings'),
  parse: (response) => parseRows(response, 'offerings', 'ipos', readRow),
};

export interface OfferingWireRow {
  deal: string;
  symbol: string;
  name: string;
  exchange: string;
  stage: string;
  filed: string;
  day: { date: string } | null;
  range: { low: string; high: string; shares: string } | null;
  pricing: { price: string } | null;
}

export function offeringRow(view: OfferingView): OfferingWireRow {
  const { range, price } = view;
  return {
    deal: view.key,
    symbol: view.symbol,
    name: view.name,
    exchange: view.exchange,
    stage: view.stage,
    filed: view.filedDate,
    day: view.date === null ? null : { date: view.date },
    range: range && {
      low: (range.low / 100).toFixed(2),
      high: (range.high / 100).toFixed(2),
      shares: String(range.shares),
    },
    pricing: price === null ? null : { price: (price / 100).toFixed(2) },
  };
}

function readRow(row: JsonObject): ParsedRow<'ipos'> {
  const companyName = text(row, 'name');
  const subject = required(foldCompanyName(companyName), 'name');
  const dealKey = text(row, 'deal');
  const stage = stageOf(row);
  const day = group(row, 'day');
  const range = group(row, 'range');
  const pricing = group(row, 'pricing');
  const stageDate = day && date(day, 'date');
  const fields: IpoObservation = {
    dealKey,
    companyName,
    stage,
    symbol: symbol(row),
    exchange: text(row, 'exchange'),
    filedDate: date(row, 'filed'),
    expectedDate: stage === 'expected' ? stageDate : null,
    pricedDate: stage === 'priced' ? stageDate : null,
    withdrawnDate: stage === 'withdrawn' ? stageDate : null,
    priceLow: range && amount(range, 'low'),
    priceHigh: range && amount(range, 'high'),
    shares: range && amount(range, 'shares'),
    price: pricing && amount(pricing, 'price'),
    currency: 'USD',
  };
  if (dealKey.length > 60)
    throw new RowError('bad-deal-key', `deal has ${dealKey.length} characters`);
  return { dataset: 'ipos', entityKey: subject, naturalKey: dealKey, fields };
}

function stageOf(row: JsonObject): IpoObservation['stage'] {
  const word = text(row, 'stage');
  const stage = IPO_STATUSES.find((candidate) => candidate === word);
  if (stage === undefined) throw new RowError('unknown-word', `stage is ${word}`);
  return stage;
}
