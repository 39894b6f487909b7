import { createSourceResponse } from '../../providers/source-response.ts';
import type { SourceResponse } from '../../providers/provider.ts';
import { sqlState } from '../../storage/errors.ts';
import { type ResponseReport, emptyReport } from '../report.ts';
import { findRecordings, type Recording } from './find-recordings.ts';
import { readBody, RecordingError } from './read-recording.ts';

/** What became of every recording of a folder. */
export interface ReplayReport {
  recordings: RecordingReport[];
}

export interface RecordingReport extends ResponseReport {
  /** Relative to the folder. */
  path: string;
}

export interface ReplayOptions {
  folder: string;
  ingest(answer: SourceResponse): Promise<ResponseReport>;
  /** Told how many there are, before the first. */
  onFound?(count: number): void;
  /** Told after each recording. */
  onDone?(report: RecordingReport): void;
}

/**
 * Takes in every recorded answer under the folder, oldest first, one at a time, with no network.
 * A recording that cannot be read is reported as rejected and damaged; the others go on. Throws
 * when the folder cannot be read or the store fails.
 */
export async function replayFolder(options: ReplayOptions): Promise<ReplayReport> {
  const found = await findRecordings(options.folder);
  options.onFound?.(found.length);
  const recordings: RecordingReport[] = [];
  for (const recording of found) {
    const report = { path: recording.path, ...(await replayOne(recording, options)) };
    recordings.push(report);
    options.onDone?.(report);
  }
  return { recordings };
}

async function replayOne(recording: Recording, { ingest }: ReplayOptions): Promise<ResponseReport> {
  if ('broken' in recording) return damaged(recording.error);
  const { meta } = recording;
  let answer: SourceResponse;
  try {
    if (!URL.canParse(meta.url)) return UNSUPPORTED;
    answer = createSourceResponse({
      url: meta.url,
      status: meta.status,
      contentType: meta.contentType,
      observedAt: meta.recordedAt ?? 0,
      text: await readBody(meta),
    });
  } catch (error) {
    if (error instanceof RecordingError) return damaged(error);
    throw error;
  }
  try {
    return await ingest(answer);
  } catch (error) {
    // A value that passed every check and that the store still refuses costs its recording alone.
    if (!/^2[23]/.test(sqlState(error) ?? '')) throw error;
    return damaged(new RecordingError('not-storable', String(error)));
  }
}

/** A table that somebody collected by hand has no address, and so no provider to claim it. */
const UNSUPPORTED: ResponseReport = {
  provider: null,
  feed: null,
  datasets: [emptyReport(null, 'unsupported', 'no-source-address')],
  isDamaged: false,
};

function damaged(error: RecordingError): ResponseReport {
  return {
    provider: null,
    feed: null,
    datasets: [emptyReport(null, 'rejected', error.reason)],
    isDamaged: true,
  };
}
