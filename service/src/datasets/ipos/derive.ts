import { multiplyDecimals } from '../../domain/decimal.ts';
import { exchangeOf } from '../../domain/exchange.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';
import { latest, saidSince } from '../source-records/thread.ts';
import { dealName, dealsOf, firstAt } from './deal.ts';
import type { Deal, IpoThread } from './deal.ts';
import type { IpoObservation, IpoStatus } from './observation.ts';
import { offeringTypeOf } from './offering-type.ts';
import { ipoId } from './row.ts';
import type { Ipo, IpoDateStatus } from './row.ts';

/** Providers believed first: the operator's own file, then Nasdaq; others fill what it lacks. */
const PROVIDERS: readonly string[] = ['files', 'nasdaq'];

/**
 * The offerings that these threads tell of, by id. A pure function of the observations: the order
 * in which they arrived cannot matter. All threads that share a name, a symbol or a key must be in.
 */
export function deriveIpos(threads: readonly IpoThread[]): Ipo[] {
  return dealsOf(threads)
    .map(toIpo)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function toIpo(deal: Deal): Ipo {
  const stages = deal.threads.toSorted(byProgress);
  const [lead] = stages;
  const [first] = deal.threads.toSorted(
    (a, b) => firstAt([a]) - firstAt([b]) || (nameOf(a) < nameOf(b) ? -1 : 1),
  );
  if (lead === undefined || first === undefined) throw new RangeError('a deal nobody told of');
  const provenance: Ipo['provenance'] = {};
  const pick = picker(stages, provenance);
  provenance['status'] = {
    provider: lead.provider,
    feed: lead.feed,
    seenAt: saidSince(lead, latest(lead), ({ stage }) => stage),
  };
  const status = latest(lead).fields.stage;
  const companyName = pick('companyName') ?? lead.subject;
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
  const told = pick('offeringType');
  return {
    id: ipoId(dealName(first)),
    subject: first.subject,
    symbol,
    companyName,
    exchange: exchange === null ? null : exchangeOf(exchange).name,
    mic: exchange === null ? null : exchangeOf(exchange).mic,
    date,
    dateStatus: dateStatusOf(status, date, date === null ? null : pick('dateStatus')),
    status,
    offeringType:
      told ?? offeringTypeOf({ companyName, symbol, prices: [price, priceLow, priceHigh] }),
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
  told: IpoObservation['dateStatus'] = null,
): IpoDateStatus {
  if (date === null) return 'unknown';
  return status === 'priced' ? 'confirmed' : (told ?? 'expected');
}

function sizeOf(price: string | null, shares: string | null): string | null {
  return price === null || shares === null ? null : multiplyDecimals(price, shares);
}

type Picker = <Field extends keyof IpoObservation>(
  field: Field,
) => NonNullable<IpoObservation[Field]> | null;

/** The first known value in order of progress, with a note of who said it and since when. */
function picker(stages: readonly IpoThread[], provenance: Ipo['provenance']): Picker {
  return (field) => {
    for (const thread of stages) {
      const sighting = thread.sightings.findLast(({ fields }) => fields[field] !== undefined);
      const value = sighting?.fields[field];
      if (sighting === undefined || value == null) continue;
      const seenAt = saidSince(thread, sighting, (fields) => {
        return fields[field] === undefined ? undefined : canonicalJson(fields[field]);
      });
      provenance[field] = { provider: thread.provider, feed: thread.feed, seenAt };
      return value;
    }
    return null;
  };
}

/**
 * The thread that tells how the deal stands comes first: its end by the later day, else what was
 * said last of coming or put off, else the filing. Of one stage, whoever is believed more.
 */
function byProgress(a: IpoThread, b: IpoThread): number {
  const [left, right] = [latest(a).fields, latest(b).fields];
  return (
    rankOfStage(left.stage) - rankOfStage(right.stage) ||
    byEndDay(left, right) ||
    rankOf(a) - rankOf(b) ||
    latest(b).at - latest(a).at ||
    (nameOf(a) < nameOf(b) ? -1 : 1)
  );
}

function rankOfStage(stage: IpoStatus): number {
  if (stage === 'priced' || stage === 'withdrawn') return 0;
  return stage === 'filed' ? 2 : 1;
}

/** Ends of two kinds contradict each other: the later one counts, and of one day the pricing. */
function byEndDay(a: IpoObservation, b: IpoObservation): number {
  if (a.stage === b.stage || rankOfStage(a.stage) !== 0) return 0;
  const [left, right] = [endDay(a), endDay(b)];
  if (left !== right) return left > right ? -1 : 1;
  return a.stage === 'priced' ? -1 : 1;
}

function endDay({ pricedDate, withdrawnDate }: IpoObservation): string {
  return pricedDate ?? withdrawnDate ?? '';
}

function rankOf({ provider }: IpoThread): number {
  const at = PROVIDERS.indexOf(provider);
  return at === -1 ? PROVIDERS.length : at;
}

function nameOf({ provider, feed, subject, naturalKey }: IpoThread): string {
  return `${provider}/${feed}/${subject}/${naturalKey}`;
}
