import { loadExpiringKeys } from '../../accounts/keys/expiring-keys.ts';
import { daysWithoutBars } from '../../datasets/bars/gaps.ts';
import { describeWithheld, loadWithheldBars } from '../../datasets/bars/withheld.ts';
import { type Disagreement, loadDisagreements } from '../../datasets/earnings/disagreements.ts';
import { loadFreshness } from '../../datasets/freshness/freshness.ts';
import { loadFeedFreshness } from '../../datasets/freshness/load.ts';
import { daysWithoutResponse, loadFirstResponseAt } from '../../datasets/freshness/gaps.ts';
import { countOpenRequests } from '../../datasets/jobs/request-store.ts';
import { countQuarantinedSince } from '../../datasets/quarantine/counts.ts';
import { addDays, type LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import { loadClockLeadMs } from '../../datasets/versions/clock-lead.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import { compareBy } from '../../platform/compare.ts';
import type { Provider } from '../../providers/provider.ts';
import { providers } from '../../providers/registry.gen.ts';
import type { Db } from '../../storage/db.ts';
import { broken, type Check, ok, skipped, warning } from './check.ts';

export interface DataCheckDeps {
  db: Db;
  now: Instant;
  market: MarketCalendar;
  /** Sources that are currently ingested. */
  sources: readonly Provider[];
}

const DAY_MS = 86_400_000;
/** Number of sessions to check: about one month. */
const TRADING_DAYS = 20;
/** Period in which withheld price lists are worth a warning. */
const WITHHELD_DAYS = 30;
const EXAMPLES_MAX = 5;
const QUARANTINED_MAX = 100;
const KEY_DAYS = 14;

/** Compares the age of each data set with its target. */
export async function checkFreshness({
  db,
  now,
  market,
  sources,
}: DataCheckDeps): Promise<Check[]> {
  const feeds = sources.flatMap((provider) =>
    provider.feeds.map((feed) => ({
      provider: provider.name,
      feed: feed.name,
      datasets: feed.datasets,
      isAsked: true,
    })),
  );
  if (feeds.length === 0) return [skipped('freshness', 'no sources are ingested')];
  // A running service generates the simulated market, so there is nothing to request.
  const isSimulated = sources.every(({ redistribution }) => redistribution === 'synthetic');
  const fix = isSimulated
    ? 'the simulated market is generated while the service runs: afterbell start'
    : 'check that the service is running and the source responds, then run: afterbell ingest run';
  const report = await loadFreshness({ db, feeds, market, now });
  return report
    .filter(({ dataset }) => feeds.some((feed) => feed.datasets.includes(dataset)))
    .map(({ dataset, state, lastSuccessAt, targetSeconds }) => {
      const target = `target ${hours((targetSeconds ?? 0) * 1000)}`;
      if (lastSuccessAt === null) return warning('freshness', `${dataset}: no data yet`, fix);
      const text = `${dataset}: last successful response ${hours(now - lastSuccessAt)} ago, ${target}`;
      return state === 'late' ? warning('freshness', text, fix) : ok('freshness', text);
    });
}

/** Checks the last 20 sessions for missing bars and missing earnings calendars. */
export async function checkGaps(deps: DataCheckDeps): Promise<Check[]> {
  const { db, now, market, sources } = deps;
  const firstAt = await loadFirstResponseAt(db);
  if (firstAt === null) return [skipped('gaps', 'nothing has been ingested yet')];
  // Bars for today's session arrive overnight.
  const last = addDays(newYorkDate(now), -1);
  const days = market
    .tradingDays(addDays(last, -2 * TRADING_DAYS), last)
    .slice(-TRADING_DAYS)
    .filter((day) => day >= newYorkDate(firstAt));
  if (days.length === 0) return [ok('gaps', 'the store is newer than the last session')];
  const checks = [];
  if (sources.some((source) => source.feeds.some(({ datasets }) => datasets.includes('bars')))) {
    checks.push(
      gapCheck('bars', days, await daysWithoutBars(db, days), 'afterbell ingest backfill'),
    );
  }
  const calendars = sources
    .filter(({ hosts }) => hosts.length > 0)
    .flatMap(({ name, feeds }) =>
      feeds
        .filter(({ name: feed }) => feed.includes('calendar'))
        .filter(({ datasets }) => datasets.includes('earnings'))
        .map((feed) => ({ provider: name, feed: feed.name })),
    );
  if (calendars.length > 0) {
    const since = newYorkInstant(addDays(last, -3 * TRADING_DAYS), 0);
    const missing = await daysWithoutResponse(db, calendars, days, since);
    checks.push(gapCheck('earnings calendars', days, missing, 'afterbell ingest backfill'));
  }
  return checks;
}

function gapCheck(
  label: string,
  days: readonly LocalDate[],
  missing: readonly LocalDate[],
  command: string,
): Check {
  const [first, last] = [missing[0], missing.at(-1)];
  if (first === undefined || last === undefined) {
    return ok('gaps', `${label}: complete for the last ${days.length} sessions`);
  }
  return warning(
    'gaps',
    `${label}: missing for ${missing.length} of the last ${days.length} sessions (${missing.join(', ')})`,
    `${command} --from ${first} --to ${last}`,
  );
}

/**
 * Counts the reports on which sources disagree, by field and by sources, from one week before to two
 * weeks after the newest calendar. In a store of replayed data, that may be long ago.
 */
export async function checkDisagreements(deps: DataCheckDeps): Promise<Check[]> {
  const { db } = deps;
  const now = await newestCalendarAt(deps);
  const today = newYorkDate(now);
  const disagreements = await loadDisagreements(db, {
    from: addDays(today, -7),
    to: addDays(today, 14),
    since: now - 14 * DAY_MS,
  });
  if (disagreements.length === 0) {
    return [ok('sources agree', `no reports around ${today} on which sources disagree`)];
  }
  const fields = ['date', 'time', 'eps'] as const;
  return fields.flatMap((field) => {
    const affected = disagreements.filter((disagreement) => disagreement.field === field);
    if (affected.length === 0) return [];
    const examples = affected.slice(0, EXAMPLES_MAX).map(describe).join('; ');
    return [
      warning(
        'sources agree',
        `${affected.length} reports around ${today} with conflicting values of ${field} ` +
          `(${countsBySources(affected)}): ${examples}`,
        'each value with its source and the reason for the choice: ' +
          `GET /v1/earnings?symbol=${affected[0]?.symbol}&include=alternatives`,
      ),
    ];
  });
}

/** Returns how many reports each pair of sources disagrees on, most first. */
function countsBySources(disagreements: readonly Disagreement[]): string {
  const counts = new Map<string, number>();
  for (const { values } of disagreements) {
    const sources = values.toSorted(compareBy(({ provider }) => provider));
    for (const [i, a] of sources.entries()) {
      for (const b of sources.slice(i + 1)) {
        const pair = `${a.provider} and ${b.provider}`;
        if (a.value !== b.value) counts.set(pair, (counts.get(pair) ?? 0) + 1);
      }
    }
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([pair, count]) => `${pair}: ${count}`)
    .join(', ');
}

/** Returns the time of the newest calendar, or now if it is not older than the checked period. */
async function newestCalendarAt({ db, now }: DataCheckDeps): Promise<Instant> {
  const feeds = providers.flatMap(({ name: provider, feeds: all }) =>
    all
      .filter(({ name, datasets }) => name.includes('calendar') && datasets.includes('earnings'))
      .map(({ name: feed }) => ({ provider, feed })),
  );
  const times = (await loadFeedFreshness(db, feeds)).map((feed) => feed.newestObservationAt);
  const newestAt = Math.max(...times);
  return times.length > 0 && newestAt < now - 7 * DAY_MS ? newestAt : now;
}

function describe({ symbol, values }: Disagreement): string {
  return `${symbol} ${values.map(({ provider, value }) => `${value} (${provider})`).join(' / ')}`;
}

/** Reports price lists of the last month whose rows are not served under their own evening. */
export async function checkPriceLists({ db, now }: DataCheckDeps): Promise<Check[]> {
  const since = addDays(newYorkDate(now), -WITHHELD_DAYS);
  const recent = await loadWithheldBars(db, since);
  const late = recent.filter(({ reason }) => reason !== 'stale-row');
  const others = await loadWithheldBars(db);
  if (late.length === 0) {
    const total = others.reduce((sum, { rows, servedRows }) => sum + rows - servedRows, 0);
    const text = `no late price lists in the last ${WITHHELD_DAYS} days`;
    return [ok('price lists', total === 0 ? text : `${text}; ${total} older rows withheld`)];
  }
  const fix =
    'prices appear one session late until the source recovers; a source of dated bars fills the gap';
  return late.map((bars) => warning('price lists', describeWithheld(bars), fix));
}

/** Counts the rows quarantined in the last seven days. */
export async function checkQuarantine({ db, now }: DataCheckDeps): Promise<Check> {
  const counts = await countQuarantinedSince(db, now - 7 * DAY_MS);
  const total = counts.reduce((sum, { rows }) => sum + rows, 0);
  if (total === 0) return ok('quarantine', 'no rows quarantined in the last 7 days');
  const reasons = counts
    .slice(0, EXAMPLES_MAX)
    .map(({ dataset, reason, rows }) => `${rows} ${dataset} ${reason}`)
    .join(', ');
  const text = `${total} rows quarantined in the last 7 days: ${reasons}`;
  if (total <= QUARANTINED_MAX) return ok('quarantine', text);
  return warning(
    'quarantine',
    text,
    'a source may have changed its format: inspect the rows, then update Afterbell',
  );
}

/** Compares the clock with the newest commit in the store. */
export async function checkClockLead({ db, now }: DataCheckDeps): Promise<Check> {
  const leadMs = await loadClockLeadMs(db, now);
  if (leadMs === null) return ok('store clock', 'nothing was recorded in the future');
  return broken(
    'store clock',
    `data was recorded up to ${formatInstant(now + leadMs)}, ${hours(leadMs)} ahead of the clock`,
    'new data cannot replace it: correct the clock, then run: afterbell ingest reset-ahead',
  );
}

/** Finds active API keys that expire within two weeks. */
export async function checkKeys({ db, now }: DataCheckDeps): Promise<Check> {
  const keys = await loadExpiringKeys(db, now, now + KEY_DAYS * DAY_MS);
  if (keys.length === 0) return ok('keys', `no API keys expire within ${KEY_DAYS} days`);
  const examples = keys
    .slice(0, EXAMPLES_MAX)
    .map(({ customer, last4, expiresAt }) => `${customer} …${last4} on ${day(expiresAt)}`)
    .join(', ');
  return warning(
    'keys',
    `${keys.length} API keys expire within ${KEY_DAYS} days: ${examples}`,
    'roll them with afterbell keys roll',
  );
}

/** Reports backfills that have not finished. */
export async function checkRequests({ db }: DataCheckDeps): Promise<Check> {
  const open = await countOpenRequests(db);
  if (open.length === 0) return ok('back-fill', 'no open requests');
  const text = open
    .map(({ provider, requests }) => `${requests} requests to ${provider}`)
    .join(', ');
  return ok('back-fill', `open, made when a running service is idle: ${text}`);
}

function day(at: Instant): string {
  return formatInstant(at).slice(0, 10);
}

function hours(durationMs: number): string {
  const minutes = Math.round(durationMs / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 72 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}
