import type { Instant } from '../../../platform/instant.ts';
import { edgarDraws, randomInt, randomUnit } from '../market/random.ts';
import type { FilingFault } from './market-filings.ts';
import type { EdgarFaults, FeedFault } from './serve-edgar.ts';

/** Misbehavior of the simulated EDGAR that an operator can switch on. */
export type EdgarFaultName = FeedFault | FilingFault | 'stall';

export const EDGAR_FAULTS: readonly EdgarFaultName[] = [
  'stall',
  'hang',
  'cut',
  'repeat',
  'shuffle',
  'refused',
  'undeclared',
  'unavailable',
  'amendment',
  'other-company',
  'wrong-scale',
  'contradiction',
];

const FILING_FAULTS: readonly EdgarFaultName[] = [
  'amendment',
  'other-company',
  'wrong-scale',
  'contradiction',
];
const SLOT_MS = 20 * 60_000;
/** Refusals last less long, because a client waits ten minutes after one. */
const LENGTH_MINUTES = { refusal: 1, other: 4 };
const SLOT_SHARE = 0.5;

export function filingFaults(names: ReadonlySet<EdgarFaultName>): Set<FilingFault> {
  return new Set(FILING_FAULTS.filter((name) => names.has(name)) as FilingFault[]);
}

/**
 * Returns the faults of the feed at an instant. In half of the slots of twenty minutes, one of the
 * chosen faults lasts some minutes, from a minute that the seed determines.
 */
export function feedFaultsAt(
  names: ReadonlySet<EdgarFaultName>,
  seed: number,
  now: Instant,
): Pick<EdgarFaults, 'feed' | 'shownUntil'> {
  const none = { feed: null, shownUntil: null };
  const chosen = EDGAR_FAULTS.filter((name) => names.has(name) && !FILING_FAULTS.includes(name));
  const slot = Math.floor(now / SLOT_MS);
  if (chosen.length === 0 || randomUnit(seed, edgarDraws.feedFault, slot) >= SLOT_SHARE) {
    return none;
  }
  const name = chosen[randomInt(chosen.length, seed, edgarDraws.feedFaultKind, slot)];
  const isRefusal = name === 'refused' || name === 'undeclared';
  const minutes = isRefusal ? LENGTH_MINUTES.refusal : LENGTH_MINUTES.other;
  const first = randomInt(15, seed, edgarDraws.feedFaultMinute, slot);
  const startAt = slot * SLOT_MS + first * 60_000;
  const isOver = now < startAt || now >= startAt + minutes * 60_000;
  if (name === undefined || isOver) return none;
  if (name === 'stall') return { feed: null, shownUntil: startAt };
  return { feed: name as FeedFault, shownUntil: null };
}
