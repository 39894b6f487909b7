import { replayFolder, type ReplayReport } from '../../ingest/replay/replay-folder.ts';
import type { ResponseReport } from '../../ingest/report.ts';
import { createProgress, type Progress } from '../../platform/progress.ts';
import type { SourceResponse } from '../../providers/provider.ts';
import { type CliContext, CliError } from '../command.ts';

/** Replays a folder while showing progress. Throws `CliError` if the folder does not exist. */
export async function replayWithProgress(
  context: CliContext,
  folder: string,
  ingest: (response: SourceResponse) => Promise<ResponseReport>,
): Promise<ReplayReport> {
  const bars: Progress[] = [];
  try {
    return await replayFolder({
      folder,
      ingest,
      onFound: (total) => bars.push(createProgress({ label: 'replay', total, ...context })),
      onDone: () => bars[0]?.tick(),
    });
  } catch (error) {
    throw isMissingFolder(error) ? new CliError(`folder not found: ${folder}`) : error;
  } finally {
    bars[0]?.finish();
  }
}

function isMissingFolder(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))
  );
}
