import { basename, resolve } from 'node:path';
import { Option } from 'commander';
import { COMMAND_LINE, recordAuditEvent } from '../../accounts/audit-log.ts';
import { claimStoreKind } from '../../app/store-kind.ts';
import {
  importFile,
  previewFile,
  previewWithoutStore,
} from '../../ingest/own-files/import-file.ts';
import { saveKnownSources } from '../../ingest/save-sources.ts';
import { FILE_KINDS } from '../../providers/files/column-names.ts';
import {
  DATE_ORDERS,
  type DateOrder,
  type FileOptions,
  splitPair,
} from '../../providers/files/file-options.ts';
import { providers } from '../../providers/registry.gen.ts';
import type { Db } from '../../storage/db.ts';
import { NoStoreError } from '../../storage/errors.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { addJsonOption } from '../options.ts';
import { type OwnFile, openOwnFiles } from '../own-files/open-own-files.ts';
import {
  countsOf,
  type FileReport,
  importJson,
  renderReports,
} from '../own-files/render-import.ts';

/** Exit code if rows were quarantined. All other rows are stored. */
const EXIT_QUARANTINED = 2;
const HELP = `
Columns are matched by name, in any order and with common spellings such as Ticker or EPS Est. A
file is imported only if every column is known.

Examples:
  afterbell import q3.csv --dry-run
  afterbell import AAPL.csv --kind bars --set symbol=AAPL
  afterbell import vendor.csv --column "My guess=epsEstimate" --column "Notes="

Exit codes: 0 all rows are stored, 1 failure and nothing of the file is stored, 2 some rows are
quarantined.`;

interface Flags {
  kind?: string;
  column: string[];
  set: string[];
  dates?: DateOrder;
  dryRun?: boolean;
  json?: boolean;
}

export const command: CliCommand = {
  name: 'import',
  add(program, context) {
    addJsonOption(program.command('import'))
      .description('Import your own CSV, JSON and NDJSON files')
      .argument('<files...>', 'Files to import')
      .addOption(
        new Option(
          '--kind <kind>',
          'Content of the files (default: recognized by name or columns)',
        ).choices([...FILE_KINDS, 'estimates']),
      )
      .option(
        '--column <header=column>',
        'Column of the file to read as this column; nothing after = leaves it out',
        collect,
        [],
      )
      .option('--set <column=value>', 'Column with the same value in every row', collect, [])
      .addOption(
        new Option('--dates <order>', 'Order of dates such as 05/06/2026').choices([
          ...DATE_ORDERS,
        ]),
      )
      .option('--dry-run', 'Show the result for each row and store nothing')
      .addHelpText('after', HELP)
      .action((paths: string[], flags: Flags) => run(context, paths, flags));
  },
};

async function run(context: CliContext, paths: readonly string[], flags: Flags): Promise<void> {
  const isDryRun = flags.dryRun === true;
  const files = openOwnFiles(
    paths.map((path) => ({ path: resolve(context.cwd, path), name: basename(path) })),
    {
      kind: kindOf(flags.kind),
      columns: flags.column.map((pair) => {
        const [header, column] = requirePair('--column', pair);
        return [header, column === '' ? null : column];
      }),
      constants: flags.set.map((pair) => requirePair('--set', pair)),
      dateOrder: flags.dates ?? null,
    },
    context.clock.now(),
  );
  const reports = await importInto(context, files, isDryRun);
  context.stdout(
    flags.json === true
      ? `${JSON.stringify(importJson(reports, isDryRun))}\n`
      : renderReports(reports, isDryRun),
  );
  const quarantined = reports.reduce((sum, { report }) => sum + countsOf(report).quarantined, 0);
  if (quarantined > 0) {
    const rows = quarantined === 1 ? '1 row' : `${quarantined} rows`;
    const verb = quarantined === 1 ? 'is' : 'are';
    throw new CliError(
      `${rows} ${isDryRun ? 'would be' : verb} quarantined; all other rows are valid`,
      EXIT_QUARANTINED,
    );
  }
}

async function importInto(
  context: CliContext,
  files: readonly OwnFile[],
  isDryRun: boolean,
): Promise<FileReport[]> {
  const { db, close } = await openStore(context, isDryRun);
  const { clock } = context;
  const reports: FileReport[] = [];
  try {
    if (!isDryRun && db !== null) {
      await claimStoreKind(db, 'live', context.settings());
      await saveKnownSources(db, providers);
    }
    for (const file of files) {
      if (db === null) reports.push({ ...file, ...previewWithoutStore(file.response) });
      else if (isDryRun)
        reports.push({ ...file, ...(await previewFile({ db, clock }, file.response)) });
      else reports.push({ ...file, ...(await importFile({ db, clock }, file.response)) });
    }
    if (!isDryRun && db !== null) await recordImport(context, db, files);
  } finally {
    await close();
  }
  return reports;
}

async function recordImport(
  { clock }: CliContext,
  db: Db,
  files: readonly OwnFile[],
): Promise<void> {
  await db.transaction((tx) =>
    recordAuditEvent(tx, {
      actor: COMMAND_LINE,
      at: clock.now(),
      action: 'ingest.import',
      subject: null,
      customerId: null,
      details: { files: files.map(({ name, description }) => `${name} (${description.kind})`) },
    }),
  );
}

/** A preview needs no store: without one, every valid row is new. */
async function openStore(
  context: CliContext,
  isDryRun: boolean,
): Promise<{ db: Db | null; close(): Promise<void> }> {
  try {
    return await context.openStore({ kind: 'live', mayCreate: !isDryRun });
  } catch (error) {
    if (!isDryRun || !(error instanceof NoStoreError)) throw error;
    context.stderr('There is no store yet, so the preview compares the rows with nothing.\n');
    return { db: null, close: async () => undefined };
  }
}

function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

function requirePair(option: string, pair: string): [string, string] {
  if (!pair.includes('=')) throw new CliError(`${option} needs name=value, not "${pair}"`);
  return splitPair(pair);
}

/** Estimates are columns of an earnings file. */
function kindOf(name: string | undefined): FileOptions['kind'] {
  return FILE_KINDS.find((kind) => kind === (name === 'estimates' ? 'earnings' : name)) ?? null;
}
