import { loadLatestResponse } from '../../datasets/responses/load-response.ts';
import { compareSchedule } from '../../domain/market/compare-schedule.ts';
import { formatInstant } from '../../platform/instant.ts';
import { createSourceResponse } from '../../providers/source-response.ts';
import { type Check, ok, skipped, warning } from './check.ts';
import type { DataCheckDeps } from './check-data.ts';

const FEED = 'market-info';
const DAY_MS = 86_400_000;
/** An older statement is about sessions that are over. */
const AGE_MS_MAX = 4 * DAY_MS;

/** Compares the market calendar with the schedule that a source stated last. */
export async function checkMarket({ db, now, market, sources }: DataCheckDeps): Promise<Check[]> {
  const checks: Check[] = [];
  for (const { name, feeds } of sources) {
    const feed = feeds.find((candidate) => candidate.name === FEED);
    if (feed === undefined) continue;
    const latest = await loadLatestResponse(db, { provider: name, feed: FEED });
    if (latest === null || now - latest.observedAt > AGE_MS_MAX) {
      checks.push(skipped('market', `${name} stated no market schedule in the last days`));
      continue;
    }
    const { marketSchedule } = feed.parse(createSourceResponse(latest));
    if (marketSchedule === undefined) continue;
    const differences = compareSchedule(marketSchedule, market);
    const at = formatInstant(latest.observedAt);
    checks.push(
      differences.length === 0
        ? ok('market', `the market calendar agrees with ${name} (${at})`)
        : warning(
            'market',
            `${name} states another schedule (${at}): ${differences.join('; ')}`,
            'if the exchange confirms it, enter it on the dashboard page Market calendar',
          ),
    );
  }
  return checks;
}
