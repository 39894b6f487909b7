import { loadExpiringKeys } from '../../accounts/keys/expiring-keys.ts';
import { daysWithoutBars } from '../../datasets/bars/gaps.ts';
import { type Disagreement, loadDisagreements } from '../../datasets/earnings/disagreements.ts';
import { loadFreshness } from '../../datasets/freshness/freshness.ts';
import { daysWithoutResponse, loadFirstResponseAt } from '../../datasets/freshness/gaps.ts';
import { countOpenRequests } from '../../datasets/jobs/request-store.ts';
import { countQuarantinedSince } from '../../datasets/quarantine/counts.ts';
import { addDays, type LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import type { Provider } from '../../providers/provider.ts';
import type { Db } from '../../storage/db.ts';
import { type Check, ok, skipped, warning } from './check.ts';

export interface DataCheckDeps {
  db: Db;
  now: Instant;
  market: MarketCalendar;
  /** Sources that are asked. */
  sources: readonly Provider[];
}

const DAY_MS = 86_400_000;
/** A month of sessions. */
const TRADING_DAYS = 20;
const EXAMPLES_MAX = 5;
const QUARANTINED_MAX = 100;
const KEY_DAYS = 14;

/** How old each data set is, against when it was due. */
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
    })),
  );
  if (feeds.length === 0) return [skipped('freshness', 'no source is asked, so nothing grows old')];
  // A made-up market comes by itself while the service runs: it cannot be asked.
  const isMadeUp = sources.every(({ redistribution }) => redistribution === 'synthetic');
  const mend = isMadeUp
    ? 'the simulated market fills it while the service runs: afterbell start'
    : 'see whether the service runs and the source answers, then: afterbell ingest run';
  const report = await loadFreshness({ db, feeds, isIngesting: true, market, now });
  return report
    .filter(({ dataset }) => feeds.some((feed) => feed.datasets.includes(dataset)))
    .map(({ dataset, state, lastSuccessAt, targetSeconds }) => {
      const target = `due every ${hours((targetSeconds ?? 0) * 1000)}`;
      if (lastSuccessAt === null) return warning('freshness', `${dataset}: nothing yet`, mend);
      const text = `${dataset}: last good answer ${hours(now - lastSuccessAt)} ago, ${target}`;
      return state === 'late' ? warning('freshness', text, mend) : ok('freshness', text);
    });
}

/** Sessions of the last month without bars, or of which no calendar was ever captured. */
export async function checkGaps(deps: DataCheckDeps): Promise<Check[]> {
  const { db, now, market, sources } = deps;
  const firstAt = await loadFirstResponseAt(db);
  if (firstAt === null) return [skipped('gaps', 'nothing has been gathered yet')];
  // The session of today has no bars before the night.
  const last = addDays(newYorkDate(now), -1);
  const days = market
    .tradingDays(addDays(last, -2 * TRADING_DAYS), last)
    .slice(-TRADING_DAYS)
    .filter((day) => day >= newYorkDate(firstAt));
  if (days.length === 0) return [ok('gaps', 'the store is younger than a session')];
  const checks = [];
  if (sources.some((each) => each.feeds.some(({ datasets }) => datasets.includes('bars')))) {
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
    checks.push(
      gapCheck('captures of the earnings calendar', days, missing, 'afterbell ingest backfill'),
    );
  }
  return checks;
}

function gapCheck(
  what: string,
  days: readonly LocalDate[],
  missing: readonly LocalDate[],
  command: string,
): Check {
  const [first, last] = [missing[0], missing.at(-1)];
  if (first === undefined || last === undefined) {
    return ok('gaps', `${what}: all of the last ${days.length} sessions`);
  }
  return warning(
    'gaps',
    `${what}: missing for ${missing.length} of the last ${days.length} sessions (${missing.join(', ')})`,
    `${command} --from ${first} --to ${last}`,
  );
}

/** Where sources differ on the reports of these weeks. */
export async function checkDisagreements({ db, now }: DataCheckDeps): Promise<Check[]> {
  const today = newYorkDate(now);
  const found = await loadDisagreements(db, {
    from: addDays(today, -7),
    to: addDays(today, 14),
    since: now - 14 * DAY_MS,
  });
  if (found.length === 0) return [ok('sources agree', 'no report on which two sources differ')];
  const fields = ['date', 'time', 'eps'] as const;
  return fields.flatMap((field) => {
    const some = found.filter((each) => each.field === field);
    if (some.length === 0) return [];
    const examples = some.slice(0, EXAMPLES_MAX).map(describe).join('; ');
    return [
      warning(
        'sources agree',
        `${some.length} reports with two values of ${field}: ${examples}`,
        'the answers follow the order of precedence; look at the worst yourself',
      ),
    ];
  });
}

function describe({ symbol, values }: Disagreement): string {
  return `${symbol} ${values.map(({ provider, value }) => `${value} (${provider})`).join(' / ')}`;
}

/** Rows of the last week that could not be read. */
export async function checkQuarantine({ db, now }: DataCheckDeps): Promise<Check> {
  const counts = await countQuarantinedSince(db, now - 7 * DAY_MS);
  const total = counts.reduce((sum, { rows }) => sum + rows, 0);
  if (total === 0) return ok('quarantine', 'no row of the last 7 days was set aside');
  const reasons = counts
    .slice(0, EXAMPLES_MAX)
    .map(({ dataset, reason, rows }) => `${rows} ${dataset} ${reason}`)
    .join(', ');
  const text = `${total} rows of the last 7 days were set aside: ${reasons}`;
  if (total <= QUARANTINED_MAX) return ok('quarantine', text);
  return warning('quarantine', text, 'a source may have a new form: look at the rows, then update');
}

/** Keys in use that expire within two weeks. */
export async function checkKeys({ db, now }: DataCheckDeps): Promise<Check> {
  const keys = await loadExpiringKeys(db, now, now + KEY_DAYS * DAY_MS);
  if (keys.length === 0) return ok('keys', `no key expires within ${KEY_DAYS} days`);
  const named = keys
    .slice(0, EXAMPLES_MAX)
    .map(({ customer, last4, expiresAt }) => `${customer} …${last4} on ${day(expiresAt)}`)
    .join(', ');
  return warning(
    'keys',
    `${keys.length} keys expire within ${KEY_DAYS} days: ${named}`,
    'roll them: afterbell keys roll',
  );
}

/** Back-fills that are not at their end. */
export async function checkRequests({ db }: DataCheckDeps): Promise<Check> {
  const open = await countOpenRequests(db);
  if (open.length === 0) return ok('back-fill', 'none is open');
  const text = open
    .map(({ provider, requests }) => `${requests} requests to ${provider}`)
    .join(', ');
  return ok('back-fill', `still to be made, in idle time of a running service: ${text}`);
}

function day(at: Instant): string {
  return formatInstant(at).slice(0, 10);
}

function hours(durationMs: number): string {
  const minutes = Math.round(durationMs / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 72 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}
