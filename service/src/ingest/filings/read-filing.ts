import type { SeenFiling } from '../../datasets/filings/store.ts';
import type { Instant } from '../../platform/instant.ts';
import type { FilingDocuments, FilingFollower } from '../../providers/filing-follower.ts';
import type { PlanContext, SourceResponse } from '../../providers/provider.ts';
import type { ResponseReport } from '../report.ts';
import { readFrom, type SourceAccess } from './source-access.ts';

export interface FilingDeps extends SourceAccess {
  follower: FilingFollower;
  settings: Pick<PlanContext, 'setting'>;
  ingest(response: SourceResponse): Promise<ResponseReport>;
}

export type FilingOutcome =
  /** `mayServeAt`: when the figures that an exhibit states were served, unless they failed a check. */
  | { kind: 'read'; documents: FilingDocuments; mayServeAt: Instant | null }
  | { kind: 'retry'; reason: string }
  | { kind: 'stopped' };

/**
 * Reads a filing: its index page, then its exhibits until one states results. The page is ingested
 * last: a release is served together with its filing, so that subscribers get one webhook with the
 * figures. Documents without results are ingested only if the filing is about results.
 */
export async function readFiling(deps: FilingDeps, filing: SeenFiling): Promise<FilingOutcome> {
  const { follower, settings } = deps;
  const page = await readFrom(deps, follower.documentsRequest(filing, settings), (response) =>
    follower.readDocuments(response, filing),
  );
  if (page.kind === 'stopped') return page;
  if (page.kind === 'missing') return { kind: 'retry', reason: 'missing' };
  if (page.kind === 'retry') return page;
  const documents = page.value;
  for (const url of documents.exhibits) {
    const exhibit = await readFrom(deps, follower.exhibitRequest(url, settings), (response) =>
      follower.isPromising(response, filing),
    );
    if (exhibit.kind === 'stopped' || exhibit.kind === 'retry') return exhibit;
    if (exhibit.kind === 'missing' || !exhibit.value) continue;
    if (!hasRows(await deps.ingest(exhibit.response))) continue;
    await deps.ingest(page.response);
    return { kind: 'read', documents, mayServeAt: deps.clock.now() };
  }
  const isAboutResults = documents.exhibits.length > 0 && documents.items !== null;
  if (isAboutResults) await deps.ingest(page.response);
  return { kind: 'read', documents, mayServeAt: null };
}

function hasRows({ datasets }: ResponseReport): boolean {
  return datasets.some(({ rowsSeen }) => rowsSeen > 0);
}
