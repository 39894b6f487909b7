import {
  deleteOldFilings,
  finishFiling,
  loadOpenFilings,
  type ReadFiling,
  recordFilings,
  type SeenFiling,
} from '../../datasets/filings/store.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Db } from '../../storage/db.ts';
import { recordPosts } from '../../webhooks/stats/filing-posts.ts';

/** The filings that were seen, and how far each one is. It survives restarts. */
export interface FilingLedger {
  /** Records filings and returns those that were unknown. */
  record(filings: readonly SeenFiling[]): Promise<SeenFiling[]>;
  /** Returns the filings whose documents are still to be read. */
  loadOpen(): Promise<SeenFiling[]>;
  finish(filing: ReadFiling): Promise<void>;
  /** Records when the first webhook with the results of each filing served since was sent. */
  recordPosts(servedSince: Instant): Promise<void>;
  deleteBefore(instant: Instant): Promise<void>;
}

export function filingLedger(db: Db): FilingLedger {
  return {
    record: (filings) => recordFilings(db, filings),
    loadOpen: () => loadOpenFilings(db),
    finish: (filing) => finishFiling(db, filing),
    recordPosts: (servedSince) => recordPosts(db, servedSince),
    deleteBefore: (instant) => deleteOldFilings(db, instant),
  };
}
