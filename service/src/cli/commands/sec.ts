import { relative, resolve } from 'node:path';
import { formatInstant } from '../../platform/instant.ts';
import { type CurrentFeedRow, mergeFeedRows } from '../../providers/sec/current-feed.ts';
import { type DocumentRecord, readDocument } from '../../providers/sec/read-document.ts';
import type { CliCommand, CliContext } from '../command.ts';
import { findDocuments } from '../sec/find-documents.ts';
import { describeRecord } from '../sec/describe-record.ts';

export const command: CliCommand = {
  name: 'sec',
  add(program, context) {
    const sec = program.command('sec').description('Read documents from EDGAR');
    sec
      .command('read')
      .description(
        'Print the contents of EDGAR documents in files: earnings releases, pages of the feed of ' +
          'current filings, index pages, headers, submissions and index files',
      )
      .argument('<paths...>', 'Files, or folders with files or recordings (meta.json with a body)')
      .option('--json', 'Print one JSON object per document, one per line')
      .addHelpText(
        'after',
        '\nFilings from pages of the feed follow at the end, each once, however many pages list it.',
      )
      .action((paths: string[], { json }: { json?: boolean }) =>
        read(context, paths, json === true),
      );
  },
};

/**
 * Needs neither a store nor a network. A document that cannot be read is printed with its reason
 * and does not fail the command.
 */
async function read(context: CliContext, paths: readonly string[], isJson: boolean): Promise<void> {
  const print = (record: DocumentRecord): void =>
    context.stdout(isJson ? `${JSON.stringify(record)}\n` : describeRecord(record));
  const feedRows: CurrentFeedRow[] = [];
  for (const path of paths) {
    for await (const document of findDocuments(resolve(context.cwd, path))) {
      const shownPath = relative(context.cwd, document.path) || '.';
      const reading =
        'reason' in document
          ? { records: [{ kind: 'unreadable', refused: [refusal(document.reason)] }] }
          : readDocument(document);
      if ('records' in reading) {
        for (const record of reading.records) print({ path: shownPath, ...record });
        continue;
      }
      feedRows.push(...reading.feed.rows);
      for (const { reason, entry } of reading.feed.bad) {
        print({ path: shownPath, kind: 'unreadable', refused: [{ ...refusal(reason), entry }] });
      }
    }
  }
  for (const filing of mergeFeedRows(feedRows)) {
    print({ kind: 'current-filing', ...filing, acceptedAt: formatInstant(filing.acceptedAt) });
  }
}

function refusal(reason: string): { field: string; reason: string } {
  return { field: 'document', reason };
}
