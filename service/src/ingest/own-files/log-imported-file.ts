import type { Log } from '../../platform/log.ts';
import type { SourceResponse } from '../../providers/provider.ts';
import type { ResponseReport } from '../report.ts';

/** Logs the result of importing a file from the watched folder. */
export function logImportedFile(
  log: Log,
  { url }: SourceResponse,
  { datasets }: ResponseReport,
): void {
  const file = decodeURIComponent(new URL(url).pathname.replace(/^\/import\//, ''));
  const [first] = datasets;
  if (first === undefined || first.outcome !== 'ingested') {
    const reason = first?.reason === 'no-provider' ? 'unclear-kind' : (first?.reason ?? null);
    log.warn({ event: 'ingest.file_rejected', file, reason }, 'file rejected');
    return;
  }
  const { dataset, rowsNew, rowsChanged, rowsSame, rowsQuarantined, quarantineReasons } = first;
  const fields = { event: 'ingest.file_imported', file, dataset, rowsNew, rowsChanged } as const;
  const counts = { ...fields, rowsSame, rowsQuarantined };
  if (rowsQuarantined === 0) log.info(counts, 'file imported');
  else log.warn({ ...counts, reasons: quarantineReasons }, 'file imported, rows quarantined');
}
