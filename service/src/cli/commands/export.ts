import { mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { currentKind } from '../../app/store-kind.ts';
import { datasetsFolder, withheldSources } from '../../app/dataset-files.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { tables } from '../../endpoints/tables/registry.gen.ts';
import type { DatasetTable } from '../../endpoints/tables/table.ts';
import { columnsOf, flatColumns } from '../../exports/columns.ts';
import { exportSet, ExportRunningError } from '../../exports/export-set.ts';
import { readRows, type RowFilter } from '../../exports/read-rows.ts';
import { type TextFormat, writeText } from '../../exports/text-file.ts';
import { writeFileAtomically } from '../../exports/write-file.ts';
import { formatInstant } from '../../platform/instant.ts';
import type { Db, SnapshotView } from '../../storage/db.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { dayOption } from '../options.ts';

const MANIFEST = 'manifest.json';
const NAMES = tables.map(({ name }): string => name);

interface Flags {
  dataset: string;
  format: TextFormat | 'parquet';
  from?: LocalDate;
  until?: LocalDate;
  versions?: boolean;
  include?: 'provenance';
  to?: string;
}

/** Exports data sets for use by other programs. To create backups, use `afterbell backup`. */
export const command: CliCommand = {
  name: 'export',
  add(program, context) {
    program
      .command('export')
      .description('Export a consistent snapshot of data sets to files')
      .option('--dataset <list>', `Comma-separated data sets, or all: ${NAMES.join(', ')}`, 'all')
      .addOption(
        new Option('--format <format>', 'File format')
          .choices(['csv', 'ndjson', 'parquet'])
          .default('csv'),
      )
      .addOption(dayOption('--from <day>', 'Only rows from this day on, such as 2026-11-20'))
      .addOption(dayOption('--until <day>', 'Only rows up to this day'))
      .option('--versions', 'Include all versions, with the time of each; Parquet always does')
      .addOption(
        new Option('--include <part>', 'Add the source of each field to CSV and NDJSON').choices([
          'provenance',
        ]),
      )
      .option('--to <folder>', 'Output folder, created if missing')
      .action((flags: Flags) => run(context, flags));
  },
};

async function run(context: CliContext, flags: Flags): Promise<void> {
  const { format, from, until, to } = flags;
  if (format === 'parquet' && (from !== undefined || until !== undefined)) {
    throw new CliError('Parquet files have whole years: remove --from and --until');
  }
  const selected = selectTables(flags.dataset, from !== undefined || until !== undefined);
  if (format === 'parquet' && to === undefined && selected.length < tables.length) {
    throw new CliError('the files for customers have all data sets: remove --dataset, or set --to');
  }
  if (format !== 'parquet' && to === undefined) throw new CliError('set the folder with --to');
  const { db, close } = await context.openStore();
  try {
    if (format === 'parquet') await exportParquet(context, db, selected, to);
    else await exportText(context, db, selected, { ...flags, format });
  } finally {
    await close();
  }
}

/** Without a folder, writes the files that the service serves. */
async function exportParquet(
  context: CliContext,
  db: Db,
  selected: readonly DatasetTable[],
  to: string | undefined,
): Promise<void> {
  const settings = context.settings();
  const folder =
    to === undefined
      ? datasetsFolder(settings, await currentKind(db, settings))
      : resolve(context.cwd, to);
  const options = { folder, clock: context.clock, withheld: withheldSources(settings) };
  const set = await exportSet(db, selected, options).catch((error: unknown) => {
    throw error instanceof ExportRunningError ? new CliError(error.message) : error;
  });
  for (const { dataset, files } of set.manifest.tables) {
    for (const { file, rows } of files) {
      context.stdout(`${join(folder, 'latest', dataset, file)} ${rows}\n`);
    }
  }
}

/** A file listed in the manifest. */
interface ListedFile {
  dataset: string;
  file: string;
  columns: string[];
  rows: number;
  sizeBytes: number;
  sha256: string;
}

async function exportText(
  context: CliContext,
  db: Db,
  selected: readonly DatasetTable[],
  flags: Flags & { format: TextFormat },
): Promise<void> {
  const { format, from = null, until = null, versions: allVersions = false, include } = flags;
  const folder = resolve(context.cwd, flags.to ?? '');
  await prepareFolder(folder, [MANIFEST, ...selected.map(({ name }) => `${name}.${format}`)]);
  const exportedAt = formatInstant(context.clock.now());
  const filter = { allVersions, from, to: until, withheld: withheldSources(context.settings()) };
  const isSourced = include === 'provenance';
  const files: ListedFile[] = [];
  await db.readSnapshot(async (view) => {
    for (const table of selected) {
      files.push(await writeTable(view, table, { folder, format, filter, isSourced }));
    }
  });
  // The manifest is written last, so its presence means that all the files it lists are complete.
  const manifest = { exportedAt, format, versions: allVersions, from, until, files };
  await writeFileAtomically(join(folder, MANIFEST), (append) =>
    append(Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)),
  );
  for (const { file, rows } of files) context.stdout(`${join(folder, file)} ${rows}\n`);
}

async function writeTable(
  view: SnapshotView,
  table: DatasetTable,
  options: { folder: string; format: TextFormat; filter: RowFilter; isSourced: boolean },
): Promise<ListedFile> {
  const { folder, format, filter, isSourced } = options;
  const file = `${table.name}.${format}`;
  const columns = flatColumns(
    columnsOf(table).filter(({ name }) => isSourced || name !== 'provenance'),
  );
  const { result, ...written } = await writeFileAtomically(join(folder, file), (append) =>
    writeText(format, columns, readRows(view, table, filter), append),
  );
  const names = columns.map(({ name }) => name);
  return { dataset: table.name, file, columns: names, ...result, ...written };
}

/** Creates the folder. Throws `CliError` if it already contains a file from an export. */
async function prepareFolder(folder: string, names: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of names) {
    const path = join(folder, name);
    const exists = await stat(path).then(
      () => true,
      () => false,
    );
    if (exists) throw new CliError(`${path} already exists; use another folder`);
  }
}

function selectTables(list: string, isBounded: boolean): DatasetTable[] {
  const names = list === 'all' ? NAMES : [...new Set(list.split(','))];
  return names.map((name) => {
    const table = tables.find((candidate) => candidate.name === name);
    if (table === undefined) {
      throw new CliError(`unknown data set "${name}": choose from ${NAMES.join(', ')}, or all`);
    }
    if (isBounded && table.stored.day === null) {
      throw new CliError(`${name} has no dates: remove --from and --until, or exclude ${name}`);
    }
    return table;
  });
}
