import { replayFolder, type ReplayReport } from '../../ingest/replay/replay-folder.ts';
import type { ResponseReport } from '../../ingest/report.ts';
import { createProgress, type Progress } from '../../platform/progress.ts';
import type { SourceResponse } from '../../providers/provider.ts';
import { type CliContext, CliError } from '../command.ts';

/**
 * Replays a folder while showing progress. Throws `CliError` if the folder does not exist or has no
 * recordings.
 */
export async function replayWithProgress(
  context: CliContext,
  folder: string,
  ingest: (response: SourceResponse) => Promise<ResponseReport>,
): Promise<ReplayReport> {
  const bars: Progress[] = [];
  try {
    const report = await replayFolder({
      folder,
      ingest,
      onFound: (total) => bars.push(createProgress({ label: 'replay', total, ...context })),
      onDone: () => bars[0]?.tick(),
    });
    if (report.recordings.length === 0) throw new CliError(noRecordings(folder));
    return report;
  } catch (error) {
    throw isMissingFolder(error) ? new CliError(`folder not found: ${folder}`) : error;
  } finally {
    bars[0]?.finish();
  }
}

function noRecordings(folder: string): string {
  return (
    `no recordings in ${folder}: each is a folder with a meta.json and a body. ` +
    'To import your own CSV or JSON files, use afterbell import'
  );
}

function isMissingFolder(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))
  );
}
