import { loadBars } from '../datasets/bars/load.ts';
import { ANY_BARS_TOPIC } from '../datasets/bars/topics.ts';
import { unusualVolumeCandidates } from '../datasets/bars/unusual-volume.ts';
import { loadPastEarnings } from '../datasets/earnings/store.ts';
import { MARKET_OVERRIDES_TOPIC } from '../datasets/market-overrides/store.ts';
import { loadProfiles, NAMES_AND_KINDS_TOPIC } from '../datasets/profiles/store.ts';
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
import type { Endpoint } from './endpoint.ts';
import { maybe } from './rows/earnings-row.ts';
import { withoutPastReads } from './rows/past-reads.ts';
import { loadPriceContext, type PriceContext } from './rows/price-context.ts';
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
  return withoutPastReads({
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
      ANY_BARS_TOPIC,
      NAMES_AND_KINDS_TOPIC,
      MARKET_OVERRIDES_TOPIC,
      ...Array.from({ length: REPORT_DAYS }, (__, back) => {
        return `earnings:date:${addDays(newYorkDate(now), -back)}`;
      }),
    ],
    validUntil: (_, now) => nextNewYorkMidnight(now),
    maxAgeSeconds: () => 3600,
    async handle(_, { db, now }) {
      const context = await loadPriceContext(db);
      const { market, session } = context;
      // If the store has no bars, the response is empty and refers to the previous session.
      const date = session ?? market.previousTradingDay(newYorkDate(now));
      const { candidates, asOf } =
        session === null
          ? { candidates: [], asOf: null }
          : await loadCandidates(db, session, context, criteria);
      const { up, down } = deriveUnusualVolume(candidates, date, market, criteria);
      const reports = Map.groupBy(
        await loadPastEarnings(db, market.previousTradingDay(date), date),
        ({ securityId }) => securityId,
      );
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
      };
    },
  });
}

export const endpoint: Endpoint = unusualVolumeEndpoint(VOLUME_CRITERIA);

async function loadCandidates(
  db: Queryable,
  date: LocalDate,
  { market }: PriceContext,
  criteria: VolumeCriteria,
): Promise<{ candidates: UnusualCandidate[]; asOf: Instant | null }> {
  const from = market.addTradingDays(date, -criteria.lookbackSessions);
  const ids = await unusualVolumeCandidates(db, from, date, criteria);
  const prices = await loadBars(db, ids, { from, to: date, basis: date });
  const profiles = new Map((await loadProfiles(db, ids)).map((row) => [row.securityId, row]));
  const candidates = [...prices].flatMap(([securityId, { bars }]): UnusualCandidate[] => {
    const profile = profiles.get(securityId);
    if (profile === undefined || profile.fields.type === 'non_equity') return [];
    const { symbol, fields } = profile;
    if (fields.tags.some((tag) => EXCLUDED_TAGS.has(tag))) return [];
    return [{ securityId, symbol, name: fields.companyName, type: fields.type, bars }];
  });
  const observedAt = [...prices.values()].map(({ seenAt }) => seenAt);
  return { candidates, asOf: observedAt.length === 0 ? null : Math.max(...observedAt) };
}
