import type { CompanyFeeds, PlanContext, Provider, Scope } from '../../providers/provider.ts';
import type { FilingLedger } from '../filings/filing-ledger.ts';
import type { JobStore } from '../job-store.ts';
import type { RunDeps } from '../run-requests.ts';
import type { OnWatchProgress } from './watch-progress.ts';
import type { WatchedStore } from './watched-store.ts';

export interface WatchedDeps extends RunDeps {
  provider: Provider;
  companyFeeds: CompanyFeeds;
  /** Canonical symbols, in the order in which they are fetched. */
  symbols: readonly string[];
  jobs: Pick<JobStore, 'loadResponseTimes' | 'saveProgress'>;
  ledger: Pick<FilingLedger, 'record' | 'finish'>;
  store: WatchedStore;
  planContext(scope: Scope): Promise<PlanContext>;
  setting: PlanContext['setting'];
  onProgress: OnWatchProgress;
}
