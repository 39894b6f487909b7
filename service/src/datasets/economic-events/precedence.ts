import type { Thread } from '../source-records/thread.ts';

/**
 * Who is believed first of day, time and each figure. The operator's own files correct everything; an
 * agency's schedule is the official word on its days and brings no figures. Feeds not named follow.
 */
const FEEDS = [
  'files/economic-events',
  'us-agencies/bls-schedule',
  'nasdaq/economic-events',
  'sandbox/economic',
];

export function feedRank({ provider, feed }: Thread<unknown>): number {
  const rank = FEEDS.indexOf(`${provider}/${feed}`);
  return rank === -1 ? FEEDS.length : rank;
}
