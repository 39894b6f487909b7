import { replayFolder, type ReplayReport } from '../../ingest/replay/replay-folder.ts';
import type { ResponseReport } from '../../ingest/report.ts';
import { createProgress } from '../../platform/progress.ts';
import type { SourceResponse } from '../../providers/provider.ts';
import { type CliContext, CliError } from '../command.ts';

/** Replays a folder and shows how far it is; a folder that is not there is the user's to mend. */
export async function replayWithProgress(
  context: CliContext,
  folder: string,
  ingest: (answer: SourceResponse) => Promise<ResponseReport>,
): Promise<ReplayReport> {
  const shown: ReturnType<typeof createProgress>[] = [];
  try {
    return await replayFolder({
      folder,
      ingest,
      onFound: (total) => shown.push(createProgress({ label: 'replay', total, ...context })),
      onDone: () => shown[0]?.tick(),
    });
  } catch (error) {
    throw isMissingFolder(error) ? new CliError(`no such folder: ${folder}`) : error;
  } finally {
    shown[0]?.finish();
  }
}

function isMissingFolder(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))
  );
}
