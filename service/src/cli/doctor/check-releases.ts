import { compareReleases } from '../../datasets/economic-events/compare-releases.ts';
import { loadReleaseDays } from '../../datasets/economic-events/awaited-figures.ts';
import { loadLatestResponse } from '../../datasets/responses/load-response.ts';
import { formatInstant } from '../../platform/instant.ts';
import { createSourceResponse } from '../../providers/source-response.ts';
import { type Check, ok, skipped, warning } from './check.ts';
import type { DataCheckDeps } from './check-data.ts';

const FEED = 'release-dates';
const DAY_MS = 86_400_000;
const AGE_MS_MAX = 4 * DAY_MS;
const EXAMPLES_MAX = 8;

/** Compares the days of economic releases with those that a source stated last. */
export async function checkReleases({ db, now, sources }: DataCheckDeps): Promise<Check[]> {
  const checks: Check[] = [];
  for (const { name, feeds } of sources) {
    const feed = feeds.find((candidate) => candidate.name === FEED);
    if (feed === undefined) continue;
    const latest = await loadLatestResponse(db, { provider: name, feed: FEED });
    if (latest === null || now - latest.observedAt > AGE_MS_MAX) {
      checks.push(skipped('releases', `${name} stated no days of releases in the last days`));
      continue;
    }
    const { releaseDates: stated } = feed.parse(createSourceResponse(latest));
    if (stated === undefined) continue;
    const differences = compareReleases(stated, await loadReleaseDays(db, stated));
    const at = formatInstant(latest.observedAt);
    checks.push(
      differences.length === 0
        ? ok('releases', `the economic calendar agrees with ${name} (${at})`)
        : warning(
            'releases',
            `${name} states other days (${at}): ${differences.slice(0, EXAMPLES_MAX).join('; ')}`,
            "compare them with the agency's own schedule, which the row's sourceUrl links to",
          ),
    );
  }
  return checks;
}
