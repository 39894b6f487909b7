import type { FilingObservation } from '../../datasets/earnings/observation.ts';
import type { SeenFiling } from '../../datasets/filings/store.ts';
import { addDays, type LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import { readFiling } from '../filings/read-filing.ts';
import type { WatchedDeps } from './watched-deps.ts';
import type { Failure, WatchedSource } from './watched-source.ts';

/** A filing about results whose documents are still to be read. */
export interface UnreadRelease {
  filing: SeenFiling;
  day: LocalDate;
  tries: number;
}

const RELEASES_MAX = 2;
/** Figures of older releases are in the company's later filings. */
const DAYS_BACK = 200;
const TRIES_MAX = 3;

/** Returns a filer's newest filings about results, without those that were seen before. */
export async function newReleases(
  { clock, ledger, provider, store }: WatchedDeps,
  cik: string,
  today: LocalDate,
): Promise<UnreadRelease[]> {
  const { follower } = provider;
  if (follower === undefined) return [];
  const filings = await store.loadFilings(cik, addDays(today, -DAYS_BACK));
  const dayOf = new Map(filings.map(({ accession, filingDate }) => [accession, filingDate]));
  const newest = filings
    .map((filing) => toSeenFiling(filing, clock.now()))
    .filter((filing) => follower.mayStateResults(filing))
    .slice(0, RELEASES_MAX);
  const added = await ledger.record(newest);
  return added.map((filing) => ({ filing, day: dayOf.get(filing.accession) ?? today, tries: 0 }));
}

/** Its delay does not count, because it was not seen when it was published. */
function toSeenFiling(filing: FilingObservation, seenAt: Instant): SeenFiling {
  const { accession, cik, form, items, acceptance } = filing;
  const acceptedAt = 'certain' in acceptance ? acceptance.certain : null;
  return { accession, cik, form, items, acceptedAt, seenAt, isLive: false, isOpen: true };
}

/** Reads a release, or gives it up after three failures. Its figures come with later filings. */
export async function readRelease(
  deps: WatchedDeps,
  source: WatchedSource,
  { symbol, release }: { symbol: string; release: UnreadRelease },
): Promise<Failure | null> {
  const { ledger, log, onProgress, provider } = deps;
  const { filing, day } = release;
  const { accession } = filing;
  if (provider.follower === undefined) return null;
  const access = { ...deps, follower: provider.follower, settings: deps };
  const outcome = await readFiling(access, filing);
  if (outcome.kind === 'stopped') return null;
  if (outcome.kind === 'read') {
    const { items, acceptedAt } = outcome.documents;
    await ledger.finish({
      accession,
      state: 'done',
      items,
      acceptedAt,
      mayServeAt: outcome.mayServeAt,
    });
    onProgress({ kind: 'document', symbol, title: `release of ${day}`, rows: null });
    return null;
  }
  const { host } = new URL(provider.follower.documentsRequest(filing, deps).url);
  const failure = source.failed(host, outcome.reason);
  if (failure.of === 'document') release.tries++;
  if (release.tries < TRIES_MAX) return failure;
  log.warn({ event: 'filings.failed', accession, reason: outcome.reason }, 'filing not read');
  const unknown = { items: null, acceptedAt: null, mayServeAt: null };
  await ledger.finish({ accession, state: 'failed', ...unknown });
  return null;
}
