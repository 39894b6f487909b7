import { multiplyDecimals } from '../../domain/decimal.ts';
import { exchangeOf } from '../../domain/exchange.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';
import { latest, saidSince } from '../source-records/observation-history.ts';
import type { IpoThread } from './attempts.ts';
import { type Deal, dealName, dealsOf, firstAt } from './deal.ts';
import type { IpoObservation, IpoStatus } from './observation.ts';
import { offeringTypeOf } from './offering-type.ts';
import { type Ipo, type IpoDateStatus, ipoId } from './row.ts';

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
  const stages = deal.threads.toSorted(byProgress(endOf(deal.threads)));
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
 * The thread that tells how the deal stands comes first: its end, else what was said last of coming
 * or put off, else the filing. Of one stage, whoever is believed more.
 */
function byProgress(end: IpoStatus): (a: IpoThread, b: IpoThread) => number {
  const rankOfStage = (thread: IpoThread): number => {
    const { stage } = latest(thread).fields;
    if (stage === 'priced' || stage === 'withdrawn') return stage === end ? 0 : 1;
    return stage === 'filed' ? 3 : 2;
  };
  return (a, b) =>
    rankOfStage(a) - rankOfStage(b) ||
    rankOf(a) - rankOf(b) ||
    latest(b).at - latest(a).at ||
    (nameOf(a) < nameOf(b) ? -1 : 1);
}

/** Two kinds of end contradict each other: the one of the later day counts, else the pricing. */
function endOf(threads: readonly IpoThread[]): IpoStatus {
  const lastDay = (stage: IpoStatus): string =>
    threads
      .map((thread) => latest(thread).fields)
      .filter((fields) => fields.stage === stage)
      .map(({ pricedDate, withdrawnDate }) => pricedDate ?? withdrawnDate ?? '')
      .reduce((last, day) => (day > last ? day : last), '');
  const isPriced = threads.some((thread) => latest(thread).fields.stage === 'priced');
  return isPriced && lastDay('priced') >= lastDay('withdrawn') ? 'priced' : 'withdrawn';
}

function rankOf({ provider }: IpoThread): number {
  const at = PROVIDERS.indexOf(provider);
  return at === -1 ? PROVIDERS.length : at;
}

function nameOf({ provider, feed, subject, naturalKey }: IpoThread): string {
  return `${provider}/${feed}/${subject}/${naturalKey}`;
}
