import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import type { LocalDate } from '../../domain/local-date.ts';
import { formatInstant } from '../../platform/instant.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { dayOption } from '../options.ts';
import { type ExportableDataset, EXPORTABLE_DATASETS } from '../export/export-rows.ts';
import {
  fileNameOf,
  type Format,
  FORMATS,
  prepareFolder,
  writeDataset,
  type WrittenFile,
} from '../export/write-files.ts';

const MANIFEST = 'manifest.json';
const NAMES = EXPORTABLE_DATASETS.map(({ name }) => name);

interface Flags {
  dataset: string;
  format: Format;
  from?: LocalDate;
  until?: LocalDate;
  versions?: boolean;
  to: string;
}

/** Exports data sets for use by other programs. To create backups, use `afterbell backup`. */
export const command: CliCommand = {
  name: 'export',
  add(program, context) {
    program
      .command('export')
      .description('Export a consistent snapshot of data sets to files')
      .requiredOption('--dataset <list>', `Comma-separated data sets, or all: ${NAMES.join(', ')}`)
      .addOption(
        new Option('--format <format>', 'File format').choices([...FORMATS]).default('csv'),
      )
      .addOption(dayOption('--from <day>', 'Only rows from this day on, such as 2026-11-20'))
      .addOption(dayOption('--until <day>', 'Only rows up to this day'))
      .option('--versions', 'Include all versions, with the time of each')
      .requiredOption('--to <folder>', 'Output folder, created if missing')
      .action((flags: Flags) => run(context, flags));
  },
};

async function run(context: CliContext, flags: Flags): Promise<void> {
  const { format, from = null, until = null, versions: allVersions = false } = flags;
  const selected = selectDatasets(flags.dataset, from !== null || until !== null);
  const folder = resolve(context.cwd, flags.to);
  const { db, close } = await context.openStore();
  try {
    await prepareFolder(folder, [
      MANIFEST,
      ...selected.map((dataset) => fileNameOf(dataset, format)),
    ]);
    const exportedAt = formatInstant(context.clock.now());
    const files: WrittenFile[] = [];
    await db.readSnapshot(async (view) => {
      for (const dataset of selected) {
        const filter = { allVersions, from, to: until };
        files.push(await writeDataset(view, dataset, { folder, format, filter }));
      }
    });
    // The manifest is written last, so its presence means that all the files it lists are complete.
    const manifest = { exportedAt, format, versions: allVersions, from, until, files };
    await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`);
    for (const { file, rows } of files) context.stdout(`${join(folder, file)} ${rows}\n`);
  } finally {
    await close();
  }
}

function selectDatasets(list: string, isBounded: boolean): ExportableDataset[] {
  const names = list === 'all' ? NAMES : [...new Set(list.split(','))];
  return names.map((name) => {
    const dataset = EXPORTABLE_DATASETS.find((candidate) => candidate.name === name);
    if (dataset === undefined) {
      throw new CliError(`unknown data set "${name}": choose from ${NAMES.join(', ')}, or all`);
    }
    if (isBounded && dataset.day === null) {
      throw new CliError(`${name} has no dates: remove --from and --until, or exclude ${name}`);
    }
    return dataset;
  });
}
