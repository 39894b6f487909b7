import { createSourceResponse } from '../../providers/source-response.ts';
import type { SourceResponse } from '../../providers/provider.ts';
import { sqlState } from '../../storage/errors.ts';
import { type ResponseReport, emptyReport } from '../report.ts';
import { findRecordings, type Recording } from './find-recordings.ts';
import { readBody, RecordingError } from './read-recording.ts';

/** The result of replaying each recording in a folder. */
export interface ReplayReport {
  recordings: RecordingReport[];
}

export interface RecordingReport extends ResponseReport {
  /** Relative to the folder. */
  path: string;
}

export interface ReplayOptions {
  folder: string;
  ingest(response: SourceResponse): Promise<ResponseReport>;
  /** Called with the number of recordings before the first one is replayed. */
  onFound?(count: number): void;
  /** Called after each recording. */
  onDone?(report: RecordingReport): void;
}

/**
 * Ingests every recorded response under the folder, oldest first, one at a time, without a network.
 * An unreadable recording is reported as rejected and damaged, and the replay continues. Throws if
 * the folder is unreadable or the store fails.
 */
export async function replayFolder(options: ReplayOptions): Promise<ReplayReport> {
  const recordings = await findRecordings(options.folder);
  options.onFound?.(recordings.length);
  const reports: RecordingReport[] = [];
  for (const recording of recordings) {
    const report = { path: recording.path, ...(await replayOne(recording, options)) };
    reports.push(report);
    options.onDone?.(report);
  }
  return { recordings: reports };
}

async function replayOne(recording: Recording, { ingest }: ReplayOptions): Promise<ResponseReport> {
  if ('error' in recording) return damaged(recording.error);
  const { meta } = recording;
  let response: SourceResponse;
  try {
    if (!URL.canParse(meta.url)) return UNSUPPORTED;
    response = createSourceResponse({
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
    return await ingest(response);
  } catch (error) {
    // If the store rejects a value despite all checks, only its own recording fails.
    if (!/^2[23]/.test(sqlState(error) ?? '')) throw error;
    return damaged(new RecordingError('not-storable', String(error)));
  }
}

/** A table collected by hand has no URL, so no provider claims it. */
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
