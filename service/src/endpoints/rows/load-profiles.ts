import { type Topic, topics } from '../../datasets/topics.gen.ts';
import { loadBars } from '../../datasets/bars/load.ts';
import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { loadMarketOverrides } from '../../datasets/market-overrides/store.ts';
import { loadPublicProfile } from '../../datasets/profiles/load-public.ts';
import type { Profile } from '../../datasets/profiles/row.ts';
import { loadProfiles } from '../../datasets/profiles/store.ts';
import { datasets } from '../../datasets/registry.gen.ts';
import { loadListedIds } from '../../datasets/securities/listed.ts';
import { publicIdentity } from '../../datasets/securities/public-identity.ts';
import type { Security } from '../../datasets/securities/row.ts';
import { firstSeenAt } from '../../datasets/source-records/first-seen.ts';
import { meanVolume } from '../../domain/average-volume.ts';
import { roundFraction } from '../../domain/fraction.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { marketCalendar, type MarketCalendar } from '../../domain/market/calendar.ts';
import { compareText } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';
import { loadInSlices } from '../../platform/slices.ts';
import type { Queryable } from '../../storage/db.ts';
import type { KnownGap, Values } from '../endpoint.ts';
import { maybe } from './earnings-row.ts';
import { earningsGaps, loadKnownEarnings } from './known-earnings.ts';
import { loadLastCloses, SESSIONS_BACK } from './last-closes.ts';
import { gapsAt, isPublic, type PointInTime, storeInstantOf } from './past-reads.ts';
import {
  type CompanyProfile,
  NO_PRICES,
  type Prices,
  PROFILE_SOURCES,
  renderProfile,
} from './profile-row.ts';
import { securityEntityKeys, withProvenance } from './provenance.ts';

export interface LoadedProfiles {
  /** Profiles in the order of their securities. */
  profiles: CompanyProfile[];
  /** Securities without public data at that time. */
  unknown: Security[];
  asOf: Instant | null;
  knownGaps: KnownGap[];
}

/** Loads the profiles of securities as of a point in time, with provenance if requested. */
export async function loadCompanyProfiles(
  db: Queryable,
  holders: readonly Security[],
  { values, point }: { values: Values; point: PointInTime },
): Promise<LoadedProfiles> {
  const { at, today } = point;
  const market = marketCalendar((await loadMarketOverrides(db, at)).overrides);
  const stored = await loadStored(db, holders, point);
  const known = await loadKnownEarnings(db, holders, point, market);
  const eventsOf = Map.groupBy(known.events, ({ securityId }) => securityId);
  const isUnknown = ({ id }: Security): boolean =>
    isPublic(point) && !stored.has(id) && !eventsOf.has(id);
  const shown = holders.filter((holder) => !isUnknown(holder));
  const prices = at === null ? await loadPrices(db, shown, { today, market }) : null;
  const listed = at === null ? await loadListedIds(db, shown) : null;
  const bodies: CompanyProfile[] = [];
  const instants: Instant[] = [];
  for (const holder of shown) {
    const { id } = holder;
    const security = isPublic(point) ? publicIdentity(holder, today) : holder;
    const [profile, events] = [stored.get(id) ?? null, eventsOf.get(id) ?? []];
    // Includes released reports, because a release changes which report is the next one.
    const newest = Math.max(profile?.updatedAt ?? 0, ...events.map((event) => event.updatedAt));
    const updatedAt = newest > 0 ? newest : await firstKnownAt(db, security, at);
    const active = listed === null ? wasActive(security, point) : listed.has(id);
    const next = nextReport(events, today);
    const ownPrices = prices?.get(id) ?? NO_PRICES;
    const facts = { security, active, stored: profile, prices: ownPrices, events, next, updatedAt };
    bodies.push(renderProfile(facts));
    instants.push(updatedAt);
  }
  const rows = shown.map(({ id }) => stored.get(id) ?? { securityId: id, provenance: {} });
  const entityKeysOf = securityEntityKeys(db, rows, storeInstantOf(point));
  const query = { dataset: 'profiles', rows, fields: PROFILE_SOURCES, entityKeysOf };
  return {
    profiles: await withProvenance(db, values, query, bodies),
    unknown: holders.filter(isUnknown),
    asOf: instants.length === 0 ? null : Math.max(...instants),
    knownGaps: [
      ...gapsAt(point, ['profiles'], recordedSince(holders, stored)),
      ...earningsGaps(point, known),
    ],
  };
}

async function loadStored(
  db: Queryable,
  holders: readonly Security[],
  point: PointInTime,
): Promise<Map<string, Profile>> {
  if (!isPublic(point)) {
    const profiles = await loadProfiles(
      db,
      holders.map(({ id }) => id),
      point.at,
    );
    return new Map(profiles.map((profile) => [profile.securityId, profile]));
  }
  const stored = new Map<string, Profile>();
  for (const holder of holders) {
    const profile = await loadPublicProfile(db, holder, point.at);
    if (profile !== null) stored.set(holder.id, profile);
  }
  return stored;
}

/** Returns when the last of the profiles was recorded; null if one of them never was. */
function recordedSince(
  holders: readonly Security[],
  stored: ReadonlyMap<string, Profile>,
): Instant | null {
  const profiles = holders.flatMap(({ id }) => stored.get(id) ?? []);
  if (profiles.length < holders.length) return null;
  return profiles.reduce((newest, { updatedAt }) => Math.max(newest, updatedAt), 0);
}

/**
 * Returns whether a security was listed at a past instant. Price lists have no history, so the
 * result for a symbol that appears only in these is null, and so is the public's knowledge.
 */
function wasActive({ cik, active }: Security, point: PointInTime): boolean | null {
  if (isPublic(point)) return null;
  return !active || cik !== null ? active : null;
}

/**
 * Returns the time of the first observation of a company, used if neither lists nor reports have
 * one.
 */
async function firstKnownAt(
  db: Queryable,
  { symbols }: Security,
  at: Instant | null,
): Promise<Instant> {
  const subjects = symbols.map(({ symbol }) => symbol);
  const names = datasets.map(({ name }) => name);
  return (await firstSeenAt(db, { datasets: names, entityKeys: subjects }, at)) ?? 0;
}

async function loadPrices(
  db: Queryable,
  securities: readonly Security[],
  { today, market }: { today: LocalDate; market: MarketCalendar },
): Promise<Map<string, Prices>> {
  const listed = securities.map(({ id, symbol }) => ({ securityId: id, symbol }));
  const closes = await loadLastCloses(db, listed, { today, market });
  const ids = securities.map(({ id }) => id);
  const from = market.addTradingDays(today, -SESSIONS_BACK);
  const span = { from, to: today, basis: today };
  const bars = new Map(await loadInSlices(ids, 10, (slice) => loadBars(db, slice, span)));
  return new Map(
    ids.map((id) => {
      const own = bars.get(id)?.bars ?? [];
      const last = own.at(-1);
      const mean = last === undefined ? null : meanVolume(own, market, last.date);
      const averageVolume = maybe(mean, (volume) => roundFraction(volume, 0));
      return [id, { ...NO_PRICES, ...closes.get(id), averageVolume }];
    }),
  );
}

/** Returns the earliest unreleased report dated today or later, or null if there is none. */
function nextReport(events: readonly EarningsEvent[], today: LocalDate): EarningsEvent | null {
  const ahead = events
    .filter(({ date: day, dateStatus }) => day >= today && dateStatus !== 'reported')
    .toSorted((a, b) => compareText(a.date, b.date) || compareText(a.id, b.id));
  return ahead[0] ?? null;
}

/** Returns the topics that make a response with the profiles of these symbols stale. */
export function profileTopics(symbols: readonly string[]): Topic[] {
  return [
    ...symbols.flatMap((symbol) => [
      topics.profiles.symbol(symbol),
      topics.securities.symbol(symbol),
      topics.bars.symbol(symbol),
    ]),
    topics.bars.all,
    topics.marketOverrides.any,
  ];
}
