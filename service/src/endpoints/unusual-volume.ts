import { topics } from '../datasets/topics.gen.ts';
import { loadBars } from '../datasets/bars/load.ts';
import { unusualVolumeCandidates } from '../datasets/bars/unusual-volume.ts';
import type { EarningsEvent } from '../datasets/earnings/row.ts';
import { loadProfiles } from '../datasets/profiles/store.ts';
import { publicIdentity } from '../datasets/securities/public-identity.ts';
import { loadSecuritiesById } from '../datasets/securities/store.ts';
import { addDays, type LocalDate } from '../domain/local-date.ts';
import type { SecurityTag } from '../domain/security-type.ts';
import { newYorkDate, nextNewYorkMidnight } from '../domain/new-york.ts';
import {
  deriveUnusualVolume,
  reportWithinOneSession,
  VOLUME_CRITERIA,
  type VolumeCriteria,
} from '../domain/unusual-volume.ts';
import { formatInstant, type Instant } from '../platform/instant.ts';
import type { Queryable } from '../storage/db.ts';
import type { Endpoint, EndpointContext, EndpointResponse, Values } from './endpoint.ts';
import { maybe } from './rows/earnings-row.ts';
import { earningsGaps, loadKnownEarningsBetween } from './rows/known-earnings.ts';
import {
  isPublic,
  type PointInTime,
  pointInTimeOf,
  storeInstantOf,
  withPastPriceReads,
} from './rows/past-reads.ts';
import { loadPriceContext, type PriceContext, pricesSeenAt } from './rows/price-context.ts';
import {
  renderCriteria,
  renderVolumeRow,
  unusualBody,
  type UnusualCandidate,
} from './rows/unusual-row.ts';
import { unusualExample } from './rows/unusual-example.ts';

/**
 * Number of days whose reports may appear in a response. Late results for these days change the
 * response.
 */
const REPORT_DAYS = 8;

/** Tags of securities that are not the ones usually meant by a company's symbol. */
const EXCLUDED_TAGS: ReadonlySet<SecurityTag> = new Set(['preferred', 'warrant', 'right', 'unit']);

/** Creates the endpoint with the operator's criteria, which are included in the response. */
export function unusualVolumeEndpoint(criteria: VolumeCriteria): Endpoint {
  return withPastPriceReads({
    name: 'unusual-volume',
    path: '/v1/unusual-volume',
    summary: 'Stocks with unusual volume',
    describe:
      'Securities whose volume in the newest session was far above the average of the ' +
      'preceding sessions, in two lists: those that rose and those that fell. Sorted by ' +
      'relative volume, greatest first. `criteria` holds the limits; by default, twice the ' +
      'average of 20 sessions. Preferred shares, warrants, rights and units are excluded.',
    tag: 'market',
    parameters: [],
    response: unusualBody,
    example: unusualExample,
    buckets: ['up', 'down'],
    datasets: ['bars'],
    historicalAccess: false,
    topics: (_, now) => [
      topics.bars.any,
      topics.profiles.namesAndKinds,
      topics.marketOverrides.any,
      ...Array.from({ length: REPORT_DAYS }, (__, back) => {
        return topics.earnings.date(addDays(newYorkDate(now), -back));
      }),
    ],
    validUntil: (_, now) => nextNewYorkMidnight(now),
    maxAgeSeconds: () => 3600,
    handle: (values, context) => respond(values, context, criteria),
  });
}

export const endpoint: Endpoint = unusualVolumeEndpoint(VOLUME_CRITERIA);

async function respond(
  values: Values,
  { db, now }: EndpointContext,
  criteria: VolumeCriteria,
): Promise<EndpointResponse> {
  const point = pointInTimeOf(values, now);
  const context = await loadPriceContext(db, point);
  const { market, session, today } = context;
  // If the store has no bars, the response is empty and refers to the previous session.
  const date = session ?? market.previousTradingDay(today);
  const { candidates, asOf } =
    session === null
      ? { candidates: [], asOf: null }
      : await loadCandidates(db, session, { ...context, point, criteria });
  const { up, down } = deriveUnusualVolume(candidates, date, market, criteria);
  const days = { from: market.previousTradingDay(date), to: date };
  const securityIds = [...up, ...down].map(({ candidate }) => candidate.securityId);
  const known = await loadKnownEarningsBetween(db, days, point, { market, securityIds });
  const reports = Map.groupBy(known.events.filter(isPast), ({ securityId }) => securityId);
  const render = (row: (typeof up)[number]) => {
    const securityReports = reports.get(row.candidate.securityId) ?? [];
    return renderVolumeRow(row, reportWithinOneSession(securityReports, date, market));
  };
  return {
    kind: 'body',
    body: {
      date,
      asOf: maybe(asOf, formatInstant),
      session: 'final',
      criteria: renderCriteria(criteria),
      up: up.map(render),
      down: down.map(render),
    },
    asOf,
    knownGaps: earningsGaps(point, known),
  };
}

async function loadCandidates(
  db: Queryable,
  date: LocalDate,
  { market, point, criteria }: PriceContext & { point: PointInTime; criteria: VolumeCriteria },
): Promise<{ candidates: UnusualCandidate[]; asOf: Instant | null }> {
  const from = market.addTradingDays(date, -criteria.lookbackSessions);
  const ids = await unusualVolumeCandidates(db, from, date, criteria);
  const prices = await loadBars(db, ids, { from, to: date, basis: date });
  const identities = await loadIdentities(db, ids, point);
  const candidates = [...prices].flatMap(([securityId, { bars }]): UnusualCandidate[] => {
    const identity = identities.get(securityId);
    if (identity === undefined || identity.type === 'non_equity') return [];
    const { symbol, name, type, tags } = identity;
    if (tags.some((tag) => EXCLUDED_TAGS.has(tag))) return [];
    return [{ securityId, symbol, name, type, bars }];
  });
  return { candidates, asOf: pricesSeenAt(prices.values(), { market }, point) };
}

type Identity = Pick<UnusualCandidate, 'symbol' | 'name' | 'type'> & {
  tags: readonly SecurityTag[];
};

/**
 * Loads the symbols, names and kinds of securities. For the public's knowledge, the kinds are
 * today's, the symbols those of the day, and the names are null.
 */
async function loadIdentities(
  db: Queryable,
  ids: readonly string[],
  point: PointInTime,
): Promise<Map<string, Identity>> {
  const profiles = await loadProfiles(db, ids, storeInstantOf(point));
  const securities = isPublic(point) ? await loadSecuritiesById(db, ids, null) : [];
  const symbols = new Map(
    securities.map((security) => [security.id, publicIdentity(security, point.today).symbol]),
  );
  return new Map(
    profiles.map(({ securityId, symbol, fields: { companyName, type, tags } }) => {
      const name = isPublic(point) ? null : companyName;
      return [securityId, { symbol: symbols.get(securityId) ?? symbol, name, type, tags }];
    }),
  );
}

/** Returns whether a report of a past day is worth showing: it has results, a filing or a named session. */
function isPast({ dateStatus, time, projection }: EarningsEvent): boolean {
  const hasSession = time !== 'time-not-supplied' && projection === null;
  return dateStatus === 'reported' || hasSession;
}
