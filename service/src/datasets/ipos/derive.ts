import { multiplyDecimals } from '../../domain/decimal.ts';
import { exchangeOf } from '../../domain/exchange.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { compareBy, compareText } from '../../platform/compare.ts';
import { rankOf } from '../precedence.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';
import { latest, unchangedSince } from '../source-records/observation-history.ts';
import type { IpoHistory } from './attempts.ts';
import { type Deal, dealName, dealsOf, firstAt } from './deal.ts';
import type { IpoObservation, IpoStatus } from './observation.ts';
import { offeringTypeOf } from './offering-type.ts';
import { type Ipo, type IpoDateStatus, ipoId } from './row.ts';

/**
 * Derives the offerings in these histories, ordered by id. A pure function: the arrival order does
 * not matter. The histories must include all those that share a name, a symbol or a key.
 */
export function deriveIpos(histories: readonly IpoHistory[]): Ipo[] {
  return dealsOf(histories)
    .map(toIpo)
    .toSorted(compareBy(({ id }) => id));
}

function toIpo(deal: Deal): Ipo {
  const stages = deal.histories.toSorted(byProgress(endOf(deal.histories)));
  const [lead] = stages;
  const [first] = deal.histories.toSorted(
    (a, b) => firstAt([a]) - firstAt([b]) || compareText(nameOf(a), nameOf(b)),
  );
  if (lead === undefined || first === undefined) throw new RangeError('a deal without histories');
  const provenance: Ipo['provenance'] = {};
  const pick = picker(stages, provenance);
  provenance['status'] = {
    provider: lead.provider,
    feed: lead.feed,
    seenAt: unchangedSince(lead, latest(lead), ({ stage }) => stage),
  };
  const status = latest(lead).fields.stage;
  const companyName = pick('companyName') ?? lead.entityKey;
  const exchange = pick('exchange');
  const symbol = pick('symbol');
  const price = status === 'priced' ? pick('price') : null;
  const priceLow = pick('priceLow');
  const priceHigh = pick('priceHigh');
  const shares = pick('shares');
  const pricedDate = status === 'priced' ? pick('pricedDate') : null;
  const expectedDate = status === 'withdrawn' ? null : pick('expectedDate');
  const date =
    pricedDate ??
    (status === 'postponed' ? (latest(lead).fields.expectedDate ?? null) : expectedDate);
  const statedType = pick('offeringType');
  return {
    id: ipoId(dealName(first)),
    subject: first.entityKey,
    symbol,
    companyName,
    exchange: exchange === null ? null : exchangeOf(exchange).name,
    mic: exchange === null ? null : exchangeOf(exchange).mic,
    date,
    dateStatus: dateStatusOf(status, date, date === null ? null : pick('dateStatus')),
    status,
    offeringType:
      statedType ?? offeringTypeOf({ companyName, symbol, prices: [price, priceLow, priceHigh] }),
    priceLow,
    priceHigh,
    price,
    shares,
    dealSize: pick('dealSize') ?? sizeOf(price, shares),
    currency: pick('currency') ?? 'USD',
    filedDate: pick('filedDate'),
    pricedDate,
    withdrawnDate: status === 'withdrawn' ? pick('withdrawnDate') : null,
    underwriters: pick('underwriters') ?? [],
    lockupExpiration: pick('lockupExpiration'),
    cik: pick('cik'),
    filingUrl: pick('filingUrl'),
    provenance,
    updatedAt: Math.max(...Object.values(provenance).map(({ seenAt }) => seenAt)),
  };
}

function dateStatusOf(
  status: IpoStatus,
  date: LocalDate | null,
  statedType: IpoObservation['dateStatus'] = null,
): IpoDateStatus {
  if (date === null) return 'unknown';
  return status === 'priced' ? 'confirmed' : (statedType ?? 'expected');
}

function sizeOf(price: string | null, shares: string | null): string | null {
  return price === null || shares === null ? null : multiplyDecimals(price, shares);
}

type Picker = <Field extends keyof IpoObservation>(
  field: Field,
) => NonNullable<IpoObservation[Field]> | null;

/**
 * Returns a function that picks the first known value in order of progress and records its source.
 */
function picker(stages: readonly IpoHistory[], provenance: Ipo['provenance']): Picker {
  return (field) => {
    for (const history of stages) {
      const observation = history.observations.findLast(
        ({ fields }) => fields[field] !== undefined,
      );
      const value = observation?.fields[field];
      if (observation === undefined || value == null) continue;
      const seenAt = unchangedSince(history, observation, (fields) => {
        return fields[field] === undefined ? undefined : canonicalJson(fields[field]);
      });
      provenance[field] = { provider: history.provider, feed: history.feed, seenAt };
      return value;
    }
    return null;
  };
}

/**
 * Orders histories by how well they describe the state of the deal: its end first, then the newer
 * of expected and postponed, then the filing. Within a stage, preferred providers come first.
 */
function byProgress(end: IpoStatus): (a: IpoHistory, b: IpoHistory) => number {
  const rankOfStage = (history: IpoHistory): number => {
    const { stage } = latest(history).fields;
    if (stage === 'priced' || stage === 'withdrawn') return stage === end ? 0 : 1;
    return stage === 'filed' ? 3 : 2;
  };
  return (a, b) =>
    rankOfStage(a) - rankOfStage(b) ||
    rankOf('ipos', a) - rankOf('ipos', b) ||
    latest(b).at - latest(a).at ||
    compareText(nameOf(a), nameOf(b));
}

/**
 * Returns how the deal ended. If it is both priced and withdrawn, the later date wins; on the same
 * date, the pricing wins.
 */
function endOf(histories: readonly IpoHistory[]): IpoStatus {
  const lastDay = (stage: IpoStatus): string =>
    histories
      .map((history) => latest(history).fields)
      .filter((fields) => fields.stage === stage)
      .map(({ pricedDate, withdrawnDate }) => pricedDate ?? withdrawnDate ?? '')
      .reduce((last, day) => (day > last ? day : last), '');
  const isPriced = histories.some((history) => latest(history).fields.stage === 'priced');
  return isPriced && lastDay('priced') >= lastDay('withdrawn') ? 'priced' : 'withdrawn';
}

function nameOf({ provider, feed, entityKey, naturalKey }: IpoHistory): string {
  return `${provider}/${feed}/${entityKey}/${naturalKey}`;
}
