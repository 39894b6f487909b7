import type { FilingObservation } from '../../datasets/earnings/observation.ts';
import type { SeenFiling } from '../../datasets/filings/store.ts';
import { addDays, type LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { DatedFiling } from '../../providers/filing-follower.ts';
import { readFiling } from '../filings/read-filing.ts';
import type { WatchedDeps } from './watched-deps.ts';
import type { Failure, WatchedSource } from './watched-source.ts';

/** A filing about results whose documents are still to be read. */
export interface UnreadRelease {
  filing: SeenFiling;
  day: LocalDate;
  tries: number;
  /** True if the filing may be about anything. */
  isPossible: boolean;
  /** False for a filing that is recorded when it is read. */
  isRecorded: boolean;
}

const RELEASES_MAX = 2;
/** Figures of older releases are in the company's later filings. */
const DAYS_BACK = 200;
const TRIES_MAX = 3;
/** A foreign company files this many reports in some months, of which one has results. */
const POSSIBLE_MAX = 12;

/**
 * Returns a filer's newest filings about results, without those that were seen before. For a filer
 * without any, returns its newest filings that may be about results.
 */
export async function newReleases(
  { clock, ledger, provider, store }: WatchedDeps,
  cik: string,
  today: LocalDate,
  loadPossible: () => Promise<readonly DatedFiling[]>,
): Promise<UnreadRelease[]> {
  const { follower } = provider;
  if (follower === undefined) return [];
  const filings = await store.loadFilings(cik, addDays(today, -DAYS_BACK));
  const dayOf = new Map(filings.map(({ accession, filingDate }) => [accession, filingDate]));
  const newest = filings
    .map((filing) => toSeenFiling(filing, clock.now()))
    .filter((filing) => follower.mayStateResults(filing))
    .slice(0, RELEASES_MAX);
  if (newest.length === 0) {
    return (await loadPossible())
      .filter(({ filingDate }) => filingDate >= addDays(today, -DAYS_BACK))
      .slice(0, POSSIBLE_MAX)
      .map(({ filingDate, ...listed }) => {
        const filing = { ...listed, seenAt: clock.now(), isLive: false, isOpen: true };
        return { filing, day: filingDate, tries: 0, isPossible: true, isRecorded: false };
      });
  }
  const added = await ledger.record(newest);
  return added.map((filing) => {
    const day = dayOf.get(filing.accession) ?? today;
    return { filing, day, tries: 0, isPossible: false, isRecorded: true };
  });
}

/** Its delay does not count, because it was not seen when it was published. */
function toSeenFiling(filing: FilingObservation, seenAt: Instant): SeenFiling {
  const { accession, cik, form, items, acceptance } = filing;
  const acceptedAt = 'certain' in acceptance ? acceptance.certain : null;
  return { accession, cik, form, items, acceptedAt, seenAt, isLive: false, isOpen: true };
}

/**
 * Reads a release, or gives it up after three failures. Its figures come with later filings. Returns
 * `served` if it states results.
 */
export async function readRelease(
  deps: WatchedDeps,
  source: WatchedSource,
  { symbol, release }: { symbol: string; release: UnreadRelease },
): Promise<Failure | 'served' | null> {
  const { ledger, log, onProgress, provider } = deps;
  const { filing, day, isPossible } = release;
  const { accession } = filing;
  if (provider.follower === undefined) return null;
  if (!release.isRecorded && (await ledger.record([filing])).length === 0) return null;
  release.isRecorded = true;
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
    const isServed = outcome.mayServeAt !== null;
    if (isServed || !isPossible) {
      onProgress({ kind: 'document', symbol, title: `release of ${day}`, rows: null });
    }
    return isServed ? 'served' : null;
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
